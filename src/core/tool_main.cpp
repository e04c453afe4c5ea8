// SPDX-License-Identifier: BSD-3-Clause
#include "core/tool_main.hpp"

#include <fcntl.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "core/error.hpp"

namespace core {

namespace {

constexpr const char* kCannotWrite = "cannot write to standard output";

void log_to_stderr_as(const std::string& tool) {
  auto logger =
      std::make_shared<spdlog::logger>(tool, std::make_shared<spdlog::sinks::stderr_sink_st>());
  logger->set_pattern(kLogPattern);
  spdlog::set_default_logger(std::move(logger));
}

/// The first word of the app's name: a subcommand with a command line of its own has several.
std::string tool_of(const CLI::App& app) {
  const std::string name = app.get_name();
  return name.substr(0, name.find(' '));
}

/// Of -v and -q the last one holds, as of every option.
void add_level(CLI::App& app, const std::string& name, spdlog::level::level_enum level,
               const std::string& help) {
  app.add_flag_callback(
         name, [level] { spdlog::set_level(level); }, help)
      ->trigger_on_parse();
}

void add_common_options(CLI::App& app) {
  constexpr const char* kHelp = "Print this help and exit";
  app.set_help_flag("-h,--help", kHelp);
  for (CLI::App* subcommand : app.get_subcommands({})) {
    subcommand->set_help_flag("-h,--help", kHelp);
    subcommand->fallthrough();  // -v and -q may stand behind it
  }
  app.set_version_flag("--version", tool_of(app) + " " LAUNCHWISE_VERSION,
                       "Print the version and exit");
  add_level(app, "-v", spdlog::level::debug, "Say more on stderr");
  add_level(app, "-q", spdlog::level::err, "Say only errors on stderr");
}

/// Fills what the caller has closed of 0 to 2, lest a file of ours gets such a number and what is
/// said goes into it. Reading 0 and writing 1 fail as before; what is said on a closed 2 is not
/// wanted.
void fill_standard_streams() {
  for (int fd = ::open("/dev/null", O_RDWR); fd >= 0; fd = ::open("/dev/null", O_RDWR)) {
    ::close(fd);
    if (fd > STDERR_FILENO) return;
    const int mode = fd == STDOUT_FILENO ? O_RDONLY : O_WRONLY;
    if (::open("/dev/null", mode) != fd) return;
  }
}

/// CLI11 prints help and version itself; a wrong command line becomes our one sentence.
int report(const CLI::App& app, const CLI::ParseError& e) {
  if (e.get_exit_code() == 0) {
    app.exit(e);
    if (std::cout.flush()) return 0;
    spdlog::error(kCannotWrite);
    return static_cast<int>(ExitStatus::failure);
  }
  std::string sentence = e.what();
  while (!sentence.empty() && (sentence.back() == '\n' || sentence.back() == '.'))
    sentence.pop_back();
  std::replace(sentence.begin(), sentence.end(), '\n', ' ');
  spdlog::error("{}; see {} --help", sentence, app.get_name());
  return static_cast<int>(ExitStatus::usage);
}

/// CLI11 would take the next word for the value of `--option=`.
void refuse_empty_values(const std::vector<std::string>& own) {
  for (const std::string& word : own)
    if (word.starts_with("--") && word.ends_with('='))
      throw Error(word + " has an empty value", ExitStatus::usage);
}

int run_body(const std::function<int()>& body) {
  const int status = body();
  check_written(std::cout);
  return status;
}

}  // namespace

void check_written(std::ostream& out) {
  if (!out.flush()) throw Error(kCannotWrite);  // for one, disk full
}

int run_tool(CLI::App& app, const std::vector<std::string>& own, const std::function<int()>& body) {
  fill_standard_streams();
  add_common_options(app);
  log_to_stderr_as(tool_of(app));
  try {
    std::vector<std::string> reversed(own.rbegin(), own.rend());  // the order CLI11 wants
    refuse_empty_values(own);
    app.parse(reversed);
    return run_body(body);
  } catch (const CLI::ParseError& e) {
    return report(app, e);
  } catch (const Error& e) {
    spdlog::error("{}", e.what());
    return static_cast<int>(e.status());
  } catch (const std::bad_alloc&) {
    spdlog::error("out of memory");
  } catch (const std::exception& e) {
    spdlog::error("{}", e.what());
  }
  return static_cast<int>(ExitStatus::failure);
}

}  // namespace core
