// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/startable.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "core/number.hpp"
#include "core/process.hpp"

namespace cosched_exec {

namespace {

[[noreturn]] void refuse(const Task& task, const std::string& what) {
  throw core::Error(
      fmt::format("{}{}task {}: {}", task.place, task.place.empty() ? "" : ": ", task.name, what),
      core::ExitStatus::usage);
}

bool is_directory(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

void check_directory(const Task& task) {
  if (task.directory.empty()) return;
  if (!is_directory(task.directory))
    refuse(task, fmt::format("there is no folder {}", core::quoted(task.directory)));
  if (::access(task.directory.c_str(), X_OK) != 0)
    refuse(task,
           fmt::format("cannot use {}: {}", core::quoted(task.directory), std::strerror(errno)));
}

/// 0, or why it cannot be executed.
int obstacle(const std::string& path) {
  if (::access(path.c_str(), X_OK) != 0) return errno;
  return is_directory(path) ? EACCES : 0;
}

std::string search_path(const Task& task) {
  for (const auto& [variable, value] : task.environment)
    if (variable == "PATH") return value;
  const char* const ours = std::getenv("PATH");
  return ours != nullptr ? ours : "/bin:/usr/bin";
}

/// As execvp looks it up, from the task's folder; one that is there but cannot be executed is told
/// rather than that there is none.
int obstacle_in_path(const Task& task, const std::string& program) {
  int worst = ENOENT;
  for (const std::string& place : core::places_in_path(program, search_path(task))) {
    const std::string tried = seen_from(task, place);
    if (obstacle(tried) == 0) return 0;
    if (::access(tried.c_str(), F_OK) == 0) worst = EACCES;
  }
  return worst;
}

void check_program(const Task& task) {
  const std::string& program = task.argv.front();
  const int error = program.find('/') != std::string::npos ? obstacle(seen_from(task, program))
                                                           : obstacle_in_path(task, program);
  if (error != 0)
    refuse(task, fmt::format("cannot run {}: {}", core::quoted(program), std::strerror(error)));
}

void check_writable(const Task& task, const std::string& path) {
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode))
    refuse(task, fmt::format("{} is a folder", core::quoted(path)));
  const auto slash = path.rfind('/');
  const std::string folder =
      slash == std::string::npos ? "." : path.substr(0, std::max<std::size_t>(slash, 1));
  if (::access(exists ? path.c_str() : folder.c_str(), W_OK) != 0)
    refuse(task, fmt::format("cannot write {}: {}", core::quoted(path), std::strerror(errno)));
}

/// Devices can be shared: nothing in them is overwritten.
bool is_device(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
}

/// Who uses a file, by the one name that it has.
using Users = std::map<std::string, std::string>;

std::string one_name(const std::string& path) {
  std::error_code failed;
  const auto resolved = std::filesystem::weakly_canonical(std::filesystem::absolute(path), failed);
  return failed ? path : resolved.string();
}

/// The other user; none: there is none yet, or the file can be shared.
std::optional<std::string> other_user(Users& users, const std::string& path,
                                      const std::string& user) {
  if (is_device(path)) return std::nullopt;
  const auto [found, first] = users.emplace(one_name(path), user);
  if (first || found->second == user) return std::nullopt;
  return found->second;
}

void check_output(const Task& task, const std::string& file, Users& users) {
  if (file.empty()) return;
  const std::string path = seen_from(task, file);
  check_writable(task, path);
  if (const auto other = other_user(users, path, "task " + task.name))
    refuse(task, fmt::format("{} is also that of {}: give each a file of its own",
                             core::quoted(path), *other));
}

Users files_of(const Options& options) {
  Users users;
  for (const auto& [user, path] :
       {std::pair("the list of tasks", options.task_file), std::pair("--joblog", options.joblog),
        std::pair("--trace", options.trace), std::pair("--timeline", options.timeline),
        std::pair("--plot", options.plot), std::pair("--json", options.json)}) {
    if (path.empty() || path == "-") continue;
    if (const auto other = other_user(users, path, user))
      throw core::Error(fmt::format("{}: {} is also that of {}: give each a file of its own", user,
                                    core::quoted(path), *other),
                        core::ExitStatus::usage);
  }
  return users;
}

}  // namespace

void check_startable(const std::vector<Task>& tasks, const Options& options) {
  Users users = files_of(options);
  for (const Task& task : tasks) {
    check_directory(task);
    check_program(task);
    check_output(task, task.out_file, users);
    check_output(task, task.err_file, users);
  }
}

}  // namespace cosched_exec
