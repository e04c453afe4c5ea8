// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "cosched_exec/strategy/scheduler.hpp"

namespace cosched_exec::simulated {

struct Task {
  std::string program;
  double p = 10;       ///< s alone
  double demand = 1;   ///< processors alone
  bool spins = false;  ///< then `demand` is its number of busy threads
  double rate = 1000;  ///< progress a second alone
  double events = std::numeric_limits<double>::infinity();  ///< a second alone
  bool measured = true;                                     ///< its progress can be told
  double startup = 0;  ///< s of p in which it shows no progress, does not spin, uses one core
};

/// True f of each of the tasks that run, in their order.
using Speeds = std::function<std::vector<double>(const Combination&)>;

struct Node {
  std::size_t processors = 8;
  std::vector<Task> tasks;
  Speeds speeds;
  /// Share of its time that each of them waits for a processor; none: never (memory, disks).
  Speeds waiting;
  double noise = 0.03;  ///< of a sample of 250 ms
  double drift = 0;     ///< of each task's true speed, slowly wandering
};

struct Course {
  double makespan = 0;
  bool stopped = false;  ///< at the limit
  double probing_cost = 0;
  double left_all = -1;         ///< s: first decision that was not everything; -1: never
  double slowest_decision = 0;  ///< s, of this machine
  std::vector<std::pair<double, Decision>> decisions;
};

/// The node under the scheduler, as the supervisor does it: admits at most `jobs`, decides, runs,
/// observes without the first 100 ms of a new set.
Course run(const Node& node, const SchedulerOptions& options, std::size_t jobs, unsigned seed,
           double limit = 1e9);

}  // namespace cosched_exec::simulated
