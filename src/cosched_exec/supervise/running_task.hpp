// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/resource.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fd.hpp"
#include "cosched_exec/options.hpp"
#include "cosched_exec/pause/pauser.hpp"
#include "cosched_exec/speed/meter.hpp"
#include "cosched_exec/supervise/process_tree.hpp"
#include "cosched_exec/supervise/task_output.hpp"
#include "cosched_exec/task.hpp"

namespace cosched_exec {

/// What tasks share.
struct Surroundings {
  const Options& options;
  Groups& groups;
  ProcessTree tree;
  OutputQueue& out;
  OutputQueue& err;
  std::optional<rlimit> descriptors;  ///< the limit that tasks get
};

/// A task that was started, until nothing of it is left.
class RunningTask {
 public:
  /// Starts it. An exec that fails: failed() is its errno, and the task has ended; of one that
  /// takes long this is known when its command has ended. Throws CannotOpen for a file of the task,
  /// NoRoom, core::Error for a failure of our own.
  RunningTask(TaskId id, const Task& task, Surroundings& surroundings);
  RunningTask(RunningTask&&) = delete;
  ~RunningTask();  ///< removes its group

  TaskId id() const { return id_; }
  int failed() const { return failed_; }
  pid_t leader() const { return leader_; }
  Pauser& pauser() { return *pauser_; }
  Meter& meter() { return *meter_; }
  TaskOutput& output() { return *output_; }
  /// Sends the signal to all of its processes, paused or not.
  void send(int signal, const ProcessTree::Members& members);
  /// Its processes, by its group or by `members`.
  std::vector<pid_t> processes(const ProcessTree::Members& members) const;

  /// One of its processes was reaped by us.
  void add_ended(double cpu_seconds) { ended_cpu_ += cpu_seconds; }
  double ended_cpu() const { return ended_cpu_; }

  /// Its command has ended: what it left behind is ended too. `end_rest` is to be called again at
  /// the time it returns, s, until that is none: nothing of the task is left (or it cannot be
  /// ended).
  void command_ended(double now);
  bool has_command_ended() const { return ended_at_.has_value(); }
  std::optional<double> end_rest(double now, const ProcessTree::Members& members);
  bool gone() const { return gone_; }

 private:
  RunningTask(TaskId id, Surroundings& surroundings);
  void start(const Task& task);
  std::vector<pid_t> with_group(std::vector<pid_t> found) const;
  Meter::Parts measures(const Task& task) const;

  TaskId id_;
  Surroundings& surroundings_;
  std::string group_;
  pid_t leader_ = -1;
  int failed_ = 0;
  core::Fd failure_;  ///< of an exec that takes long
  std::optional<Meter> meter_;
  std::optional<Pauser> pauser_;
  std::optional<TaskOutput> output_;
  double ended_cpu_ = 0;
  std::optional<double> ended_at_;
  bool asked_ = false, gone_ = false;
};

}  // namespace cosched_exec
