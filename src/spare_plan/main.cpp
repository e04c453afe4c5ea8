// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>

#include "core/cli.hpp"
#include "core/error.hpp"
#include "core/tool_main.hpp"
#include "spare_plan/run.hpp"
#include "spare_plan/standby/standby.hpp"

namespace {

using spare_plan::Given;
using spare_plan::Wanted;

void add_model_options(CLI::App& app, Given& given) {
  core::add_count(app, "-n,--nodes", given.n_node, 1, spare_plan::kMostNodes,
                  "Nodes that the application uses");
  core::add_number(app, "--p-abn", given.p_abn, "Chance that a node is abnormal (silently slow)");
  core::add_number(app, "--alpha", given.alpha_abn, "Time of an abnormal node / of a normal one");
  core::add_duration(app, "--t-bench", given.t_bench, "Benchmark's time on a normal node");
  core::add_duration(app, "--t-cmpt", given.t_cmpt,
                     "Application's time that a slow node stretches");
  core::add_duration(app, "--t-comm", given.t_comm, "Application's other time (0)");
  core::add_duration(app, "--t-fix", given.t_fix, "What benchrun costs besides --t-bench (0)");
  core::add_duration(app, "--walltime", given.walltime, "Instead of --t-cmpt: the whole time",
                     core::BareNumber::refused);
  core::add_number(app, "--compute-share", given.compute_share, "Its part that is t-cmpt (0.8)");
  app.add_option("--app-profile", given.app_profile,
                 "Instead of --t-cmpt and --t-comm: what 'benchrun -- APP' measured")
      ->type_name("TABLE");
  core::add_number(app, "--scale", given.scale, "The run planned for is X times as long (1)");
  core::add_duration(app, "--abnormal-interval", given.abnormal_interval,
                     "Instead of --p-abn: mean time between undetected abnormalities");
  core::add_duration(app, "--failure-interval", given.failure_interval,
                     "and between failures that the system repairs");
  app.add_option("--slowdowns", given.slowdowns, "Measured node ratios, RATIO [WEIGHT] a line")
      ->type_name("FILE");
  app.add_flag("--give-back", given.give_back, "Spare nodes are given back after the benchmark");
  core::add_count(app, "--max-nodes", given.max_nodes, 1, 2 * spare_plan::kMostNodes,
                  "Most nodes to ask for, spares included");
  app.add_option("--from", given.from_paths, "Fit the rest to times (none named: the history)")
      ->expected(0, 1'000'000)
      ->type_name("TIMES|DIR...");
  app.add_option("--bench", given.bench, "Benchmark to fit (compute, or the only one)")
      ->type_name("NAME");
  core::add_count(app, "--otherwise", given.otherwise, 0, spare_plan::kMostNodes,
                  "Spares to ask for when nothing can be planned");
}

void add_output_options(CLI::App& app, Wanted& wanted) {
  app.add_flag("--json", wanted.json, "Print one JSON object");
  app.add_option("-o,--output", wanted.output, "Write the answer to FILE")->type_name("FILE");
}

/// `fit` falls through to the options of all; those that mean something to a plan only are wrong.
void refuse_options_of_plan(const CLI::App& app, CLI::App& fit) {
  for (const auto* option : app.get_options()) {
    const auto name = option->get_name();
    const bool shared = name == "-v" || name == "-q" || fit.get_option_no_throw(name) != nullptr;
    if (option->count() > 0 && !shared)
      throw core::Error("fit does not take " + name, core::ExitStatus::usage);
  }
}

}  // namespace

int main(int argc, char** argv) {
  auto split = core::split_at_dashes(argc, argv);
  if (core::take_subcommand(split.own, "standby")) return spare_plan::standby::command(split);
  Given given;
  Wanted wanted;
  CLI::App app{"Print how many spare nodes to ask for.", "spare-plan"};
  add_model_options(app, given);
  add_output_options(app, wanted);
  app.add_flag("--explain", wanted.explain, "Say on stderr what the answer means");
  app.add_option("--curve", wanted.curve, "Write the whole curve as CSV")->type_name("FILE");
  app.add_option("--plot", wanted.plot, "Draw the curve, .svg or .png")->type_name("FILE");

  auto* fit =
      app.add_subcommand("fit", "Print what measured times tell: p_abn, alpha_abn, t_bench");
  std::vector<std::string> tables;
  fit->add_option("tables", tables, "Times tables and history folders (none: the history)")
      ->type_name("TIMES|DIR");
  fit->add_option("--bench", given.bench, "Benchmark to fit (compute, or the only one)")
      ->type_name("NAME");
  add_output_options(*fit, wanted);
  app.add_subcommand("standby", "Print how many nodes of a cluster to keep powered on");
  app.footer(
      "spare-plan ... -- sbatch|salloc|qsub|bsub ARGS asks for that many more nodes.\n"
      "Example: spare-plan -n 100 --from --t-cmpt 50m --t-comm 10m -- sbatch job.sh");

  wanted.submit = split.has_dashes;
  wanted.command = split.command;
  return core::run_tool(app, split.own, [&] {
    if (app.got_subcommand("standby"))
      throw core::Error("standby is the first word: spare-plan standby HISTORY",
                        core::ExitStatus::usage);
    if (*fit) refuse_options_of_plan(app, *fit);
    if (*fit) return spare_plan::run_fit(tables, given.bench, wanted, core::process_environment());
    given.from = app.count("--from") > 0;
    std::erase(given.from_paths, "");  // --from without a path
    return spare_plan::run_plan(given, wanted, core::process_environment());
  });
}
