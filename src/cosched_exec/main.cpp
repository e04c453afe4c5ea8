// SPDX-License-Identifier: BSD-3-Clause
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <utility>

#include "core/cli.hpp"
#include "core/error.hpp"
#include "core/fd.hpp"
#include "core/number.hpp"
#include "core/tool_main.hpp"
#include "core/topology.hpp"
#include "cosched_exec/doctor.hpp"
#include "cosched_exec/options.hpp"
#include "cosched_exec/strategy/simulate.hpp"

namespace {

using namespace cosched_exec;

constexpr std::uint64_t kMost = std::uint64_t{1} << 20;
constexpr double kShortestInterval = 0.05;  // s; less and nothing but switching is measured

/// What main needs beside the options of a run.
struct Given {
  Options options;
  bool doctor = false;
  std::optional<std::uint64_t> jobs, window;
  std::optional<double> interval, theta, slice;
  std::optional<std::string> cores;
  std::string table;
  bool json = false;  ///< of simulate
};

[[noreturn]] void refuse(const std::string& sentence) {
  throw core::Error(sentence, core::ExitStatus::usage);
}

template <class Value>
using Choices = std::vector<std::pair<std::string, Value>>;

/// An option with the name of a value; the choices are copied into the callback.
template <class Value>
void add_choice(CLI::App& app, const std::string& names, const Choices<Value>& choices,
                Value& value, const std::string& help) {
  std::string listed;
  for (const auto& choice : choices) listed += (listed.empty() ? "" : "|") + choice.first;
  const std::string long_name = names.substr(names.find("--"));
  app.add_option_function<std::string>(
         names,
         [&value, choices, long_name, listed](const std::string& text) {
           for (const auto& [name, meaning] : choices)
             if (name == text) {
               value = meaning;
               return;
             }
           refuse(long_name + ": " + core::quoted(text) + " is none of " + listed);
         },
         help)
      ->type_name(listed)
      ->take_last();
}

void add_file(CLI::App& app, const std::string& name, std::string& path, const std::string& help) {
  app.add_option_function<std::string>(
         name,
         [&path, name](const std::string& text) {
           if (text.empty()) refuse(name + ": an empty file name");
           path = text;
         },
         help)
      ->type_name("FILE")
      ->take_last();
}

void add_steering(CLI::App& app, Given& given) {
  Options& options = given.options;
  add_choice<Strategy>(app, "-s,--strategy",
                       {{"auto", Strategy::automatic},
                        {"par", Strategy::par},
                        {"seq", Strategy::seq},
                        {"fcs", Strategy::fcs},
                        {"pe", Strategy::pe},
                        {"pf", Strategy::pf}},
                       options.strategy, "Which tasks run together (default: auto)");
  core::add_count(app, "-j,--jobs", given.jobs, 1, kMost,
                  "Most tasks that are started and not ended (default: 12, or the cores)")
      ->type_name("K");
  core::add_count(app, "--window", given.window, 1, 1000,
                  "Kinds of tasks among which the best set is searched (12)")
      ->type_name("K");
  core::add_duration(app, "--interval", given.interval, "Longest time between two decisions (3s)");
  core::add_number(app, "--theta", given.theta, "Optimism about sets not tried yet, 0 to 1 (0.1)")
      ->type_name("X");
  add_choice<SpeedWish>(app, "--speed",
                        {{"auto", SpeedWish::automatic},
                         {"ipc", SpeedWish::ipc},
                         {"ips", SpeedWish::ips},
                         {"progress", SpeedWish::progress},
                         {"calls", SpeedWish::calls},
                         {"cputime", SpeedWish::cputime}},
                        options.speed, "How speeds are measured (default: the best that works)");
  add_choice<PauseWish>(app, "--pause",
                        {{"auto", PauseWish::automatic},
                         {"freezer", PauseWish::freezer},
                         {"signal", PauseWish::signal}},
                        options.pause, "How tasks are paused (default: the best that works)");
  app.add_option("--cores", given.cores, "Bind the tasks to these processing units: 0-3,8")
      ->type_name("LIST")
      ->take_last();
  add_choice<Halt>(app, "--halt",
                   {{"never", Halt::never}, {"soon,fail=1", Halt::soon}, {"now,fail=1", Halt::now}},
                   options.halt, "After a failure: go on (default), start no more, end all");
}

void add_tasks(CLI::App& app, Options& options) {
  app.add_option("-c,--command", options.commands, "A shell command to run; can be repeated")
      ->type_name("CMD")
      ->allow_extra_args(false);  // the next word is TASKFILE
  app.add_flag("--toml", options.toml, "TASKFILE is TOML, whatever its name");
  app.add_flag("--dry-run", options.dry_run, "Print what would be run, and run nothing");
  app.add_option("TASKFILE", options.task_file,
                 "One shell command a line, or NAME.toml; - for standard input")
      ->type_name("");
}

void add_views(CLI::App& app, Given& given) {
  Options& options = given.options;
  add_file(app, "--joblog", options.joblog, "Write how each task ended, as GNU parallel does");
  add_file(app, "--json", options.json,
           "Write the figures of the run as JSON (-: standard output)");
  add_file(app, "--trace", options.trace, "Write each decision with its reason as JSON lines");
  add_file(app, "--timeline", options.timeline,
           "Write when each task ran, in Chrome's trace format");
  add_file(app, "--plot", options.plot, "Draw sets, speeds and fairness over time, .svg or .png");
  app.add_flag("--doctor", given.doctor, "Try what can be measured and paused here, and print it");
}

/// Options of a later version: known by name, so that nobody looks for a mistake of his own.
void add_later(CLI::App& app) {
  for (const char* name : {"--memory", "--results", "--retries"})
    app.add_option_function<std::string>(
           name,
           [name](const std::string&) {
             refuse(std::string(name) + " is not in this version of cosched_exec yet");
           },
           "")
        ->group("");
}

CLI::App* add_simulate(CLI::App& app, Given& given) {
  CLI::App* const simulate = app.add_subcommand(
      "simulate", "Print the makespan of each strategy for a table of known speeds");
  simulate->add_option("TABLE", given.table, "The speeds, JSON; - for standard input")
      ->type_name("");
  core::add_duration(*simulate, "--slice", given.slice,
                     "Time between two choices of pf (default: the table's, 10ms)");
  simulate->add_flag("--json", given.json, "Print one JSON object");
  return simulate;
}

/// simulate falls through to the options of a run, which mean nothing to it.
void refuse_options_of_run(const CLI::App& app, CLI::App& simulate) {
  for (const auto* option : app.get_options()) {
    const auto name = option->get_name();
    const bool shared = name == "-v" || name == "-q" || simulate.get_option_no_throw(name);
    if (option->count() > 0 && !shared) refuse("simulate does not take " + name);
  }
}

std::string read_table(const std::string& path) {
  try {
    return core::read_file(path);
  } catch (const core::Error& e) {
    refuse(e.what());
  }
}

int simulate_speeds(const Given& given) {
  if (given.table.empty()) refuse("simulate: give a TABLE of speeds, or - for standard input");
  KnownSpeeds known = parse_known_speeds(read_table(given.table),
                                         given.table == "-" ? "standard input" : given.table);
  if (given.slice) {
    if (*given.slice <= 0) refuse("--slice must be greater than 0");
    known.slice = known.w0 = *given.slice;
    check_slices(known, "--slice");
  }
  std::cout << simulate_answer(known, given.json);
  return 0;
}

Options options_of(const Given& given) {
  Options options = given.options;
  if (given.jobs) options.jobs = *given.jobs;
  if (given.window) options.window = *given.window;
  if (given.interval) options.interval = *given.interval;
  if (options.interval < kShortestInterval) refuse("--interval must be 50ms or more");
  if (given.theta) options.theta = *given.theta;
  if (options.theta < 0 || options.theta > 1) refuse("--theta must be from 0 to 1");
  if (given.cores && given.cores->empty()) refuse("--cores: an empty list");
  if (given.cores) options.cores = core::Topology::here().units_in("--cores", *given.cores);
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const core::SplitArgs args = core::split_at_dashes(argc, argv);
  Given given;
  CLI::App app{"Run several programs on one node, steered by their measured speeds.",
               "cosched_exec"};
  add_tasks(app, given.options);
  add_steering(app, given);
  add_views(app, given);
  add_later(app);
  CLI::App* const simulate = add_simulate(app, given);
  app.footer("Example: cosched_exec -c './a 1' -c './a 2' -c 'mpirun -np 2 ./b'");
  return core::run_tool(app, args.own, [&] {
    if (args.has_dashes) refuse("no command can follow --: give it with -c");
    if (*simulate) {
      refuse_options_of_run(app, *simulate);
      return simulate_speeds(given);
    }
    if (given.doctor) return doctor(std::cout);
    given.options.quiet = !spdlog::should_log(spdlog::level::warn);
    return run(options_of(given));
  });
}
