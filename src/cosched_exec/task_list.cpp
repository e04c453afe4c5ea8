// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/task_list.hpp"

#include <fmt/format.h>

#include <ostream>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "cosched_exec/shell_words.hpp"
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

std::string told(const ProgressSpec& progress) {
  if (progress.kind == ProgressSpec::Kind::lines) return "lines";
  std::string text = progress.file.empty() ? "" : "file " + progress.file;
  if (!progress.pattern.empty()) text += (text.empty() ? "match " : " match ") + progress.pattern;
  return text;
}

}  // namespace

std::vector<Task> read_tasks(const Options& options) {
  std::vector<Task> tasks;
  add_commands(tasks, options.commands);
  const std::string& file = options.task_file;
  if (file.empty() && tasks.empty())
    refuse("no tasks: give a TASKFILE, - for standard input, or -c COMMAND");
  if (file.empty() && options.toml) refuse("--toml: give a TASKFILE, or - for standard input");
  if (file.empty()) return tasks;
  const std::string text = content_of(file);
  const std::string source = file == "-" ? "standard input" : file;
  const bool toml = options.toml || file.ends_with(".toml");
  add(tasks,
      toml ? parse_toml(text, source, tasks.size()) : parse_plain(text, source, tasks.size()));
  if (tasks.empty()) refuse(fmt::format("{} holds no tasks", source));
  return tasks;
}

void print_plan(std::ostream& out, const std::vector<Task>& tasks) {
  const auto print = [&out](const char* what, const std::string& text) {
    if (!text.empty()) out << '\t' << what << ' ' << one_line(text) << '\n';
  };
  for (const Task& task : tasks) {
    out << task.name << '\t' << one_line(task.text) << '\n';
    print("dir", task.directory);
    if (task.threads) print("threads", std::to_string(*task.threads));
    for (const auto& [variable, value] : task.environment) print("env", variable + "=" + value);
    print("stdout", task.out_file);
    print("stderr", task.err_file);
    if (task.progress) print("progress", told(*task.progress));
    if (!task.pausable) out << "\tnot pausable\n";
  }
}

}  // namespace cosched_exec
