// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cosched_exec/strategy/choose.hpp"
#include "cosched_exec/strategy/speed_table.hpp"

namespace cosched_exec {

using TaskId = std::size_t;               ///< place in the task list
using Combination = std::vector<TaskId>;  ///< ascending

struct SchedulerOptions {
  Strategy strategy = Strategy::automatic;
  std::size_t window = 12;     ///< classes among which a combination is searched
  double interval = 3;         ///< s between two decisions when nothing happens, > 0
  double theta = 0.1;          ///< weight of the optimistic end of an estimate, in [0, 1]
  std::size_t processors = 1;  ///< cores that the tasks share
  double first_moments = 0.5;  ///< s from a task's start in which it is not paused
  double longest_pause = 60;   ///< s after which a paused task runs again for an interval
};

/// What is known about a task before it runs.
struct Candidate {
  TaskId id = 0;
  std::string program;  ///< tasks of one program may form a class, while their speeds agree
  bool pausable = true;
};

/// What was seen of a running task during one stretch of time in one combination. The units of
/// `amount` are the task's own; a change of `unit` begins a new stage.
struct Observation {
  TaskId task = 0;
  std::optional<double> amount;  ///< progress made in the stretch; none: cannot be told
  int unit = 0;                  ///< which measure `amount` is of (speed/reading.hpp's Source)
  /// Countable steps behind `amount`; infinite for a continuous measure. Few steps of a task that
  /// makes many alone mean a slow task; few steps everywhere mean a poor measure.
  double events = std::numeric_limits<double>::infinity();
  bool spins = false;       ///< busy-waits: CPU time says nothing about its speed
  double cpu = 0;           ///< CPU seconds a second
  double waiting = 0;       ///< seconds a second that its threads were ready and had no processor
  double busy_threads = 0;  ///< threads that ran or waited for a processor nearly all the time
};

struct Decision {
  Combination run;     ///< these run (are started when they are not yet); all others are paused
  double seconds = 3;  ///< look again after this time at the latest
  bool probe = false;  ///< a combination tried for what it tells
  std::string reason;  ///< for people: "all in parallel", "alone, to know its speed", ...
  double speed = 0;    ///< expected F(S); 0: unknown
};

/// The scheduler of one node. Pure: time comes in, decisions go out. The caller admits tasks, and
/// then repeats: decide; let the decision's tasks run; observe what ran (leaving out the first
/// 100 ms after a switch); end what ended.
class Scheduler {
 public:
  explicit Scheduler(const SchedulerOptions& options);
  Scheduler(Scheduler&&) noexcept;
  ~Scheduler();

  /// The task may be chosen from now on.
  void admit(const Candidate& candidate, double now);
  void end(TaskId task, double now);
  /// It turned out that the task cannot be paused: from now on it is in every combination.
  void cannot_pause(TaskId task);
  /// `ran` was running, and nothing else, for the `seconds` that end now. `measured` holds those
  /// of `ran` that were measured over the last `measured_seconds` of them (0: none was).
  void observe(const Combination& ran, double seconds, double measured_seconds,
               std::span<const Observation> measured, double now);
  /// Not to be called while no task is admitted.
  Decision decide(double now);

  /// Work done by a task, in seconds of running alone (W_i = integral of f_i): by the measured
  /// speeds, and by time where none was measured.
  double work(TaskId task) const;
  /// f_i in the combination, as measured or estimated; none before anything is known of i.
  std::optional<double> speed(TaskId task, const Combination& combination) const;
  /// Seconds of the makespan that probing cost, by the speeds known now.
  double probing_cost() const;
  /// Speeds of all combinations of these (ended ones too), p their work done: as measured, and for
  /// what was not measured the least that monotony promises (nothing is promised: the estimate).
  /// None for more than 12 tasks or when one was never measured.
  std::optional<SpeedTable> table(std::span<const TaskId> tasks) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cosched_exec
