// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/pause/freezer.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "core/fd.hpp"
#include "cosched_exec/pause/process_state.hpp"

namespace cosched_exec {

namespace {

using Clock = std::chrono::steady_clock;

bool holds(const core::Fd& file, const char* text) {
  std::array<char, 256> content{};
  const ssize_t length = ::pread(file.get(), content.data(), content.size() - 1, 0);
  return length > 0 && std::string(content.data()).find(text) != std::string::npos;
}

core::Fd open_control(const std::string& group, const char* file) {
  return core::Fd(::open((group + "/" + file).c_str(), O_RDONLY | O_CLOEXEC));
}

/// The kernel tells a change of cgroup.events by POLLPRI, but at most every 10 ms (kernel/cgroup:
/// CGROUP_FILE_NOTIFY_MIN_INTV), and freezing mostly takes less.
constexpr double kBeforeNotice = 0.03;
constexpr long kNapMicroseconds = 100;

void wait_for_change(const core::Fd& events, double waited, double patience) {
  if (waited < kBeforeNotice) return nap(kNapMicroseconds);
  pollfd changed{events.get(), POLLPRI, 0};
  ::poll(&changed, 1, static_cast<int>((patience - waited) * 1000) + 1);
}

bool freeze_v2(const std::string& group, double patience) {
  const core::Fd events = open_control(group, "cgroup.events");
  if (!events || !write_control(group, "cgroup.freeze", "1")) return false;
  const auto start = Clock::now();
  while (!holds(events, "frozen 1")) {
    const double waited = seconds_since(start);
    if (waited > patience) return false;
    wait_for_change(events, waited, patience);
  }
  return true;
}

/// A group that sticks in FREEZING is asked again: new processes may have come meanwhile.
bool freeze_v1(const std::string& group, double patience) {
  const core::Fd state = open_control(group, "freezer.state");
  const auto start = Clock::now();
  while (write_control(group, "freezer.state", "FROZEN")) {
    if (holds(state, "FROZEN")) return true;
    if (seconds_since(start) > patience) return false;
    nap(kNapMicroseconds);
  }
  return false;
}

void add_processes(const std::filesystem::path& group, std::vector<pid_t>& processes) {
  std::ifstream file(group / "cgroup.procs");
  for (pid_t process = 0; file >> process;)
    if (process > 0) processes.push_back(process);
}

}  // namespace

bool write_control(const std::string& group, const char* file, const std::string& text) {
  const core::Fd control(::open((group + "/" + file).c_str(), O_WRONLY | O_CLOEXEC));
  return control &&
         ::write(control.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

bool freeze(PauseMethod method, const std::string& group, double patience) {
  return method == PauseMethod::freezer_v2 ? freeze_v2(group, patience)
                                           : freeze_v1(group, patience);
}

bool freeze_was_asked(PauseMethod method, const std::string& group) {
  if (method == PauseMethod::freezer_v2) return holds(open_control(group, "cgroup.freeze"), "1");
  const core::Fd state = open_control(group, "freezer.state");
  return holds(state, "FREEZING") || holds(state, "FROZEN");
}

bool thaw(PauseMethod method, const std::string& group) {
  return method == PauseMethod::freezer_v2 ? write_control(group, "cgroup.freeze", "0")
                                           : write_control(group, "freezer.state", "THAWED");
}

void kill_group(PauseMethod method, const std::string& group) {
  if (method == PauseMethod::freezer_v2 && write_control(group, "cgroup.kill", "1")) return;
  for (const pid_t process : processes_in(group)) ::kill(process, SIGKILL);
  thaw(method, group);
}

std::vector<pid_t> processes_in(const std::string& group) {
  std::vector<pid_t> processes;
  add_processes(group, processes);
  std::error_code ignored;
  for (auto entry = std::filesystem::recursive_directory_iterator(group, ignored);
       entry != std::filesystem::recursive_directory_iterator(); entry.increment(ignored)) {
    if (ignored) break;
    if (entry->is_directory(ignored)) add_processes(entry->path(), processes);
  }
  return processes;
}

bool move_into(const std::string& group, pid_t process) {
  return write_control(group, "cgroup.procs", std::to_string(process));
}

}  // namespace cosched_exec
