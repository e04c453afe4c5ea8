// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <iostream>
#include <map>

#include "benchrun/benchrun.hpp"
#include "core/cli.hpp"
#include "core/host_name.hpp"
#include "core/tool_main.hpp"

namespace {

using benchrun::Bind;
using benchrun::Options;
using benchrun::Per;

constexpr std::uint64_t kMostRuns = 100000;

void add_host_options(CLI::App& app, Options& options) {
  app.add_option("--hosts", options.hosts, "Hosts to measure: a host list, n[01-04],m1")
      ->type_name("LIST")
      ->join(',');
  app.add_option("--hostfile", options.hostfile, "Hosts to measure: an Open MPI or MPICH hostfile")
      ->type_name("FILE");
  app.add_option("--launcher", options.launcher, "What starts the ranks (default: auto)")
      ->check(CLI::IsMember({"auto", "mpirun", "srun", "mpiexec", "ssh", "local"}).description(""))
      ->type_name("auto|mpirun|srun|mpiexec|ssh|local");
}

void add_rank_options(CLI::App& app, Options& options) {
  static const std::map<std::string, Per> kPer{
      {"host", Per::host}, {"numa", Per::numa}, {"core", Per::core}, {"slot", Per::slot}};
  app.add_option_function<std::string>(
         "--per", [&](const std::string& name) { options.per = kPer.at(name); },
         "One rank for each of these (default: host; with a command: slot)")
      ->check(CLI::IsMember({"host", "numa", "core", "slot"}).description(""))
      ->type_name("host|numa|core|slot");
  app.add_option_function<std::string>(
         "--bind",
         [&](const std::string& name) {
           options.bind = name == "none" ? Bind::none : Bind::by_default;
         },
         "Binding of ranks (default: as --per says)")
      ->check(CLI::IsMember({"default", "none"}).description(""))
      ->type_name("default|none");
}

void add_run_options(CLI::App& app, Options& options) {
  core::add_count(app, "--runs", options.runs, 1, kMostRuns,
                  "Timed runs (default: until it is known who is slow; with a command: 1)");
  core::add_count(app, "--warmup", options.warm_ups, 0, kMostRuns,
                  "Runs before them (default: 1; with a command: 0)");
  core::add_count(app, "--settle", options.settle, 1, core::kMaxHosts,
                  "Repeat until it is settled which are the N fastest hosts");
  core::add_number(app, "--tolerance", options.tolerance,
                   "How much slower than the others is not slow (default: 0.05)");
  core::add_duration(app, "--budget", options.budget,
                     "Time for all (default: 40 x the warm-up, at least 60s)");
  core::add_duration(app, "--timeout", options.timeout,
                     "Longest silence of a host before it is probed (default: 30s)");
  app.add_flag("--strict", options.strict, "Exit 3 when some host is not ok");
  app.add_flag("--self-test", options.self_test,
               "Print how slow a host must be to be found, by the noise measured here");
  app.add_option("-o,--output", options.output, "Write the answer to FILE")->type_name("FILE");
  app.add_option("--history", options.history,
                 "Folder that collects the tables, or none (default: the user's data folder)")
      ->type_name("DIR|none");
}

int list_benchmarks() {
  for (const benchrun::Benchmark& benchmark : benchrun::bundled_benchmarks())
    std::cout << benchmark.name << "\t" << benchmark.line << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const core::SplitArgs args = core::split_at_dashes(argc, argv);
  Options options;
  bool list = false;
  CLI::App app{
      "Print a table of benchmark times of every host of the allocation.\n"
      "With -- COMMAND: of that command, started as an MPI program or any other.",
      "benchrun"};
  app.add_option("-b,--bench", options.benches, "Benchmark to run (default: compute; see --list)")
      ->type_name("BENCH")
      ->expected(1)
      ->take_all();
  add_host_options(app, options);
  add_rank_options(app, options);
  add_run_options(app, options);
  app.add_flag("--list", list, "Print the benchmarks that there are");
  app.footer("Example: benchrun -o times.csv && mpisel -n 64 times.csv -- mpirun ./app");
  return core::run_tool(app, args.own, [&] {
    if (list) return list_benchmarks();
    if (args.has_dashes && args.command.empty())
      throw core::Error("no command follows --", core::ExitStatus::usage);
    for (const auto& [name, value] :
         {std::pair("--timeout", options.timeout), std::pair("--budget", options.budget)})
      if (value && *value <= 0)
        throw core::Error(std::string(name) + ": 0 leaves no time", core::ExitStatus::usage);
    if (options.tolerance && *options.tolerance <= 0)
      throw core::Error("--tolerance: want a number above 0, such as 0.05",
                        core::ExitStatus::usage);
    options.command = args.command;
    return static_cast<int>(benchrun::benchrun(options));
  });
}
