// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/pause/pauser.hpp"

#include <fmt/format.h>
#include <signal.h>

#include "cosched_exec/pause/freezer.hpp"
#include "cosched_exec/pause/process_state.hpp"
#include "cosched_exec/pause/signal_pause.hpp"

namespace cosched_exec {

namespace {

constexpr int kWatchMilliseconds = 20;

bool is_freezer(PauseMethod method) {
  return method == PauseMethod::freezer_v2 || method == PauseMethod::freezer_v1;
}

}  // namespace

std::string_view name(PauseMethod method) {
  switch (method) {
    case PauseMethod::freezer_v2:
      return "freezer (cgroup v2)";
    case PauseMethod::freezer_v1:
      return "freezer (cgroup v1)";
    case PauseMethod::signal:
      return "signals";
    case PauseMethod::none:
      break;
  }
  return "none";
}

struct Pauser::State {
  PauseMethod method;
  std::string group;
  Processes processes;
  SignalPause signals;
  bool paused = false;

  State(PauseMethod first_method, std::string folder, Processes get)
      : method(first_method), group(std::move(folder)), processes(get), signals(std::move(get)) {}

  /// In uninterruptible sleep a process is not frozen, but uses nothing either.
  bool freeze_all() const {
    return freeze(method, group, kFreezePatience) ||
           (freeze_was_asked(method, group) && !uses_cpu(processes(), kWatchMilliseconds));
  }
};

Pauser::Pauser(PauseMethod method, std::string group, Processes processes)
    : state_(std::make_unique<State>(
          is_freezer(method) && group.empty() ? PauseMethod::signal : method, std::move(group),
          std::move(processes))) {}
Pauser::Pauser(Pauser&&) noexcept = default;
Pauser::~Pauser() = default;

Pauser::Result Pauser::pause() {
  State& s = *state_;
  if (s.paused && stands()) return {true, {}};
  s.paused = false;
  s.signals.forget_continued();
  Result result;
  if (is_freezer(s.method)) {
    if (s.freeze_all()) {
      s.paused = true;
      return {true, {}};
    }
    thaw(s.method, s.group);
    result.trouble =
        fmt::format("the {} did not stop it within {} s", name(s.method), kFreezePatience);
    s.method = PauseMethod::signal;
  }
  if (s.method == PauseMethod::signal) {
    const std::string obstacle = s.signals.pause();
    s.paused = result.done = obstacle.empty();
    if (!result.done) {
      result.trouble += fmt::format("{}signals did not stop it: {}",
                                    result.trouble.empty() ? "" : ", ", obstacle);
      s.method = PauseMethod::none;
    }
  }
  return result;
}

Pauser::Result Pauser::resume() {
  State& s = *state_;
  if (!s.paused) return {true, {}};
  s.paused = false;
  if (is_freezer(s.method)) return {thaw(s.method, s.group), {}};
  s.signals.resume();
  return {true, {}};
}

bool Pauser::stands() const { return !state_->paused || state_->signals.stands(); }

void Pauser::send(int signal) { send(signal, state_->processes()); }

void Pauser::send(int signal, std::span<const pid_t> processes) {
  const State& s = *state_;
  if (signal == SIGKILL && is_freezer(s.method)) kill_group(s.method, s.group);
  for (const pid_t process : processes) ::kill(process, signal);
}

PauseMethod Pauser::method() const { return state_->method; }
bool Pauser::paused() const { return state_->paused; }

}  // namespace cosched_exec
