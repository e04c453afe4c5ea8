// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/duration.hpp"

namespace core {

/// Everything before the first "--" is ours; everything after it belongs to the child, untouched.
/// has_dashes tells `tool --` from `tool`.
struct SplitArgs {
  std::vector<std::string> own;  ///< without argv[0]
  std::vector<std::string> command;
  bool has_dashes = false;
};
SplitArgs split_at_dashes(int argc, char** argv);

/// Whether the first word besides -v and -q is `name`, which is then removed: for a subcommand that
/// has a command line of its own.
bool take_subcommand(std::vector<std::string>& own, std::string_view name);

/// Adds a duration option that stores seconds. Bad text: usage error naming the option.
CLI::Option* add_duration(CLI::App& app, const std::string& names, std::optional<double>& seconds,
                          const std::string& help, BareNumber bare = BareNumber::seconds);

/// Adds an option that takes a finite number; one for a count from `least` to `most`.
CLI::Option* add_number(CLI::App& app, const std::string& names, std::optional<double>& value,
                        const std::string& help);
CLI::Option* add_count(CLI::App& app, const std::string& names, std::optional<std::uint64_t>& value,
                       std::uint64_t least, std::uint64_t most, const std::string& help);

}  // namespace core
