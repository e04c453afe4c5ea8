// SPDX-License-Identifier: BSD-3-Clause
#include "core/descendants.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/fd.hpp"

namespace core {

namespace {

/// The second field after the name, which may hold anything, also parentheses and blanks.
std::optional<LiveProcess> parse_stat(const char* text, std::string_view all) {
  const std::size_t name_end = all.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  LiveProcess process;
  long threads = 0;
  unsigned long long start = 0;
  const int fields = std::sscanf(
      text + name_end + 1,
      " %c %d %d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld %*d %llu",
      &process.state, &process.parent, &process.group, &process.session, &threads, &start);
  if (fields != 6) return std::nullopt;
  if ((process.state == 'Z' && threads <= 1) || process.state == 'X') return std::nullopt;
  process.start = start;
  return process;
}

template <class Use>
void for_each_number(const std::string& folder, const Use& use) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), ::closedir);
  if (!entries) return;
  while (const dirent* entry = ::readdir(entries.get())) {
    char* end = nullptr;
    const long number = std::strtol(entry->d_name, &end, 10);
    if (number > 0 && *end == '\0') use(static_cast<pid_t>(number));
  }
}

using Children = std::multimap<pid_t, LiveProcess>;

Children all_by_parent() {
  Children children;
  for_each_number("/proc", [&](pid_t pid) {
    if (const auto process = live_process(pid); process && process->parent > 0)
      children.emplace(process->parent, *process);
  });
  return children;
}

std::vector<LiveProcess> below_by_scan(pid_t root) {
  const Children children = all_by_parent();
  std::vector<LiveProcess> found;
  const auto add_children = [&](pid_t parent) {
    const auto [first, last] = children.equal_range(parent);
    std::for_each(first, last, [&](const auto& entry) { found.push_back(entry.second); });
  };
  add_children(root);
  for (std::size_t i = 0; i < found.size(); ++i) add_children(found[i].pid);
  return found;
}

/// Appends what /proc/PID/task/TID/children lists.
void add_listed_children(pid_t parent, std::vector<LiveProcess>& found) {
  for_each_number(fmt::format("/proc/{}/task", parent), [&](pid_t thread) {
    const std::string path = fmt::format("/proc/{}/task/{}/children", parent, thread);
    const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "re"), std::fclose);
    if (!file) return;
    for (int child = 0; std::fscanf(file.get(), "%d", &child) == 1;)
      if (const auto process = live_process(child)) found.push_back(*process);
  });
}

bool kernel_lists_children() {
  static const bool lists =
      ::access(fmt::format("/proc/self/task/{}/children", ::getpid()).c_str(), R_OK) == 0;
  return lists;
}

bool reap_ended() {
  pid_t ended = 0;
  do ended = ::waitpid(-1, nullptr, WNOHANG);
  while (ended > 0);
  return ended < 0;  // no children at all
}

}  // namespace

std::optional<LiveProcess> live_process(pid_t pid) {
  const Fd file(::open(fmt::format("/proc/{}/stat", pid).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return std::nullopt;
  std::array<char, 512> text{};
  const ssize_t length = ::read(file.get(), text.data(), text.size() - 1);
  if (length <= 0) return std::nullopt;
  auto process = parse_stat(text.data(), {text.data(), static_cast<std::size_t>(length)});
  if (process) process->pid = pid;
  return process;
}

void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

std::vector<LiveProcess> living_below(pid_t root) {
  if (!kernel_lists_children()) return below_by_scan(root);
  std::vector<LiveProcess> found;
  add_listed_children(root, found);
  for (std::size_t i = 0; i < found.size(); ++i) add_listed_children(found[i].pid, found);
  return found;
}

std::vector<pid_t> descendants_of(pid_t root) {
  std::vector<pid_t> pids;
  for (const LiveProcess& process : living_below(root)) pids.push_back(process.pid);
  return pids;
}

std::vector<pid_t> descendants() { return descendants_of(::getpid()); }

void end_descendants(double grace_seconds) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  for (bool asked = false; !reap_ended();) {
    const std::chrono::duration<double> passed = Clock::now() - start;
    const bool gently = passed.count() < grace_seconds;
    if (passed.count() > grace_seconds + 5) return;
    if (!gently || !asked)
      for (const pid_t pid : descendants()) ::kill(pid, gently ? SIGTERM : SIGKILL);
    asked = true;
    ::poll(nullptr, 0, 5);
  }
}

}  // namespace core
