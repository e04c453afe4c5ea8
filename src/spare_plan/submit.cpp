// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/submit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>

#include "core/error.hpp"
#include "core/schedulers.hpp"

namespace spare_plan {
namespace {

using Words = std::span<const std::string>;

constexpr std::uintmax_t kLongestScript = 1 << 20;

const core::Scheduler& scheduler_of(const std::vector<std::string>& command) {
  if (command.empty())
    throw core::Error("there is no command after --, want sbatch, salloc, qsub or bsub",
                      core::ExitStatus::usage);
  const auto* scheduler = core::scheduler_of_submitter(command.front());
  if (scheduler == nullptr)
    throw core::Error(
        fmt::format("{} after -- is no command that submits jobs, want sbatch, salloc, "
                    "qsub or bsub",
                    command.front()),
        core::ExitStatus::usage);
  return *scheduler;
}

bool is_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

/// The submitter's own options: up to the script or program. Which options take a value is not
/// known, so a word after an option without "=" may be its value and counts as the submitter's.
Words submitters_part(Words args, const core::Scheduler& scheduler) {
  bool value_may_follow = false;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string_view word = args[i];
    if (!is_option(word)) {
      if (!value_may_follow) return args.first(i);
      value_may_follow = false;
      continue;
    }
    const bool spelled_out = word.size() == 2 || word.starts_with("--") || scheduler.name == "LSF";
    value_may_follow = spelled_out && word.find('=') == std::string_view::npos;
  }
  return args;
}

/// The value of `option` when args[i] is that option: glued, after "=", or the next word; nothing
/// when it is not.
std::optional<std::string_view> value_of(Words args, std::size_t i, std::string_view option) {
  const std::string_view word = args[i];
  if (!word.starts_with(option)) return std::nullopt;
  const auto rest = word.substr(option.size());
  if (rest.empty()) return i + 1 < args.size() ? std::string_view(args[i + 1]) : "";
  if (rest.front() == '=') return rest.substr(1);
  if (option.size() == 2) return rest;
  return std::nullopt;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether one item of a comma-separated value is `key` or `key=...`.
bool has_item(std::string_view value, std::string_view key) {
  while (!value.empty()) {
    const auto item = value.substr(0, value.find(','));
    if (item.starts_with(key) && (item.size() == key.size() || item[key.size()] == '='))
      return true;
    value.remove_prefix(std::min(item.size() + 1, value.size()));
  }
  return false;
}

/// The entry of the scheduler's node_options that args hold, or nothing.
std::optional<std::string> node_option_in(Words args, const core::Scheduler& scheduler) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    for (const auto entry : scheduler.node_options) {
      const auto space = entry.find(' ');
      const auto option = entry.substr(0, space);
      const auto value = value_of(args, i, option);
      if (!value) continue;
      const bool glued = option.size() == 2 && args[i].size() > 2 && args[i][2] != '=';
      const bool is_count = space == std::string_view::npos
                                ? !glued || value->empty() || is_digit(value->front())
                                : has_item(*value, entry.substr(space + 1));
      if (is_count) return std::string(entry);
    }
  }
  return std::nullopt;
}

std::string_view directive_of(const core::Scheduler& scheduler) {
  if (scheduler.name == "Slurm") return "#SBATCH";
  if (scheduler.name == "LSF") return "#BSUB";
  return "#PBS";
}

/// Calls `take(line number, words)` for every directive of the script.
template <typename Take>
void each_directive(const JobScript& script, const core::Scheduler& scheduler, Take&& take) {
  std::istringstream lines(script.text);
  const auto mark = directive_of(scheduler);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.starts_with(mark)) continue;
    std::istringstream text(line.substr(mark.size()));
    std::vector<std::string> words;
    for (std::string word; text >> word;) words.push_back(word);
    take(number, words);
  }
}

bool has_option(Words args, std::string_view option) {
  for (std::size_t i = 0; i < args.size(); ++i)
    if (value_of(args, i, option)) return true;
  return false;
}

/// Whether sbatch was told to pass on only part of the environment.
bool exports_less(Words args) {
  for (std::size_t i = 0; i < args.size(); ++i)
    if (const auto value = value_of(args, i, "--export"))
      return !has_item(*value, "ALL") && !has_item(*value, kNodeVariable);
  return false;
}

/// All words of the command line and of the script's directives that choose what is exported.
std::vector<std::string> all_options(Words args, const std::optional<JobScript>& script,
                                     const core::Scheduler& scheduler) {
  std::vector<std::string> all(args.begin(), args.end());
  if (script)
    each_directive(*script, scheduler, [&](std::size_t, const std::vector<std::string>& words) {
      all.insert(all.end(), words.begin(), words.end());
    });
  return all;
}

/// qsub passes on no environment by itself: -v does it, unless the user has chosen already.
void export_variable(Submission& result, Words args, const std::optional<JobScript>& script,
                     const core::Scheduler& scheduler, std::uint64_t n_node) {
  const auto value = fmt::format("{}", n_node);
  result.environment = {{std::string(kNodeVariable), value}};
  const auto options = all_options(args, script, scheduler);
  if (scheduler.name == "Slurm") {
    if (exports_less(options))
      result.warnings.push_back(
          fmt::format("--export keeps {} from the job, add it there or give mpisel -n {}",
                      kNodeVariable, value));
  } else if (scheduler.name == "PBS") {
    if (has_option(options, "-V")) return;
    if (has_option(options, "-v")) {
      result.warnings.push_back(
          fmt::format("the job does not get {} unless your -v list names it", kNodeVariable));
      return;
    }
    result.argv.emplace_back("-v");
    result.argv.push_back(fmt::format("{}={}", kNodeVariable, value));
  }
}

std::string filled(std::string_view text, std::uint64_t nodes) {
  std::string word(text);
  if (const auto at = word.find("{n}"); at != std::string::npos)
    word.replace(at, 3, fmt::format("{}", nodes));
  return word;
}

}  // namespace

void check_submission(const std::vector<std::string>& command) {
  const auto& scheduler = scheduler_of(command);
  const auto own = submitters_part(Words(command).subspan(1), scheduler);
  if (const auto option = node_option_in(own, scheduler))
    throw core::Error(
        fmt::format("{} is among the arguments of {} already, leave it out: spare-plan "
                    "gives the number of nodes",
                    *option, command.front()),
        core::ExitStatus::usage);
}

Submission submission(const std::vector<std::string>& command, std::uint64_t n_node,
                      std::uint64_t nodes, const std::optional<JobScript>& script) {
  const auto& scheduler = scheduler_of(command);
  const auto args = Words(command).subspan(1);
  Submission result;
  result.argv.push_back(command.front());
  for (const auto part : scheduler.node_request) result.argv.push_back(filled(part, nodes));
  export_variable(result, submitters_part(args, scheduler), script, scheduler, n_node);
  result.argv.insert(result.argv.end(), args.begin(), args.end());
  if (script)
    each_directive(
        *script, scheduler, [&](std::size_t line, const std::vector<std::string>& words) {
          if (const auto option = node_option_in(words, scheduler))
            result.notes.push_back(
                fmt::format("{}:{}: {} asks for nodes too, the {} of the command line win",
                            script->name, line, *option, nodes));
        });
  return result;
}

std::optional<JobScript> find_job_script(const std::vector<std::string>& command) {
  for (const auto& word : Words(command).subspan(1)) {
    std::error_code error;
    if (is_option(word) || !std::filesystem::is_regular_file(word, error)) continue;
    if (std::filesystem::file_size(word, error) > kLongestScript || error) continue;
    std::ifstream in(word);
    std::ostringstream text;
    text << in.rdbuf();
    if (text.str().starts_with("#!")) return JobScript{word, text.str()};
  }
  return std::nullopt;
}

}  // namespace spare_plan
