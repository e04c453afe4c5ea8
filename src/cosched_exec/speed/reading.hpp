// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "cosched_exec/strategy/scheduler.hpp"

namespace cosched_exec {

/// Measures of a task's speed, best first (mixes.md: which of them sees what).
enum class Source {
  none,      ///< nothing tells: such a task is run alone or with sleepers
  progress,  ///< what the task shows: lines or a number, on its output or in a file
  calls,     ///< MPI and OpenMP runtime calls, counted by the preloaded probe
  ipc,       ///< instructions / cycles x CPU seconds (the source's measure)
  ips,       ///< instructions
  cputime,   ///< CPU seconds
  share      ///< run / (run + wait) of schedstat
};
std::string_view name(Source source);

/// What the user asked for with --speed.
enum class SpeedWish { automatic, ipc, ips, progress, calls, cputime };

/// Running totals of one task, all of its processes together, at one moment.
struct Reading {
  double time = 0;  ///< s, monotonic
  double cpu = 0;   ///< CPU seconds, ended processes included
  double run = 0,
         wait = 0;  ///< s, of living threads: on a processor, ready without one (schedstat)
  /// Voluntary context switches of living threads, and how many threads there are. Read only in
  /// detail (see Meter), else none.
  std::optional<std::uint64_t> voluntary;
  std::optional<unsigned> threads;
  std::optional<double> instructions, cycles;  ///< scaled for multiplexing
  std::optional<double> calls;
  std::optional<double> progress;
};

/// The best measure that works for the task by what two readings show, within the user's wish.
/// A task that spins gets progress, calls or none. Pure.
Source best_source(const Reading& before, const Reading& after, SpeedWish wish, bool spins);

/// mixes.md: two or more busy threads and next to no voluntary context switches. Pure.
bool spins(const Reading& before, const Reading& after);

/// What the scheduler is told about the stretch between two readings. Pure.
Observation observation(TaskId task, const Reading& before, const Reading& after, Source source,
                        bool spins);

}  // namespace cosched_exec
