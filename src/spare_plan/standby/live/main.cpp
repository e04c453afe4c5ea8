// SPDX-License-Identifier: BSD-3-Clause
// The command lines of spare-plan standby plan and apply.
#include <CLI/CLI.hpp>

#include "core/cli.hpp"
#include "core/error.hpp"
#include "core/tool_main.hpp"
#include "spare_plan/standby/apply/apply.hpp"
#include "spare_plan/standby/live/command_lines.hpp"
#include "spare_plan/standby/live/plan.hpp"

namespace spare_plan::standby::live {
namespace {

using ApplyGiven = apply::Given;

constexpr std::uint64_t kMost = UINT32_MAX - 1;

void add_state(CLI::App& app, Given& given) {
  core::add_count(app, "--keep", given.keep, 0, kMost, "Idle nodes to keep on, N");
  app.add_option("--state", given.state,
                 "What sinfo, squeue, pbsnodes or qstat printed, instead of asking them")
      ->type_name("FILE");
  app.add_option("--scheduler", given.scheduler, "To ask: slurm or pbs (what is there)")
      ->type_name("S");
  app.add_option("--hosts", given.hosts, "The nodes that it is about (all)")->type_name("LIST");
  app.add_option("--ledger", given.ledger, "Where apply notes what it does")->type_name("FILE");
  core::add_number(app, "--time", given.time, "Of --state, in seconds since 1970 (now)");
}

void add_rule(CLI::App& app, Given& given) {
  app.add_option("--queue", given.queue,
                 "Waiting jobs that count: all, or startable within a boot (startable)")
      ->type_name("Q");
  core::add_duration(app, "--boot", given.boot, "Time that a node takes to boot (2m)");
  core::add_duration(app, "--boot-limit", given.boot_limit,
                     "A node that takes longer to come up is given up (10m)");
  core::add_duration(app, "--hold", given.hold,
                     "A smaller N switches nodes off only after so long (30m)");
  core::add_duration(app, "--min-up", given.min_up, "Least time that a node stays on (10m)");
  core::add_duration(app, "--idle-timeout", given.idle_timeout,
                     "Least time that a node is idle before it goes off (5m)");
  core::add_count(app, "--max-change", given.max_change, 1, kMost,
                  "Most nodes to wake, and to switch off, at once");
}

void add_commands(CLI::App& app, Given& given) {
  app.add_option("--path", given.path, "Folders of the scheduler's commands (the system's)")
      ->type_name("DIRS");
  app.add_option("--slurm-conf", given.slurm_conf, "Sets SLURM_CONF for Slurm's commands")
      ->type_name("FILE");
  core::add_duration(app, "--timeout", given.timeout, "Limit for each command (1m)");
}

void add_ways(CLI::App& app, ApplyGiven& given) {
  const auto command = [&app](const char* name, std::vector<std::string>& value, const char* help) {
    app.add_option(name, value, help)->type_name("CMD")->expected(1)->take_all();
  };
  app.add_flag("--yes", given.yes, "Do it, rather than tell what would be done");
  app.add_option("--way", given.way, "slurm-advisor, slurm-owner or commands")->type_name("W");
  app.add_option("--fragment", given.fragment,
                 "Of slurm-advisor before 23.02: file that slurm.conf includes")
      ->type_name("FILE");
  command("--on", given.on, "Of commands: switches {host} on; repeated: in order");
  command("--off", given.off, "Of commands: switches {host} off");
  command("--up", given.up, "Of commands: for {host} that has come up");
  app.add_option("--wake-on-lan", given.wake_on_lan, "Of commands: HOST MAC [ADDRESS] a line")
      ->type_name("FILE");
  core::add_count(app, "--rate", given.rate, 1, kMost, "Most nodes to change a minute (30)");
}

void check(const core::SplitArgs& args) {
  if (args.has_dashes)
    throw core::Error("standby starts nothing, leave out -- and what follows it",
                      core::ExitStatus::usage);
}

}  // namespace

int plan_command(const core::SplitArgs& args) {
  Given given;
  CLI::App app{"Print which nodes to wake and which to switch off now.", "spare-plan standby plan"};
  add_state(app, given);
  add_rule(app, given);
  add_commands(app, given);
  app.add_flag("--json", given.json, "Print one JSON object");
  app.add_option("-o,--output", given.output, "Write the answer to FILE")->type_name("FILE");
  app.footer("Example: spare-plan standby plan --keep \"$(spare-plan standby jobs.swf)\"");
  return core::run_tool(app, args.own, [&] {
    check(args);
    return print_plan(given);
  });
}

int apply_command(const core::SplitArgs& args) {
  ApplyGiven given;
  CLI::App app{"Wake and switch off nodes as plan says; without --yes tell what would be done.",
               "spare-plan standby apply"};
  add_state(app, given.plan);
  add_rule(app, given.plan);
  add_commands(app, given.plan);
  add_ways(app, given);
  app.footer("Example: spare-plan standby apply --keep 8 --way slurm-owner --yes");
  return core::run_tool(app, args.own, [&] {
    check(args);
    return apply::apply(given);
  });
}

}  // namespace spare_plan::standby::live
