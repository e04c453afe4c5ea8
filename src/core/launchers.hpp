// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/hostfile.hpp"

namespace core {

enum class LauncherKind { openmpi, mpich, intel, srun };

/// What is known about a program that starts parallel jobs: one row of one table.
struct Launcher {
  LauncherKind kind;
  std::string_view name;                        ///< for messages: "Open MPI"
  std::vector<std::string_view> programs;       ///< mpirun, mpiexec, orterun, ...
  std::vector<std::string_view> version_marks;  ///< texts in the first lines of --version
  HostfileFormat format;                        ///< of its hostfile
  std::string_view hostfile_option;             ///< --hostfile, -f, ...
  std::vector<std::string_view> one_per_host;   ///< flags for one rank a host
  std::vector<std::string_view> unbound;        ///< flags for no binding
  /// Host options that a user may have written already (see design: "exit 2, naming it").
  std::vector<std::string_view> host_options;
  /// Its other options that take one word, and two words; without dashes. All others take none.
  std::vector<std::string_view> one_word;
  std::vector<std::string_view> two_words;
};

std::span<const Launcher> launchers();
const Launcher& launcher(LauncherKind kind);

/// Whether the program's file name is that of any launcher in the table.
bool is_launcher_program(std::string_view program);

/// Which launcher `program` is: by name (srun), else by running `program --version` (at most 10 s,
/// stdin /dev/null) and looking for version_marks. Throws Error when it cannot be run or told.
const Launcher& recognise_launcher(const std::string& program);
/// The pure half: from the output of --version, of which the first 5 lines count; or nullptr.
const Launcher* launcher_of_version(std::string_view version_output);

/// Variables that hold a rank's number, and the count of ranks, in order of preference.
std::span<const std::string_view> rank_variables();
std::span<const std::string_view> size_variables();

/// The option among `args` that names hosts already, as it is written: "--host", "-H", also glued
/// "--host=a" and (srun) "-wn1"; or nothing. Only the launcher's own part is looked at, which ends
/// before the first word that is neither an option nor an option's value (the program), and begins
/// again after a ":" of Open MPI and MPICH. An option that is not in the table takes no value.
std::optional<std::string> host_option_in(const Launcher& launcher,
                                          std::span<const std::string> args);

/// Where the program stands among the launcher's `args`: the first word that is neither an option
/// nor an option's value; args.size() when there is none. Pure.
std::size_t program_place(const Launcher& launcher, std::span<const std::string> args);

}  // namespace core
