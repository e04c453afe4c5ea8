// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/task.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "core/launchers.hpp"
#include "core/number.hpp"
#include "cosched_exec/shell_words.hpp"

namespace cosched_exec {

namespace {

using Words = std::span<const std::string>;

constexpr std::array<std::string_view, 12> kWrappers{"exec", "env",     "nice",    "nohup",
                                                     "time", "timeout", "taskset", "numactl",
                                                     "chrt", "ionice",  "stdbuf",  "setsid"};
constexpr std::array<std::string_view, 11> kShells{
    "sh", "bash", "dash", "ksh", "zsh", "python", "perl", "Rscript", "ruby", "julia", "java"};
/// Commands that only prepare what the others do.
constexpr std::array<std::string_view, 12> kPreparing{"cd",   "export", "set",   "ulimit",
                                                      "test", "[",      "umask", "module",
                                                      ".",    "source", "mkdir", "unset"};

std::string_view file_name(std::string_view program) {
  return program.substr(program.rfind('/') + 1);
}

template <std::size_t n>
bool contains(const std::array<std::string_view, n>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// python3.11 is python.
bool is_interpreter(std::string_view name) {
  return contains(kShells, name.substr(0, name.find_last_not_of("0123456789.") + 1));
}

bool is_assignment(std::string_view word) {
  const auto equals = word.find('=');
  return equals != word.npos && equals > 0 && word.find_first_of("/ ") > equals;
}

bool is_option(std::string_view word) { return word.starts_with('-') && word.size() > 1; }
bool begins_as_number(std::string_view word) {
  return !word.empty() && word.front() >= '0' && word.front() <= '9';
}

/// Skips options, their numbers and assignments, as they stand between a wrapper and its program.
Words after_wrapper(Words words) {
  while (!words.empty() &&
         (is_option(words[0]) || is_assignment(words[0]) || begins_as_number(words[0])))
    words = words.subspan(1);
  return words;
}

/// The launcher's own words, of which the counts tell jobs of different size apart; by the table's
/// row that takes most words for its own, as mpirun may be anybody's.
std::size_t own_words(std::string_view program, Words args) {
  std::size_t most = 0;
  for (const core::Launcher& launcher : core::launchers())
    if (std::ranges::find(launcher.programs, program) != launcher.programs.end())
      most = std::max(most, core::program_place(launcher, args));
  return most;
}

std::string named(Words words, int depth);

std::string launched(std::string_view program, Words args, int depth) {
  std::string name(program);
  const std::size_t own = own_words(program, args);
  for (const std::string& word : args.first(own))
    if (core::parse_count(word)) name += " " + word;
  return name + " " + named(args.subspan(own), depth + 1);
}

std::string of_script(const std::string& text, int depth) {
  std::string name;
  for (const std::vector<std::string>& command : simple_commands(text)) {
    const std::string one = named(command, depth + 1);
    if (one.empty() || contains(kPreparing, one.substr(0, one.find(' ')))) continue;
    name += (name.empty() ? "" : " ") + one;
  }
  return name;
}

std::string interpreted(std::string_view program, Words args, int depth) {
  while (!args.empty() && is_option(args[0])) {
    const bool inline_text = args[0] == "-c" || args[0] == "-e";
    if (inline_text && args.size() > 1 && program.ends_with("sh")) return of_script(args[1], depth);
    if (inline_text) return std::string(program);
    args = args.subspan(1);
  }
  return args.empty() ? std::string(program)
                      : std::string(program) + " " + std::string(file_name(args[0]));
}

/// Of one simple command; a command in a command in a command, ... ends somewhere.
std::string named(Words words, int depth) {
  constexpr int kDeepest = 8;
  while (!words.empty() && is_assignment(words[0])) words = words.subspan(1);
  if (words.empty() || depth > kDeepest) return "";
  const std::string_view program = file_name(words[0]);
  const Words args = words.subspan(1);
  if (contains(kWrappers, program)) return named(after_wrapper(args), depth + 1);
  if (core::is_launcher_program(program)) return launched(program, args, depth);
  if (is_interpreter(program)) return interpreted(program, args, depth);
  return std::string(program);
}

/// From OMP_NUM_THREADS, where the task file does not tell.
std::string threads_of(const Task& task) {
  if (task.threads) return std::to_string(*task.threads);
  for (const auto& [variable, value] : task.environment)
    if (variable == "OMP_NUM_THREADS") return value;
  constexpr std::string_view kAssignment = "OMP_NUM_THREADS=";
  const auto place = task.text.find(kAssignment);
  if (place == std::string::npos) return "";
  const auto from = place + kAssignment.size();
  return task.text.substr(from, task.text.find_first_not_of("0123456789", from) - from);
}

}  // namespace

std::string seen_from(const Task& task, const std::string& path) {
  if (task.directory.empty() || path.starts_with('/')) return path;
  return task.directory + "/" + path;
}

std::string program_of(const Task& task) {
  std::string name = named(task.argv, 0);
  if (name.empty()) name = task.text;
  const std::string threads = threads_of(task);
  return threads.empty() ? name : name + " x" + threads;
}

}  // namespace cosched_exec
