// SPDX-License-Identifier: BSD-3-Clause
#include "core/descendants.hpp"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

namespace core {

namespace {

/// The parent in /proc/PID/stat: the second field after the name, which may hold anything, also
/// parentheses and blanks. 0 when the process is gone or a zombie.
pid_t living_parent(const std::string& pid) {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(
      std::fopen(("/proc/" + pid + "/stat").c_str(), "re"), std::fclose);
  if (!file) return 0;
  char text[512] = {};
  const std::size_t length = std::fread(text, 1, sizeof text - 1, file.get());
  const std::string stat(text, length);
  const std::size_t name_end = stat.rfind(')');
  char state = 'Z';
  int parent = 0;
  if (name_end == std::string::npos ||
      std::sscanf(stat.c_str() + name_end + 1, " %c %d", &state, &parent) != 2)
    return 0;
  return state == 'Z' || state == 'X' ? 0 : parent;
}

std::multimap<pid_t, pid_t> living_children() {
  std::multimap<pid_t, pid_t> children;
  const std::unique_ptr<DIR, int (*)(DIR*)> proc(::opendir("/proc"), ::closedir);
  if (!proc) return children;
  while (const dirent* entry = ::readdir(proc.get())) {
    char* end = nullptr;
    const long pid = std::strtol(entry->d_name, &end, 10);
    if (pid <= 0 || *end != '\0') continue;
    if (const pid_t parent = living_parent(entry->d_name); parent > 0)
      children.emplace(parent, static_cast<pid_t>(pid));
  }
  return children;
}

bool reap_ended() {
  pid_t ended = 0;
  do ended = ::waitpid(-1, nullptr, WNOHANG);
  while (ended > 0);
  return ended < 0;  // no children at all
}

}  // namespace

void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

std::vector<pid_t> descendants() {
  const auto children = living_children();
  std::vector<pid_t> found{::getpid()};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [first, last] = children.equal_range(found[i]);
    std::for_each(first, last, [&](const auto& entry) { found.push_back(entry.second); });
  }
  found.erase(found.begin());
  return found;
}

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
