// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <map>

#include "core/cli.hpp"
#include "core/error.hpp"
#include "core/host_name.hpp"
#include "core/tool_main.hpp"
#include "mpisel/run.hpp"

namespace {

constexpr std::uint64_t kMostSlots = std::uint64_t{1} << 20;

template <class Value, class Lookup>
CLI::Option* add_choice(CLI::App& app, const std::string& name,
                        const std::vector<std::string>& choices, Value& value, Lookup lookup,
                        const std::string& help) {
  const std::string listed = CLI::detail::join(choices, "|");
  return app
      .add_option_function<std::string>(
          name, [&value, lookup](const std::string& text) { value = *lookup(text); }, help)
      ->check(CLI::IsMember(choices).description(""))
      ->type_name(listed)
      ->take_last();
}

std::optional<mpisel::Order> order_by_name(const std::string& name) {
  return name == "speed" ? mpisel::Order::speed : mpisel::Order::allocation;
}

void add_output(CLI::App& app, std::string& path) {
  app.add_option_function<std::string>(
         "-o,--output",
         [&path](const std::string& text) {
           if (text.empty()) throw core::Error("-o: an empty file name", core::ExitStatus::usage);
           path = text;
         },
         "Write the answer to FILE")
      ->type_name("FILE");
}

void add_options(CLI::App& app, mpisel::Options& options) {
  core::add_count(app, "-n,--count", options.count, 1, core::kMaxHosts,
                  "Hosts to choose (default: $LAUNCHWISE_N_NODE)");
  app.add_option("TIMES", options.times, "Times table of benchrun(1), - for standard input")
      ->type_name("");
  add_choice(app, "--by", {"median", "mean", "slowest"}, options.by, core::by_name,
             "How a host's repetitions become one time (default: median)");
  add_choice(app, "--order", {"allocation", "speed"}, options.order, order_by_name,
             "Order of the chosen hosts (default: allocation)");
  app.add_option("--exclude", options.exclude, "Hosts never to choose: a host list, n[01-04],m1")
      ->type_name("LIST")
      ->join(',');
  core::add_number(app, "--max-ratio", options.max_ratio,
                   "Leave out hosts slower than R times the median")
      ->type_name("R");
  core::add_count(app, "--slots", options.slots, 1, kMostSlots,
                  "Ranks for each host (default: as in the allocation)")
      ->type_name("K");
  add_choice(app, "--format", core::hostfile_format_names(), options.format, core::hostfile_format,
             "Form of the answer (default: openmpi, or what the launcher reads)")
      ->type_name("FORMAT");
  add_output(app, options.output);
  app.add_flag("--explain", options.explain, "Say on stderr what became of each host and why");
  app.add_flag("--json", options.json, "Print one JSON object about all hosts instead");
  app.add_flag("--compact", options.compact,
               "Of equally fast hosts take those under the fewest switches");
  app.add_flag("--give-back", options.give_back,
               "Say how the hosts not chosen are given back to the scheduler");
  app.add_flag("--yes", options.yes, "With --give-back: do it");
  add_choice(
      app, "--otherwise", {"all"}, options.otherwise_all,
      [](const std::string&) { return std::optional(true); },
      "When no hosts can be chosen, run the launcher unchanged");
  app.footer(
      "Formats: " + CLI::detail::join(core::hostfile_format_names(), ", ") +
      ".\n"
      "With -- LAUNCHER ARGS... it becomes the launcher (mpirun, mpiexec or srun), running on the\n"
      "chosen hosts; TIMES must then be a file.\n"
      "Example: benchrun -o times.csv && mpisel -n 64 times.csv --otherwise all -- mpirun ./app");
}

}  // namespace

int main(int argc, char** argv) {
  mpisel::Options options;
  CLI::App app{"Print a hostfile of the n fastest hosts in a times table, or run a launcher there.",
               "mpisel"};
  const core::SplitArgs args = core::split_at_dashes(argc, argv);
  add_options(app, options);
  return core::run_tool(app, args.own, [&] {
    if (!args.has_dashes)
      mpisel::print_selection(options, core::process_environment());
    else if (args.command.empty())
      throw core::Error("a launcher must follow --", core::ExitStatus::usage);
    else
      mpisel::launch(options, args.command, core::process_environment());
    return 0;
  });
}
