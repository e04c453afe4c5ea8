// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cosched_exec/options.hpp"

namespace cosched_exec {

enum class PauseMethod { none, freezer_v2, freezer_v1, signal };
std::string_view name(PauseMethod method);

/// Where the tasks' cgroups are made: one folder of ours below our own cgroup, removed at the end.
/// Without a group that can be made, tasks are sessions only.
class Groups {
 public:
  /// Tries for real; never throws for what the machine does not offer.
  explicit Groups(PauseWish wish);
  Groups(Groups&&) noexcept;
  ~Groups();  ///< removes the folder (empty ones only)

  /// freezer_v2 or freezer_v1; none: no groups here.
  PauseMethod method() const;
  /// Whether tasks in groups get equal shares of the processors (a cpu controller is there).
  bool equal_shares() const;
  /// Why there are no groups, a phrase; empty when there are.
  const std::string& obstacle() const;
  /// Our folder; empty when there are no groups. For the keeper.
  const std::string& folder() const;
  /// Makes the group of a task and returns its folder; empty when it cannot be made (any more).
  std::string make();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether tasks that are sessions get equal shares of the processors: the kernel's autogroups are
/// on, and work here (not in a control group of the cpu controller).
bool sessions_share_equally();

/// Thaws and kills all that is in the folder and removes it. Bounded in time.
void end_groups(const std::string& folder);

/// Pauses and resumes one task, by its group or by signals to all of its processes; each pause is
/// verified, and a method that fails is given up for this task for the next one.
class Pauser {
 public:
  using Processes = std::function<std::vector<pid_t>()>;  ///< the task's living processes, now
  /// `group`: the task's folder, empty for none.
  Pauser(PauseMethod method, std::string group, Processes processes);
  Pauser(Pauser&&) noexcept;
  ~Pauser();

  struct Result {
    bool done = false;
    std::string trouble;  ///< a method that was given up, and why; empty: none
  };
  Result pause();  ///< returns when no CPU time passes any more; not done: the task runs on
  Result resume();
  /// False: others have let a paused task go on (SIGCONT to all of a job, say). pause() then pauses
  /// it again.
  bool stands() const;
  /// Sends the signal to all processes, paused or not.
  void send(int signal);
  /// To these, which the caller knows to be all.
  void send(int signal, std::span<const pid_t> processes);
  PauseMethod method() const;
  bool paused() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cosched_exec
