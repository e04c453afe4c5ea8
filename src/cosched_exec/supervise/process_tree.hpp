// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/descendants.hpp"
#include "cosched_exec/strategy/scheduler.hpp"

namespace cosched_exec {

/// Tells which processes below us belong to which task: those below its command, and orphans that
/// we have adopted by their session or process group, by what they were seen as before, by the mark
/// in their environment, or by the pipes that they write to. One that has left all of this behind
/// before we saw it belongs to none.
class ProcessTree {
 public:
  /// The environment variable that marks a task's processes, and its value.
  static std::pair<std::string, std::string> mark(TaskId task);

  /// `leader`: the task's command, whose pid is also its session and first process group.
  /// `streams`: our ends of its pipes.
  void add(TaskId task, pid_t leader, std::initializer_list<int> streams = {});
  void forget(TaskId task);

  using Members = std::map<TaskId, std::vector<pid_t>>;
  /// The living processes of each task, now; parents come first. A full look at the machine's
  /// processes only when there may be new ones.
  Members members();
  std::vector<pid_t> members_of(TaskId task);
  /// The task of a child of ours that has ended and is not reaped yet.
  std::optional<TaskId> task_of_ended(pid_t child) const;
  /// A child was reaped: its children may have become ours.
  void child_reaped() { newest_.reset(); }

 private:
  struct Seen {
    core::LiveProcess process;
    TaskId task = 0;
  };
  /// Looks until two looks agree: one that gets a new parent meanwhile can be missed.
  void scan();
  void scan_once();
  void refresh(std::optional<TaskId> task);
  void drop_ended(std::optional<TaskId> task);
  std::optional<TaskId> by_ids(const core::LiveProcess& process) const;
  std::optional<TaskId> by_streams(pid_t process) const;
  std::optional<TaskId> of_child(const core::LiveProcess& child) const;

  using FileId = std::pair<dev_t, ino_t>;

  std::map<pid_t, TaskId> leaders_;
  std::map<FileId, TaskId> streams_;
  std::vector<Seen> seen_;  ///< parents first
  std::optional<std::string> newest_;
};

}  // namespace cosched_exec
