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
  ips,       ///< instructions: sees a lower frequency, which instructions per cycle cannot
  ipc,       ///< instructions / cycles x CPU seconds (the source's measure)
  cputime,   ///< CPU seconds
  share      ///< run / (run + wait) of schedstat: for what hardly uses a processor
};
std::string_view name(Source source);

/// What the user asked for with --speed.
enum class SpeedWish { automatic, ipc, ips, progress, calls, cputime };
/// The measure that is asked for; none: automatic.
Source wished(SpeedWish wish);
/// Progress and calls come in countable steps, the others flow.
bool is_counted(Source source);

/// Running totals of one task, all of its processes together, at one moment. None of them falls.
struct Reading {
  double time = 0;  ///< s, monotonic
  double cpu = 0;   ///< CPU seconds, ended processes included
  double run = 0,
         wait = 0;  ///< s, of its threads: on a processor, ready without one (schedstat)
  /// Voluntary context switches of its threads, and how many threads there are. Read only in
  /// detail (see Meter), else none.
  std::optional<std::uint64_t> voluntary;
  std::optional<unsigned> threads;
  std::optional<double> instructions, cycles;  ///< scaled for multiplexing
  std::optional<double> calls;
  std::optional<double> progress;
  std::optional<double> progress_events;  ///< times that progress was shown; none: cannot be told
};

/// Events in a stretch below which a counted measure is too coarse to be preferred (mixes.md: 20
/// and more for R^2 = 0.97; one more or less is then 10 % here).
constexpr double kEnoughEvents = 10;

/// Whether the source gives an amount > 0 (share: >= 0) for the stretch, of any number of events.
/// Pure.
bool works(Source source, const Reading& before, const Reading& after);

/// Countable steps of a stretch by the source; infinite for a continuous measure. Pure.
double events(Source source, const Reading& before, const Reading& after);

/// The best measure that works for the task by what two readings show, within the user's wish.
/// A task that spins gets progress, calls or none. Unless it was wished for, one that does not spin
/// gets a counted measure only with kEnoughEvents, and one that hardly asks for a processor its
/// share. Pure.
Source best_source(const Reading& before, const Reading& after, SpeedWish wish, bool spins);

/// Threads that ran or waited for a processor, on average over the stretch. Pure.
double busy_threads(const Reading& before, const Reading& after);

/// mixes.md: two or more busy threads and next to no voluntary context switches, here per CPU
/// second, so that it holds in any company too. False where detail is missing. Pure.
bool spins(const Reading& before, const Reading& after);

/// Whether the task mostly ran, with a processor there nearly always when it was ready for one.
/// Pure.
bool runs_freely(const Reading& before, const Reading& after);

/// What the scheduler is told about the stretch between two readings. The amount is never negative;
/// no events are an amount of 0 for a counted measure, but no amount for a continuous one. Pure.
Observation observation(TaskId task, const Reading& before, const Reading& after, Source source,
                        bool spins);

/// Makes a sum over living processes into a total that never falls. What a process used is missing
/// from the sum between its end and the moment that its parent has waited for it, or for good when
/// nobody waits: a fall that the next sum makes up for is forgotten, else the sum goes on from the
/// lower value. Pure.
class GrowingTotal {
 public:
  /// Takes the sum as seen now and returns the total.
  double take(double sum);

 private:
  double total_ = 0, last_ = 0;
  std::optional<double> before_fall_;
};

}  // namespace cosched_exec
