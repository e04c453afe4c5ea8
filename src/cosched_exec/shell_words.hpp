// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cosched_exec {

/// The words of each simple command of a shell text, without quotes and redirections; only for
/// telling like commands, nothing is expanded. Pure.
std::vector<std::vector<std::string>> simple_commands(std::string_view text);

/// An argument vector as a shell would read it back.
std::string shell_text(const std::vector<std::string>& argv);

/// The text, or where it holds control characters other than tabs, in the form $'..\n..'. Pure.
std::string one_line(const std::string& text);

}  // namespace cosched_exec
