// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cosched_exec/task.hpp"

namespace cosched_exec {

constexpr std::size_t kMostTasks = std::size_t{1} << 20;

/// The tasks of a text (launchwise-formats(7)); names and numbers go on from `before` tasks. A bad
/// text: core::Error (usage) with source and line. Pure.
std::vector<Task> parse_plain(std::string_view text, const std::string& source, std::size_t before);
std::vector<Task> parse_toml(std::string_view text, const std::string& source, std::size_t before);
/// A task from a command for sh.
Task shell_task(const std::string& command, std::size_t number);

}  // namespace cosched_exec
