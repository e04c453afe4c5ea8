// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/running_task.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "core/process.hpp"
#include "cosched_exec/pause/freezer.hpp"
#include "cosched_exec/supervise/start.hpp"

namespace cosched_exec {

namespace {

/// Seconds that processes which a command has left behind get for their end, and those after which
/// they are left alone (in uninterruptible sleep); how often we look.
constexpr double kGrace = 0.5, kMost = 5, kLook = 0.01;

bool wants_counters(SpeedWish wish) {
  return wish == SpeedWish::automatic || wish == SpeedWish::ipc || wish == SpeedWish::ips;
}

/// Told by the task, else its lines where the user wants progress.
std::optional<ProgressSpec> progress_of(const Task& task, SpeedWish wish) {
  if (task.progress || wish != SpeedWish::progress) return task.progress;
  return ProgressSpec{};
}

}  // namespace

RunningTask::RunningTask(TaskId id, Surroundings& surroundings)
    : id_(id), surroundings_(surroundings), group_(surroundings.groups.make()) {}

// Made by the other constructor first, so that a start that throws runs the destructor.
RunningTask::RunningTask(TaskId id, const Task& task, Surroundings& surroundings)
    : RunningTask(id, surroundings) {
  start(task);
}

RunningTask::~RunningTask() {
  if (!group_.empty()) ::rmdir(group_.c_str());
}

void RunningTask::start(const Task& task) {
  const SpeedWish wish = surroundings_.options.speed;
  Meter::Parts parts;
  const std::optional<ProgressSpec> progress = progress_of(task, wish);
  if (progress) parts.progress.emplace(*progress, task.directory);
  StartOptions options;
  options.cores = surroundings_.options.cores;
  options.terminal = progress && progress->kind != ProgressSpec::Kind::file;
  parts.calls.emplace(core::CallProbe::Task::count);  // whatever the wish: nothing else sees the
                                                      // speed of a task that spins
  options.descriptors = surroundings_.descriptors;
  options.environment = parts.calls->environment();
  options.environment.push_back(ProcessTree::mark(id_));
  Prepared prepared = prepare(task, options);
  leader_ = prepared.pid;
  surroundings_.tree.add(id_, leader_, {prepared.out.get(), prepared.err.get()});
  if (!group_.empty() && !move_into(group_, leader_)) group_.clear();
  parts.group = group_;
  if (wants_counters(wish)) parts.counters.emplace(kernel_perf(), leader_);
  meter_.emplace(id_, wish, std::move(parts));
  const PauseMethod method = group_.empty() ? PauseMethod::signal : surroundings_.groups.method();
  pauser_.emplace(method, group_,
                  [this] { return with_group(surroundings_.tree.members_of(id_)); });
  output_.emplace(task, prepared, surroundings_.out, surroundings_.err,
                  [this](std::string_view bytes) { meter_->feed(bytes); });
  failed_ = let_go(prepared);
  failure_ = std::move(prepared.failure);
}

std::vector<pid_t> RunningTask::processes(const ProcessTree::Members& members) const {
  const auto below = members.find(id_);
  return with_group(below == members.end() ? std::vector<pid_t>() : below->second);
}

std::vector<pid_t> RunningTask::with_group(std::vector<pid_t> found) const {
  if (group_.empty()) return found;
  for (const pid_t process : processes_in(group_))
    if (std::find(found.begin(), found.end(), process) == found.end()) found.push_back(process);
  return found;
}

void RunningTask::command_ended(double now) {
  ended_at_ = now;
  if (failure_) failed_ = core::read_exec_failure(failure_.get());
  failure_.reset();
}

void RunningTask::send(int signal, const ProcessTree::Members& members) {
  pauser_->send(signal, processes(members));
}

std::optional<double> RunningTask::end_rest(double now, const ProcessTree::Members& members) {
  const double passed = now - ended_at_.value_or(now);
  if (processes(members).empty() || passed > kMost) {
    gone_ = true;
    surroundings_.tree.forget(id_);
    return std::nullopt;
  }
  if (passed > kGrace) {
    send(SIGKILL, members);
  } else if (!asked_) {
    send(SIGTERM, members);
    pauser_->resume();
    send(SIGCONT, members);  // also for what had stopped itself
    asked_ = true;
  }
  return now + kLook;
}

}  // namespace cosched_exec
