// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "core/hostfile.hpp"
#include "core/node_times.hpp"
#include "mpisel/select.hpp"

namespace mpisel {

/// The command line of mpisel(1), read.
struct Options {
  std::optional<std::uint64_t> count;
  std::optional<std::string> times;  ///< nothing or "-": standard input
  core::By by = core::By::median;
  Order order = Order::allocation;
  std::string exclude;  ///< a host list, empty for none
  std::optional<double> max_ratio;
  std::optional<std::uint64_t> slots;
  std::optional<core::HostfileFormat> format;
  std::string output;  ///< empty: standard output, or a file in memory for the launcher
  bool explain = false;
  bool json = false;
  bool compact = false;    ///< of equally good hosts those under the fewest switches
  bool give_back = false;  ///< say how the hosts that are not chosen leave the job
  bool yes = false;        ///< and do it
  bool otherwise_all = false;
};

/// Writes the answer: a hostfile, or JSON. Throws Error.
void print_selection(const Options& options, const core::Environment& environment);

/// Becomes the launcher, running on the chosen hosts; never returns. Throws Error: status usage for
/// a wrong command line, unmet when no hosts could be chosen or the launcher cannot be run. With
/// otherwise_all the launcher runs unchanged when no hosts could be chosen, with a warning.
[[noreturn]] void launch(const Options& options, const std::vector<std::string>& command,
                         const core::Environment& environment);

}  // namespace mpisel
