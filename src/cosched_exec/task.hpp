// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cosched_exec/speed/progress.hpp"

namespace cosched_exec {

/// One program to run, as the task file or -c gives it.
struct Task {
  std::string name;               ///< for people and prefixes: given, or "1", "2", ... by place
  std::string place;              ///< FILE:LINE of its table in a TOML file; empty: none
  std::string text;               ///< the command as the user wrote it
  std::vector<std::string> argv;  ///< what is executed: sh -c TEXT, or the given array
  std::optional<unsigned> threads;
  std::vector<std::pair<std::string, std::string>> environment;
  std::string directory;           ///< empty: ours
  std::string out_file, err_file;  ///< empty: prefixed lines on ours
  std::optional<ProgressSpec> progress;
  bool pausable = true;
};

/// A path as the task sees it, from its folder. Pure.
std::string seen_from(const Task& task, const std::string& path);

/// What the task runs, for telling like tasks: the program's name without folders and, after a
/// launcher, shell or interpreter, that of what it runs, with the number of threads. Pure.
std::string program_of(const Task& task);

}  // namespace cosched_exec
