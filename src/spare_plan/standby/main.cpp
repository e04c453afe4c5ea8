// SPDX-License-Identifier: BSD-3-Clause
// The command lines of spare-plan standby.
#include <CLI/CLI.hpp>

#include "core/cli.hpp"
#include "core/error.hpp"
#include "core/tool_main.hpp"
#include "spare_plan/standby/live/command_lines.hpp"
#include "spare_plan/standby/run.hpp"
#include "spare_plan/standby/simulate/run.hpp"
#include "spare_plan/standby/standby.hpp"

namespace spare_plan::standby {
namespace {

void add_history(CLI::App& app, Given& given) {
  app.add_option("HISTORY", given.history, "Jobs that ran, plain or .gz; - for standard input")
      ->type_name("");
  app.add_option("--format", given.format, "Of HISTORY (by its content)")->type_name("F");
  core::add_number(app, "--p0", given.p0, "Share of the jobs that is to start at once (0.9)");
  core::add_count(app, "--window-jobs", given.window_jobs, 1, UINT64_MAX, "Go by the last N jobs");
  core::add_duration(app, "--window", given.window, "Go by the jobs of the last time (all)");
  core::add_number(app, "--window-days", given.window_days, "The same, in days");
  core::add_number(app, "--window-seconds", given.window_seconds, "The same, in seconds");
  core::add_count(app, "--nodes", given.nodes, 1, kMostNodes,
                  "Nodes of the machine; wider jobs are left out");
  core::add_count(app, "--ppn", given.ppn, 1, kMostNodes,
                  "Processors of a node, where HISTORY counts those (1)");
}

void add_output(CLI::App& app, Given& given) {
  app.add_option("-o,--output", given.output, "Write the answer to FILE")->type_name("FILE");
}

void check(const Given& given, const core::SplitArgs& args) {
  const auto wrong = [](const char* text) { throw core::Error(text, core::ExitStatus::usage); };
  if (args.has_dashes) wrong("standby starts nothing, leave out -- and what follows it");
  if (given.history.empty()) wrong("name a HISTORY of jobs, or - for standard input");
}

int nodes_command(const core::SplitArgs& args) {
  Given given;
  CLI::App app{"Print how many nodes of a cluster to keep powered on, idle.", "spare-plan standby"};
  add_history(app, given);
  app.add_option("--group-by", given.group_by, "Print N for each partition or feature")
      ->type_name("partition|feature");
  app.add_flag("--json", given.json, "Print one JSON object");
  app.add_flag("--explain", given.explain, "Say on stderr what the answer rests on");
  app.add_option("--plot", given.plot, "Draw the distribution, .svg or .png")->type_name("FILE");
  add_output(app, given);
  app.add_subcommand("simulate", "Print what policies cost in energy and in waiting");
  app.add_subcommand("plan", "Print which nodes to wake and to switch off now");
  app.add_subcommand("apply", "Wake them and switch them off");
  app.footer("Example: spare-plan standby trace.swf.gz --window 14d --p0 0.85");
  return core::run_tool(app, args.own, [&] {
    check(given, args);
    for (const auto* const late : app.get_subcommands())
      throw core::Error(late->get_name() + " comes first: spare-plan standby " + late->get_name(),
                        core::ExitStatus::usage);
    return print_standby(given);
  });
}

void add_machine(CLI::App& app, SimulationGiven& simulation) {
  core::add_duration(app, "--boot", simulation.boot, "Time in which a node boots (2m)");
  core::add_duration(app, "--shutdown", simulation.shutdown, "and in which it goes off (30s)");
  core::add_number(app, "--watts-on", simulation.watts_on,
                   "Power of a node that is on: tell kWh, too");
  core::add_number(app, "--watts-boot", simulation.watts_boot,
                   "of one that boots or goes off (--watts-on)");
  core::add_number(app, "--watts-off", simulation.watts_off, "and of one that is off (0)");
}

void add_rules(CLI::App& app, SimulationGiven& simulation) {
  const auto word = [&app](const char* name, std::optional<std::string>& value, const char* type,
                           const char* help) {
    app.add_option(name, value, help)->type_name(type);
  };
  word("--policy", simulation.policies, "LIST",
       "Of all-on, all-off, redundant, hybrid, burst (all)");
  core::add_duration(app, "--idle-timeout", simulation.idle_timeout,
                     "Of hybrid: idle time before a node beyond N goes off (5m)");
  word("--backfill", simulation.backfill, "none|easy", "How later jobs overtake (none)");
  word("--queue", simulation.queue, "all|startable",
       "Waiting jobs that ask for nodes: all, or those that could start (all)");
  word("--start", simulation.start, "policy|on|off", "Nodes on in the beginning (policy)");
}

int simulate_command(const core::SplitArgs& args) {
  Given given;
  SimulationGiven simulation;
  CLI::App app{"Print what policies of switching nodes off cost in energy and in waiting.",
               "spare-plan standby simulate"};
  add_history(app, given);
  add_machine(app, simulation);
  add_rules(app, simulation);
  app.add_option("--sweep", simulation.sweep, "Many values of p0, or of nodes always kept on")
      ->type_name("p0|nodes");
  app.add_flag("--json", given.json, "Print a JSON list");
  app.add_option("--plot", given.plot, "Draw slowdown against energy, .svg or .png")
      ->type_name("FILE");
  add_output(app, given);
  app.footer("Example: spare-plan standby simulate trace.swf.gz --nodes 100 --backfill easy");
  return core::run_tool(app, args.own, [&] {
    check(given, args);
    return print_simulation(given, simulation);
  });
}

}  // namespace

int command(core::SplitArgs args) {
  if (core::take_subcommand(args.own, "plan")) return live::plan_command(args);
  if (core::take_subcommand(args.own, "apply")) return live::apply_command(args);
  if (core::take_subcommand(args.own, "simulate")) return simulate_command(args);
  return nodes_command(args);
}

}  // namespace spare_plan::standby
