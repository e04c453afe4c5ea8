// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "cosched_exec/pause/cgroup_mounts.hpp"
#include "cosched_exec/pause/freezer.hpp"
#include "cosched_exec/pause/pauser.hpp"
#include "cosched_exec/pause/process_state.hpp"

namespace cosched_exec {

namespace {

constexpr double kTrialPatience = 1;

std::string find_own_group(std::string_view controller) {
  try {
    return own_group(controller, core::read_file("/proc/self/cgroup"),
                     core::read_file("/proc/self/mountinfo"));
  } catch (const core::Error&) {
    return {};
  }
}

/// Removes it, which takes a moment after the last process in it has ended.
void remove_group(const std::string& folder) {
  for (int i = 0; i < 100 && ::rmdir(folder.c_str()) != 0 && errno == EBUSY; ++i) nap(2000);
}

void remove_with_groups(const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.is_directory(ignored)) remove_group(entry.path());
  remove_group(folder);
}

/// Where one is left of a run that had our number, it is removed when nothing is in it, else
/// another name is taken. False with errno.
bool make_folder(std::string& folder) {
  const std::string first = folder;
  for (int i = 2; ::mkdir(folder.c_str(), 0755) != 0; ++i) {
    if (errno != EEXIST || i > 9) return false;
    remove_with_groups(folder);
    if (::mkdir(folder.c_str(), 0755) == 0) return true;
    folder = fmt::format("{}-{}", first, i);
  }
  return true;
}

pid_t start_waiting_child() {
  const pid_t parent = ::getpid(), child = ::fork();
  if (child != 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  while (::getppid() == parent) ::pause();
  ::_exit(0);
}

/// Freezes and thaws a child in a group made for it. Empty, or what did not work.
std::string try_group(PauseMethod method, const std::string& group) {
  if (::mkdir(group.c_str(), 0755) != 0)
    return fmt::format("cannot make {}: {}", group, std::strerror(errno));
  std::string trouble;
  const pid_t child = start_waiting_child();
  if (child < 0 || !move_into(group, child))
    trouble = fmt::format("cannot move a process into {}: {}", group, std::strerror(errno));
  else if (!freeze(method, group, kTrialPatience))
    trouble = fmt::format("a process in {} does not freeze", group);
  if (!thaw(method, group) && trouble.empty())
    trouble = fmt::format("a process in {} does not thaw", group);
  if (child > 0) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  remove_group(group);
  return trouble;
}

/// With the cpu controller in our folder all groups in it have the same weight.
bool give_equal_shares(const std::string& folder) {
  return write_control(folder, "cgroup.subtree_control", "+cpu");
}

bool has(const std::string& folder, const char* file) {
  return ::access((folder + "/" + file).c_str(), F_OK) == 0;
}

PauseMethod method_of(const std::string& folder) {
  return has(folder, "cgroup.events") ? PauseMethod::freezer_v2 : PauseMethod::freezer_v1;
}

}  // namespace

struct Groups::State {
  PauseMethod method = PauseMethod::none;
  std::string folder, obstacle;
  bool equal_shares = false;
  int made = 0;
  pid_t owner = ::getpid();

  bool try_hierarchy(PauseMethod wanted, std::string_view controller, const char* what) {
    const std::string own = find_own_group(controller);
    if (own.empty()) return note(fmt::format("no {} is mounted", what));
    std::string tried = fmt::format("{}/launchwise-{}", own, owner);
    if (!make_folder(tried))
      return note(fmt::format("cannot make {}: {}", tried, std::strerror(errno)));
    if (const std::string trouble = try_group(wanted, tried + "/trial"); !trouble.empty()) {
      remove_group(tried);
      return note(trouble);
    }
    method = wanted;
    folder = tried;
    equal_shares = wanted == PauseMethod::freezer_v2 && give_equal_shares(folder);
    obstacle.clear();
    return true;
  }
  bool note(const std::string& trouble) {
    obstacle += (obstacle.empty() ? "" : "; ") + trouble;
    return false;
  }
};

Groups::Groups(PauseWish wish) : state_(std::make_unique<State>()) {
  if (wish == PauseWish::signal) {
    state_->obstacle = "signals were asked for";
    return;
  }
  if (!state_->try_hierarchy(PauseMethod::freezer_v2, "", "cgroup v2") &&
      wish == PauseWish::freezer)
    state_->try_hierarchy(PauseMethod::freezer_v1, "freezer", "freezer of cgroup v1");
}
Groups::Groups(Groups&&) noexcept = default;

Groups::~Groups() {
  if (!state_ || state_->owner != ::getpid() || state_->folder.empty()) return;
  remove_with_groups(state_->folder);
}

PauseMethod Groups::method() const { return state_->method; }
bool Groups::equal_shares() const { return state_->equal_shares; }
const std::string& Groups::obstacle() const { return state_->obstacle; }
const std::string& Groups::folder() const { return state_->folder; }

std::string Groups::make() {
  if (state_->folder.empty()) return {};
  const std::string group = fmt::format("{}/{}", state_->folder, ++state_->made);
  return ::mkdir(group.c_str(), 0755) == 0 ? group : std::string();
}

bool sessions_share_equally() {
  try {
    if (core::read_file("/proc/sys/kernel/sched_autogroup_enabled") != "1\n") return false;
    const std::string cgroup = core::read_file("/proc/self/cgroup");
    if (const std::string v1 = own_path("cpu", cgroup); !v1.empty() && v1 != "/") return false;
    std::filesystem::path v2 = own_group("", cgroup, core::read_file("/proc/self/mountinfo"));
    for (; has(v2, "cgroup.procs"); v2 = v2.parent_path())
      if (has(v2, "cpu.weight")) return false;
    return true;
  } catch (const core::Error&) {
    return false;
  }
}

void end_groups(const std::string& folder) {
  if (folder.empty() || !has(folder, "cgroup.procs")) return;
  const PauseMethod method = method_of(folder);
  std::vector<std::string> groups{folder};
  std::error_code ignored;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, ignored))
    if (entry.is_directory(ignored)) groups.push_back(entry.path());
  for (int i = 0; i < 200 && !processes_in(folder).empty(); ++i) {
    for (const std::string& group : groups) kill_group(method, group);
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    nap(5000);
  }
  // Deepest first.
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) remove_group(*group);
}

}  // namespace cosched_exec
