// SPDX-License-Identifier: BSD-3-Clause
#include "task_properties.hpp"

#include <set>
#include <sstream>
#include <stdexcept>

#include "core/error.hpp"
#include "cosched_exec/shell_words.hpp"
#include "cosched_exec/task_file.hpp"
#include "cosched_exec/task_list.hpp"

namespace properties {
namespace {

using cosched_exec::Task;

void require(bool condition, const char* claim) {
  if (!condition) throw std::logic_error(claim);
}

bool has_null(const std::string& text) { return text.find('\0') != std::string::npos; }

void require_sane(const std::vector<Task>& tasks) {
  std::set<std::string> names;
  for (const Task& task : tasks) {
    require(names.insert(task.name).second, "names are different");
    require(!task.name.empty() && task.name.find('\n') == std::string::npos, "names are prefixes");
    require(!task.argv.empty() && !task.argv.front().empty(), "each task has a program");
    for (const std::string& word : task.argv) require(!has_null(word), "words have no null");
    for (const auto& [variable, value] : task.environment)
      require(!variable.empty() && variable.find('=') == std::string::npos && !has_null(value),
              "variables can be set");
    require(!program_of(task).empty() || task.text.empty(),
            "each task has something to be told by");
    require(cosched_exec::simple_commands(cosched_exec::shell_text(task.argv)) ==
                std::vector<std::vector<std::string>>{task.argv},
            "quoted words are read back");
  }
  std::ostringstream plan;
  cosched_exec::print_plan(plan, tasks);
  require(plan.str().size() >= tasks.size(), "each task is in the plan");
}

}  // namespace

void tasks_plain(std::string_view text) {
  try {
    const std::vector<Task> tasks = cosched_exec::parse_plain(text, "tasks", 0);
    require_sane(tasks);
    std::string printed = "# so that no byte order mark is at the start\n";
    for (const Task& task : tasks) printed += task.text + "\n";
    const std::vector<Task> again = cosched_exec::parse_plain(printed, "printed", 0);
    require(again.size() == tasks.size(), "printed tasks are as many");
    for (std::size_t i = 0; i < tasks.size(); ++i)
      require(again[i].argv == tasks[i].argv, "printed tasks read back");
  } catch (const core::Error&) {
  }
}

void tasks_toml(std::string_view text) {
  try {
    require_sane(cosched_exec::parse_toml(text, "tasks.toml", 0));
  } catch (const core::Error& e) {
    require(std::string_view(e.what()).starts_with("tasks.toml:"), "a refusal names the place");
  }
}

}  // namespace properties
