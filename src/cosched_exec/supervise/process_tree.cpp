// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/process_tree.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "core/error.hpp"
#include "core/fd.hpp"

namespace cosched_exec {

namespace {

constexpr std::string_view kMark = "LAUNCHWISE_TASK";

/// The newest process number of /proc/loadavg: as long as it stays, no process was made.
std::optional<std::string> newest_process() {
  try {
    const std::string text = core::read_file("/proc/loadavg");
    return text.substr(text.rfind(' ') + 1);
  } catch (const core::Error&) {
    return std::nullopt;
  }
}

std::optional<TaskId> marked_task(pid_t process) {
  std::string environment;
  try {
    environment = '\0' + core::read_file(fmt::format("/proc/{}/environ", process));
  } catch (const core::Error&) {
    return std::nullopt;  // gone, or another user's
  }
  const std::string ours = fmt::format("{}{}={}.", '\0', kMark, ::getpid());
  const std::size_t found = environment.find(ours);
  unsigned long task = 0;
  if (found == std::string::npos ||
      std::sscanf(environment.c_str() + found + ours.size(), "%lu", &task) != 1)
    return std::nullopt;
  return task;
}

}  // namespace

std::pair<std::string, std::string> ProcessTree::mark(TaskId task) {
  return {std::string(kMark), fmt::format("{}.{}", ::getpid(), task)};
}

void ProcessTree::add(TaskId task, pid_t leader, std::initializer_list<int> streams) {
  leaders_[leader] = task;
  for (const int stream : streams) {
    struct stat info {};
    if (::fstat(stream, &info) == 0 && S_ISFIFO(info.st_mode))
      streams_[{info.st_dev, info.st_ino}] = task;
  }
  newest_.reset();
}

void ProcessTree::forget(TaskId task) {
  std::erase_if(leaders_, [&](const auto& entry) { return entry.second == task; });
  std::erase_if(streams_, [&](const auto& entry) { return entry.second == task; });
}

std::optional<TaskId> ProcessTree::by_streams(pid_t process) const {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat info {};
    if (::stat(fmt::format("/proc/{}/fd/{}", process, stream).c_str(), &info) != 0) continue;
    const auto found = streams_.find({info.st_dev, info.st_ino});
    if (found != streams_.end()) return found->second;
  }
  return std::nullopt;
}

std::optional<TaskId> ProcessTree::by_ids(const core::LiveProcess& process) const {
  for (const pid_t id : {process.pid, process.session, process.group})
    if (const auto found = leaders_.find(id); found != leaders_.end()) return found->second;
  return std::nullopt;
}

std::optional<TaskId> ProcessTree::of_child(const core::LiveProcess& child) const {
  if (const auto task = by_ids(child)) return task;
  const auto before = std::find_if(seen_.begin(), seen_.end(), [&](const Seen& seen) {
    return seen.process.pid == child.pid && seen.process.start == child.start;
  });
  if (before != seen_.end()) return before->task;
  if (const auto task = marked_task(child.pid)) return task;
  return by_streams(child.pid);
}

void ProcessTree::scan() {
  constexpr int kMostLooks = 4;
  const auto same = [](const Seen& a, const Seen& b) {
    return a.process.pid == b.process.pid && a.process.start == b.process.start;
  };
  for (int i = 0; i < kMostLooks; ++i) {
    const std::vector<Seen> before = seen_;
    scan_once();
    if (i > 0 && std::equal(seen_.begin(), seen_.end(), before.begin(), before.end(), same)) return;
  }
}

void ProcessTree::scan_once() {
  std::vector<Seen> now;
  std::map<pid_t, TaskId> owners;
  for (const core::LiveProcess& process : core::living_below(::getpid())) {
    const auto parent = owners.find(process.parent);
    const std::optional<TaskId> task =
        parent != owners.end() ? std::optional(parent->second) : of_child(process);
    if (!task) continue;
    owners[process.pid] = *task;
    now.push_back({process, *task});
  }
  seen_ = std::move(now);
}

void ProcessTree::drop_ended(std::optional<TaskId> task) {
  std::erase_if(seen_, [&](const Seen& seen) {
    if (task && *task != seen.task) return false;
    const auto now = core::live_process(seen.process.pid);
    return !now || now->start != seen.process.start;
  });
}

void ProcessTree::refresh(std::optional<TaskId> task) {
  auto newest = newest_process();
  if (newest && newest == newest_)
    drop_ended(task);
  else
    scan();
  newest_ = std::move(newest);
}

ProcessTree::Members ProcessTree::members() {
  refresh(std::nullopt);
  Members members;
  for (const Seen& seen : seen_) members[seen.task].push_back(seen.process.pid);
  return members;
}

std::vector<pid_t> ProcessTree::members_of(TaskId task) {
  refresh(task);
  std::vector<pid_t> members;
  for (const Seen& seen : seen_)
    if (seen.task == task) members.push_back(seen.process.pid);
  return members;
}

std::optional<TaskId> ProcessTree::task_of_ended(pid_t child) const {
  if (const auto leader = leaders_.find(child); leader != leaders_.end()) return leader->second;
  const auto before = std::find_if(seen_.begin(), seen_.end(),
                                   [&](const Seen& seen) { return seen.process.pid == child; });
  if (before != seen_.end()) return before->task;
  return std::nullopt;
}

}  // namespace cosched_exec
