// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <vector>

#include "cosched_exec/supervise/process_tree.hpp"
#include "cosched_exec/supervise/steering.hpp"
#include "cosched_exec/supervise/supervisor.hpp"

namespace cosched_exec {

/// How a run is brought to its end before its tasks have ended, and what commands that have ended
/// leave behind to theirs. All tasks get SIGTERM while they are still paused, then they go on, and
/// after 5 s SIGKILL, until nothing is left or 5 s more have passed. All times are seconds since
/// the start, by the clock of the run.
class Ending {
 public:
  Ending(RunningTasks& running, ProcessTree& tree, Steering& steering,
         std::vector<Outcome>& outcomes);

  /// A task has failed, and that is to end all.
  void halt(double now) { end_all(now); }
  /// A signal asks for it. A second one, 0.2 s later or more: SIGKILL at once.
  void asked(int signal, double now);
  /// A failure of our own: SIGKILL at once.
  void break_off(double now);
  /// The command of a task has ended: what it left behind is ended at the next act().
  void command_ended(double now) { rest_at_ = now; }

  /// When act() is to be called next.
  double next() const;
  void act(double now);

  bool begun() const { return begun_; }
  /// The first that asked; 0: none.
  int signal() const { return signal_; }
  /// Whether the rest is left alone: tasks that cannot be ended and, unless it was a failed task
  /// that ended all, output that nobody reads.
  bool has_given_up(double now) const;

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  void end_all(double now);
  void kill_all(double now);
  void end_rests(double now);

  RunningTasks& running_;
  ProcessTree& tree_;
  Steering& steering_;
  std::vector<Outcome>& outcomes_;
  bool begun_ = false;
  bool urgent_ = false;  ///< who reads our output is not waited for
  int signal_ = 0;
  double asked_at_ = 0;
  double kill_at_ = kNever, give_up_at_ = kNever, rest_at_ = kNever;
};

}  // namespace cosched_exec
