// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/task_list.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ostream>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "core/number.hpp"
#include "cosched_exec/task_file.hpp"

namespace cosched_exec {

namespace {

[[noreturn]] void refuse(const std::string& sentence) {
  throw core::Error(sentence, core::ExitStatus::usage);
}

std::string content_of(const std::string& path) {
  try {
    return core::read_file(path);
  } catch (const core::Error& e) {
    refuse(e.what());
  }
}

void add(std::vector<Task>& tasks, std::vector<Task> more) {
  for (Task& task : more) tasks.push_back(std::move(task));
}

void add_commands(std::vector<Task>& tasks, const std::vector<std::string>& commands) {
  for (const std::string& command : commands) {
    if (command.find_first_not_of(" \t\r\n") == std::string::npos) refuse("-c: an empty command");
    tasks.push_back(shell_task(command, tasks.size() + 1));
  }
}

bool is_directory(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

std::string in_directory(const Task& task, const std::string& path) {
  if (task.directory.empty() || path.starts_with('/')) return path;
  return task.directory + "/" + path;
}

/// 0, or why it cannot be executed.
int obstacle(const std::string& path) {
  if (::access(path.c_str(), X_OK) != 0) return errno;
  return is_directory(path) ? EACCES : 0;
}

/// As execvp looks it up.
int obstacle_in_path(const std::string& program) {
  const char* const variable = std::getenv("PATH");
  std::string_view folders = variable != nullptr ? variable : "/bin:/usr/bin";
  int worst = ENOENT;
  for (;;) {
    const auto colon = folders.find(':');
    const std::string_view folder = folders.substr(0, colon);
    const int found = obstacle((folder.empty() ? "." : std::string(folder)) + "/" + program);
    if (found == 0) return 0;
    if (found == EACCES) worst = EACCES;
    if (colon == folders.npos) return worst;
    folders.remove_prefix(colon + 1);
  }
}

void check_directory(const Task& task) {
  if (!task.directory.empty() && !is_directory(task.directory))
    refuse(
        fmt::format("task {}: its dir {} is no folder", task.name, core::quoted(task.directory)));
}

void check_program(const Task& task) {
  const std::string& program = task.argv.front();
  const int error = program.find('/') != std::string::npos ? obstacle(in_directory(task, program))
                                                           : obstacle_in_path(program);
  if (error != 0)
    refuse(fmt::format("task {}: cannot run {}: {}", task.name, core::quoted(program),
                       std::strerror(error)));
}

void check_output(const Task& task, const std::string& file) {
  if (file.empty()) return;
  const std::string path = in_directory(task, file);
  const bool exists = ::access(path.c_str(), F_OK) == 0;
  const auto slash = path.rfind('/');
  const std::string folder =
      slash == std::string::npos ? "." : path.substr(0, std::max<std::size_t>(slash, 1));
  if (is_directory(path))
    refuse(fmt::format("task {}: {} is a folder", task.name, core::quoted(path)));
  if (::access(exists ? path.c_str() : folder.c_str(), W_OK) != 0)
    refuse(fmt::format("task {}: cannot write {}: {}", task.name, core::quoted(path),
                       std::strerror(errno)));
}

}  // namespace

std::vector<Task> read_tasks(const Options& options) {
  std::vector<Task> tasks;
  add_commands(tasks, options.commands);
  const std::string& file = options.task_file;
  if (file.empty() && tasks.empty())
    refuse("no tasks: give a TASKFILE, - for standard input, or -c COMMAND");
  if (file.empty()) return tasks;
  const std::string text = content_of(file);
  const std::string source = file == "-" ? "standard input" : file;
  const bool toml = options.toml || file.ends_with(".toml");
  add(tasks,
      toml ? parse_toml(text, source, tasks.size()) : parse_plain(text, source, tasks.size()));
  if (tasks.empty()) refuse(fmt::format("{} holds no tasks", source));
  return tasks;
}

void check_tasks(const std::vector<Task>& tasks) {
  for (const Task& task : tasks) {
    check_directory(task);
    check_program(task);
    check_output(task, task.out_file);
    check_output(task, task.err_file);
  }
}

void print_plan(std::ostream& out, const std::vector<Task>& tasks) {
  for (const Task& task : tasks) {
    out << task.name << '\t' << task.text << '\n';
    if (!task.directory.empty()) out << "\tdir " << task.directory << '\n';
    if (task.threads) out << "\tthreads " << *task.threads << '\n';
    for (const auto& [variable, value] : task.environment)
      out << "\tenv " << variable << '=' << value << '\n';
    if (!task.out_file.empty()) out << "\tstdout " << task.out_file << '\n';
    if (!task.err_file.empty()) out << "\tstderr " << task.err_file << '\n';
    if (!task.pausable) out << "\tnot pausable\n";
  }
}

}  // namespace cosched_exec
