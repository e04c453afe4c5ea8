// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cosched_exec/strategy/scheduler.hpp"
#include "cosched_exec/supervise/running_task.hpp"
#include "cosched_exec/supervise/supervisor.hpp"
#include "cosched_exec/task.hpp"
#include "cosched_exec/views/journal.hpp"

namespace cosched_exec {

/// The tasks that were started, by their place in the list.
using RunningTasks = std::map<TaskId, std::unique_ptr<RunningTask>>;

/// Follows the scheduler: admits tasks, measures what runs, lets the tasks of its decisions run and
/// pauses the others. All times are seconds since the
/// start, by a clock that stands still between pause_all() and resume_all().
class Steering {
 public:
  enum class Start { runs, ended, later };  ///< ended: at once; later: there is no room now
  struct Actions {
    std::function<double()> now;
    std::function<Start(TaskId)> start;
  };
  Steering(const std::vector<Task>& tasks, std::size_t jobs, Surroundings& surroundings,
           Scheduler& scheduler, Journal& journal, RunningTasks& running,
           std::vector<Outcome>& outcomes, Actions actions);

  /// When act() is to be called next.
  double next() const;
  /// What is due: a measurement begins, or a new decision is made and followed.
  void act();
  /// The command of the task has ended, now.
  void ended(TaskId task);
  /// Starts no more tasks; or leaves all of them alone from now on.
  void start_no_more();
  void leave_alone();
  /// Pauses all that run until resume_all().
  void pause_all();
  void resume_all();
  /// Whether all tasks have ended, or will not be started.
  bool finished() const { return admitted_.empty() && (no_more_ || !more()); }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  bool more() const { return !postponed_.empty() || next_task_ < tasks_.size(); }
  void admit(double now);
  void postpone(TaskId task);
  void look(double now);
  void begin_measuring(double now);
  void observe(double now);
  std::vector<Observation> measure(double now);
  void report(double now, double measured, const std::vector<Observation>& seen);
  void follow(const Decision& decision, double now);
  /// Pauses again what others have let go on; what was measured meanwhile is worth nothing.
  void pause_escaped(double now);
  bool pause(TaskId task);
  bool run(TaskId task);
  void note(TaskId task, double now, const std::string& sentence);
  void note_measure(TaskId task, double now);

  const std::vector<Task>& tasks_;
  std::size_t jobs_;
  Surroundings& surroundings_;
  Scheduler& scheduler_;
  Journal& journal_;
  RunningTasks& started_;
  std::vector<Outcome>& outcomes_;
  Actions actions_;

  std::size_t next_task_ = 0;
  bool no_more_ = false, left_alone_ = false;
  bool decide_again_ = false;   ///< a task could not be paused
  std::set<TaskId> postponed_;  ///< there was no room for them
  bool try_again_ = false;      ///< to start one of these, soon
  std::set<TaskId> admitted_;   ///< and not ended
  std::vector<TaskId> ended_;   ///< and not told to the scheduler yet
  Combination runs_;            ///< since stretch_start_, those that ended then included
  double stretch_start_ = 0;
  std::optional<double> measured_since_;
  double measure_at_ = kNever, look_at_ = 0;
  struct Told {
    Source source = Source::none;
    std::string missing;
  };
  std::map<TaskId, Told> told_;  ///< what was noted of the task's measure
};

}  // namespace cosched_exec
