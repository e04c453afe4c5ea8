// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/task_file.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/number.hpp"

namespace cosched_exec {

namespace {

[[noreturn]] void refuse(const std::string& source, std::size_t line, std::string_view why) {
  throw core::Error(fmt::format("{}:{}: {}", source, line, why), core::ExitStatus::usage);
}

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  const auto from = line.find_first_not_of(kBlanks);
  if (from == line.npos) return {};
  return line.substr(from, line.find_last_not_of(kBlanks) - from + 1);
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

}  // namespace

Task shell_task(const std::string& command, std::size_t number) {
  Task task;
  task.name = std::to_string(number);
  task.text = command;
  task.argv = {"/bin/sh", "-c", command};
  return task;
}

std::vector<Task> parse_plain(std::string_view text, const std::string& source,
                              std::size_t before) {
  text = without_byte_order_mark(text);
  std::vector<Task> tasks;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text = end == text.npos ? std::string_view() : text.substr(end + 1);
    if (line.empty() || line.front() == '#') continue;
    if (line.find('\0') != line.npos) refuse(source, number, "a null byte; is this a text file?");
    if (before + tasks.size() >= kMostTasks)
      refuse(source, number, fmt::format("more than {} tasks", kMostTasks));
    tasks.push_back(shell_task(std::string(line), before + tasks.size() + 1));
  }
  return tasks;
}

}  // namespace cosched_exec
