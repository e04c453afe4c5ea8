// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cosched_exec/speed/reading.hpp"
#include "cosched_exec/strategy/choose.hpp"

namespace cosched_exec {

enum class PauseWish { automatic, freezer, signal };
enum class Halt { never, soon, now };  ///< on a task's failure: go on, start no more, end all

/// Jobs by default, on a node with fewer cores: a paused task costs only its memory.
constexpr std::size_t kLeastJobs = 12;

struct Options {
  Strategy strategy = Strategy::automatic;
  std::optional<std::size_t> jobs;
  std::size_t window = 12;
  double interval = 3;  ///< s
  double theta = 0.1;
  SpeedWish speed = SpeedWish::automatic;
  PauseWish pause = PauseWish::automatic;
  std::vector<unsigned> cores;  ///< processing units to bind to; empty: not bound
  Halt halt = Halt::never;
  bool dry_run = false;
  bool toml = false;
  bool quiet = false;
  std::string joblog, trace, timeline, plot, json;  ///< files; empty: none
  std::vector<std::string> commands;                ///< -c
  std::string task_file;                            ///< "-": standard input; empty: none
};

/// Exit statuses beside the tasks' own (design.md): a failure of ours after tasks were started.
constexpr int kOwnFailure = 125;

/// The whole of cosched_exec but --doctor and simulate; returns the exit status.
int run(const Options& options);

}  // namespace cosched_exec
