// SPDX-License-Identifier: BSD-3-Clause
#include "core/cli.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/error.hpp"
#include "core/number.hpp"

namespace core {

SplitArgs split_at_dashes(int argc, char** argv) {
  char** const first = argv + std::min(argc, 1);
  char** const last = argv + argc;
  char** const dashes = std::find(first, last, std::string_view("--"));
  SplitArgs split;
  split.own.assign(first, dashes);
  split.has_dashes = dashes != last;
  if (split.has_dashes) split.command.assign(dashes + 1, last);
  return split;
}

bool take_subcommand(std::vector<std::string>& own, std::string_view name) {
  const auto word = std::find_if(own.begin(), own.end(),
                                 [](const std::string& one) { return one != "-v" && one != "-q"; });
  if (word == own.end() || *word != name) return false;
  own.erase(word);
  return true;
}

namespace {

/// "-n,--nodes" -> "--nodes": the name used in messages.
std::string longest_name(const std::string& names) { return names.substr(names.rfind(',') + 1); }

using Store = std::function<std::string(const std::string&)>;

/// CLI11 sees a text option whose check both validates and stores; the check's sentence is what the
/// user reads.
CLI::Option* add_checked(CLI::App& app, const std::string& names, const std::string& help,
                         const std::string& type, const Store& store) {
  CLI::Option* option = app.add_option_function<std::string>(
      names,
      [store](const std::string& text) {
        const std::string problem = store(text);
        if (!problem.empty()) throw Error(problem, ExitStatus::usage);
      },
      help);
  return option->type_name(type)->take_last();
}

}  // namespace

CLI::Option* add_duration(CLI::App& app, const std::string& names, std::optional<double>& seconds,
                          const std::string& help, BareNumber bare) {
  const std::string name = longest_name(names);
  return add_checked(app, names, help, "D", [&seconds, name, bare](const std::string& text) {
    try {
      seconds = parse_duration(text, name, bare);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  });
}

CLI::Option* add_number(CLI::App& app, const std::string& names, std::optional<double>& value,
                        const std::string& help) {
  const std::string name = longest_name(names);
  return add_checked(app, names, help, "X", [&value, name](const std::string& text) {
    value = parse_number(text);
    return value ? std::string()
                 : fmt::format("{}: {} is not a finite number", name, core::quoted(text));
  });
}

CLI::Option* add_count(CLI::App& app, const std::string& names, std::optional<std::uint64_t>& value,
                       std::uint64_t least, std::uint64_t most, const std::string& help) {
  const std::string name = longest_name(names);
  return add_checked(app, names, help, "N", [&value, name, least, most](const std::string& text) {
    value = parse_count(text, most);
    if (value && *value < least) value.reset();
    return value ? std::string()
                 : fmt::format("{}: {} is not a whole number from {} to {}", name,
                               core::quoted(text), least, most);
  });
}

}  // namespace core
