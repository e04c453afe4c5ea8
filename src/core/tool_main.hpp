// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace core {

/// Of a line of the log, for spdlog.
constexpr const char* kLogPattern = "%n: %l: %v";

/// The main of every tool: adds --help, --version, -v and -q to the app, sends the log to stderr as
/// "tool: level: sentence", parses `own` (without argv[0]), runs the body and returns the exit
/// status. Standard streams that the caller has closed are filled with /dev/null. A wrong command
/// line is status 2; an Error has its own; standard output that could not be written is 1. The tool
/// is the first word of the app's name ("spare-plan standby" is of spare-plan).
int run_tool(CLI::App& app, const std::vector<std::string>& own, const std::function<int()>& body);

/// Flushes standard output, and throws the Error with which run_tool ends where it could not be
/// written; for an answer that is given by another process.
void check_written(std::ostream& out);

}  // namespace core
