// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/ending.hpp"

#include <signal.h>

#include <algorithm>

namespace cosched_exec {

namespace {

/// Seconds: from SIGTERM to SIGKILL; between two SIGKILLs; from the first SIGKILL until we give up;
/// within which a second signal is a copy of the first (to a process group, and passed on).
constexpr double kGrace = 5, kAgain = 0.2, kGiveUp = 5, kSameSignal = 0.2;

}  // namespace

Ending::Ending(RunningTasks& running, ProcessTree& tree, Steering& steering,
               std::vector<Outcome>& outcomes)
    : running_(running), tree_(tree), steering_(steering), outcomes_(outcomes) {}

void Ending::asked(int signal, double now) {
  if (signal_ == 0) {
    signal_ = signal;
    asked_at_ = now;
    urgent_ = true;
    if (!begun_)
      end_all(now);
    else
      kill_at_ = std::min(kill_at_, now + kGrace);
  } else if (now - asked_at_ > kSameSignal) {
    kill_all(now);
  }
}

void Ending::break_off(double now) {
  urgent_ = true;
  end_all(now);
  kill_all(now);
}

double Ending::next() const { return std::min({kill_at_, give_up_at_, rest_at_}); }

void Ending::act(double now) {
  // Nothing is left to be killed.
  if (running_.empty() && !urgent_) kill_at_ = give_up_at_ = kNever;
  if (now >= kill_at_) kill_all(now);
  if (now >= rest_at_) end_rests(now);
}

bool Ending::has_given_up(double now) const {
  return now > give_up_at_ && (urgent_ || !running_.empty());
}

void Ending::end_all(double now) {
  begun_ = true;
  kill_at_ = now + kGrace;
  steering_.leave_alone();
  const ProcessTree::Members members = tree_.members();
  for (const auto& [id, task] : running_) {
    if (task->has_command_ended()) continue;
    outcomes_[id].ended_by_us = true;
    task->send(SIGTERM, members);
  }
  for (const auto& [id, task] : running_) {
    task->pauser().resume();
    task->send(SIGCONT, members);  // also for what had stopped itself
  }
}

void Ending::kill_all(double now) {
  const ProcessTree::Members members = tree_.members();
  for (const auto& [id, task] : running_)
    if (!task->gone()) task->send(SIGKILL, members);
  kill_at_ = now + kAgain;
  give_up_at_ = std::min(give_up_at_, now + kGiveUp);
}

void Ending::end_rests(double now) {
  rest_at_ = kNever;
  const ProcessTree::Members members = tree_.members();
  for (const auto& [id, task] : running_)
    if (task->has_command_ended() && !task->gone())
      rest_at_ = std::min(rest_at_, task->end_rest(now, members).value_or(kNever));
}

}  // namespace cosched_exec
