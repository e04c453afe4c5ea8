// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/pause/signal_pause.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <span>
#include <string_view>

#include "core/descendants.hpp"
#include "cosched_exec/pause/process_state.hpp"

namespace cosched_exec {

namespace {

using Clock = std::chrono::steady_clock;

/// Seconds for stopping all; and after which one in uninterruptible sleep is looked at closely.
constexpr double kStopPatience = 1, kSleepPatience = 0.02;
/// Seconds in which we do not sleep: threads that run stop within it, and on a busy machine we
/// might be woken late.
constexpr double kWatch = 0.0003;
constexpr int kWatchMilliseconds = 20;

bool contains(const std::vector<pid_t>& processes, pid_t process) {
  return std::find(processes.begin(), processes.end(), process) != processes.end();
}

/// For a child of ours the kernel tells at once when all of its threads have stopped.
bool child_has_stopped(pid_t process) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(process), &info, WSTOPPED | WNOHANG) == 0 &&
         info.si_pid == process;
}

/// Waits for it; active when it does not stop in time.
Activity wait_until_stopped(pid_t process, Clock::time_point start) {
  for (;;) {
    if (child_has_stopped(process)) return Activity::stopped;
    const Activity now = activity(process);
    const double waited = seconds_since(start);
    if (now == Activity::stopped || now == Activity::gone || waited > kStopPatience ||
        (now == Activity::waiting && waited > kSleepPatience))
      return now;
    if (waited > kWatch) nap(50);
  }
}

}  // namespace

bool SignalPause::knows(pid_t process) const {
  return std::any_of(stopped_.begin(), stopped_.end(),
                     [&](const Stopped& stopped) { return stopped.pid == process; }) ||
         contains(stopped_before_, process) || contains(refused_, process);
}

bool SignalPause::stop_new(const std::vector<pid_t>& processes) {
  bool any = false;
  for (const pid_t process : processes) {
    if (knows(process)) continue;
    const auto living = core::live_process(process);
    if (!living) continue;
    if (activity(process) == Activity::stopped)
      stopped_before_.push_back(process);
    else if (::kill(process, SIGSTOP) == 0)
      stopped_.push_back({process, living->start});
    else if (errno == EPERM)
      refused_.push_back(process);
    else
      continue;  // it has ended
    any = true;
  }
  return any;
}

std::string SignalPause::pause() {
  const auto start = Clock::now();
  std::vector<pid_t> doubtful;
  bool late = false;
  for (std::size_t known = 0; !late && stop_new(processes_()); known = stopped_.size()) {
    for (Stopped& stopped : std::span(stopped_).subspan(known)) {
      const Activity now = wait_until_stopped(stopped.pid, start);
      stopped.seen = now == Activity::stopped;
      if (now == Activity::active || now == Activity::waiting) doubtful.push_back(stopped.pid);
    }
    late = seconds_since(start) > kStopPatience;
  }
  doubtful.insert(doubtful.end(), refused_.begin(), refused_.end());
  if (!late && (doubtful.empty() || !uses_cpu(doubtful, kWatchMilliseconds))) return {};
  const bool refused = !refused_.empty();
  resume();
  return refused ? "a process belongs to another user" : "its processes do not stop";
}

void SignalPause::resume() {
  // Children first: no parent runs while its child is stopped.
  std::for_each(stopped_.rbegin(), stopped_.rend(), [](const Stopped& stopped) {
    const auto now = core::live_process(stopped.pid);
    if (now && now->start == stopped.start) ::kill(stopped.pid, SIGCONT);
  });
  stopped_.clear();
  stopped_before_.clear();
  refused_.clear();
}

bool SignalPause::continued(const Stopped& stopped) {
  if (!stopped.seen) return false;
  const auto now = core::live_process(stopped.pid);
  return now && now->start == stopped.start &&
         std::string_view("TtZ").find(now->state) == std::string_view::npos;
}

bool SignalPause::stands() const {
  return std::none_of(stopped_.begin(), stopped_.end(), continued);
}

void SignalPause::forget_continued() { std::erase_if(stopped_, continued); }

}  // namespace cosched_exec
