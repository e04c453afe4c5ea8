// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cosched_exec/strategy/change_watch.hpp"
#include "cosched_exec/strategy/estimates.hpp"
#include "cosched_exec/strategy/processor_share.hpp"
#include "cosched_exec/strategy/scheduler.hpp"

namespace cosched_exec {

struct TaskRecord {
  ClassId kind = 0;
  bool pausable = true, active = true;
  std::optional<double> started;  ///< time
  double last_ran = 0;            ///< time; of admission before it is started
  double head_start = 0;          ///< s: least work of the active tasks when it came
  double settled = 0;             ///< s of work done in earlier stages
  double amount = 0;              ///< progress in this stage, unmeasured stretches filled in
  double blind = 0;               ///< s of this stage in which nothing was measured
  double seconds = 0;             ///< s of this stage behind `amount`
  int disagreed = 0;              ///< looks in a row in which it differed from its class
};

/// A class of like tasks: one program, one measure, and speeds within 10 %.
struct ClassRecord {
  std::string program;
  std::optional<int> unit = {};  ///< of its amounts; none: not seen yet
  bool blind = false;            ///< nothing tells its progress
  Demand demand = {};            ///< as seen where it had to wait least
  double least_waiting = 2;      ///< share of time that it waited there
  /// Rate over the share of the processors that it had, in company: the last look's, and the
  /// least that two looks in a row agreed on.
  std::optional<double> fair_now = {}, fair = {};
  std::optional<double> screened = {};  ///< rate seen where it had all the processors that it wants
};

/// What is known of the tasks and their classes. Pure.
class TaskRecords {
 public:
  TaskRecords(double theta, double processors) : estimates_(theta), processors_(processors) {}

  void admit(const Candidate& candidate, double now);
  void end(TaskId task);
  void cannot_pause(TaskId task) { tasks_.at(task).pausable = false; }
  /// As Scheduler::observe.
  void observe(const Combination& ran, double seconds, double measured_seconds,
               std::span<const Observation> measured, double now);

  const std::map<TaskId, TaskRecord>& tasks() const { return tasks_; }
  const TaskRecord& task(TaskId id) const { return tasks_.at(id); }
  const ClassRecord& kind(ClassId id) const { return classes_[id]; }
  const Combination& active() const { return active_; }
  ClassSet set_of(const Combination& tasks) const;
  Estimates& estimates() { return estimates_; }
  const Estimates& estimates() const { return estimates_; }
  double processors() const { return processors_; }

  /// All classes in it that can be measured have been, in just this set.
  bool measured(const Combination& tasks) const;
  double work(TaskId id) const;
  /// Work for weighing tasks against each other: with the head start of one released late.
  double standing(TaskId id) const { return work(id) + tasks_.at(id).head_start; }
  /// f of the task in the set, as measured or estimated; none while nothing is known of its class.
  std::optional<double> speed(TaskId id, const ClassSet& set) const;
  /// Sum of f over the set; 1 for each task of which nothing is known.
  double speed(const ClassSet& set) const;
  void never_pause(TaskId id) { tasks_.at(id).pausable = false; }
  void note_screened(ClassId id, double rate) { classes_[id].screened = rate; }
  /// Sharing the processors does not explain how slow the class is in company.
  bool unexplained(ClassId id) const;
  /// Speeds changed in place, or a class was split, since this was last asked.
  bool take_change();

 private:
  /// What one look saw of the members of a class.
  struct Seen {
    Sample sample;
    double waiting = 0;  ///< share of the time in which its threads waited for a processor
    std::vector<std::pair<TaskId, Sample>> members;
  };
  using Looks = std::map<ClassId, Seen>;

  Looks looks_of(std::span<const Observation> measured, double seconds) const;
  ClassId add_class(const ClassRecord& record);
  /// These, of one class, become one of their own.
  void split(const Combination& tasks);
  std::optional<double> class_speed(ClassId id, const ClassSet& set) const;
  /// `changed`: the rate alone now over that of the stage.
  void end_stage(TaskRecord& task, double changed = 1);
  void note_unit(const Observation& seen);
  void note_demand(const Observation& seen);
  void compare_members(ClassId id, Seen& seen);
  void note_fair(ClassId id, const Seen& seen);
  void note_speed(const Combination& ran, const ClassSet& set, ClassId id, const Seen& seen);
  void note_jump(const ClassSet& set, ClassId id, double ratio);

  std::map<TaskId, TaskRecord> tasks_;
  std::vector<ClassRecord> classes_;
  Combination active_;
  Estimates estimates_;
  double processors_;
  bool changed_ = false;
  ChangeWatch watch_;
  std::vector<std::pair<ClassId, double>> jumps_;  ///< in the last look: rate now over before
};

}  // namespace cosched_exec
