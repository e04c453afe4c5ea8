// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <sstream>
#include <unordered_set>
#include <utility>

#include "core/allocation.hpp"
#include "core/error.hpp"
#include "core/host_name.hpp"
#include "core/hostlist.hpp"
#include "core/launchers.hpp"
#include "core/number.hpp"
#include "core/output_file.hpp"
#include "core/process.hpp"
#include "core/times.hpp"
#include "mpisel/checks.hpp"
#include "mpisel/compact.hpp"
#include "mpisel/explain.hpp"
#include "mpisel/json.hpp"
#include "mpisel/memory_file.hpp"
#include "mpisel/network.hpp"
#include "mpisel/preflight.hpp"
#include "mpisel/release.hpp"
#include "mpisel/switches.hpp"
#include "mpisel/wrapper.hpp"

namespace mpisel {
namespace {

constexpr const char* kCountVariable = "LAUNCHWISE_N_NODE";
constexpr const char* kDefaultPath = "/bin:/usr/bin";  ///< execvp's, without PATH

[[noreturn]] void usage(const std::string& sentence) {
  throw core::Error(sentence, core::ExitStatus::usage);
}

/// A count that is missing is a wrong command line, unless --otherwise all says what to do without
/// one: then no hosts can be chosen.
std::size_t count_of(const Options& options, const core::Environment& environment) {
  if (options.count) return *options.count;
  const auto status = options.otherwise_all ? core::ExitStatus::unmet : core::ExitStatus::usage;
  const std::string text = environment(kCountVariable).value_or("");
  if (text.empty())
    throw core::Error(
        fmt::format("how many hosts? Give -n N, or set {} (spare-plan does when it submits)",
                    kCountVariable),
        status);
  const auto count = core::parse_count(text, core::kMaxHosts);
  if (!count || *count == 0)
    throw core::Error(fmt::format("{}: {} is not a whole number from 1 to {}", kCountVariable,
                                  core::quoted(text), core::kMaxHosts),
                      status);
  return *count;
}

std::vector<std::string> excluded(const std::string& list) {
  if (list.empty()) return {};
  try {
    return core::parse_hostlist(list, "--exclude");
  } catch (const core::Error& e) {
    usage(e.what());
  }
}

void check_give_back(const Options& options, const std::optional<core::Allocation>& job) {
  if (options.give_back && !job)
    usage(
        "--give-back: this is not the job of a resource manager, so there is nothing to give back");
}

/// The part of the command line that selects but for the count, checked before anything is read.
Request request_of(const Options& options) {
  if (options.max_ratio && *options.max_ratio <= 0)
    usage("--max-ratio: want a number above 0, such as 1.2");
  if (options.yes && !options.give_back) usage("--yes is for --give-back, which is not given");
  Request request;
  request.order = options.order;
  request.max_ratio = options.max_ratio;
  request.exclude = excluded(options.exclude);
  return request;
}

void tell_unknown_excluded(const Request& request, const Selection& selection) {
  std::unordered_set<std::string_view> known;
  for (const Decision& decision : selection.hosts) known.insert(decision.score.host);
  for (const std::string& host : request.exclude)
    if (!known.contains(host)) spdlog::debug("--exclude {}: not in the table", host);
}

struct Choice {
  Selection selection;
  std::vector<core::HostSlots> hosts;  ///< the chosen ones
  std::optional<core::Allocation> job;
};

void require(const Choice& choice) {
  try {
    require_enough(choice.selection);
  } catch (const core::Error& e) {
    const auto hint = spelling_hint(choice.selection, choice.job);
    throw core::Error(hint ? fmt::format("{}; {}", e.what(), *hint) : e.what(), e.status());
  }
}

/// What benchrun was told, by the last block that says it.
double tolerance_of(std::span<const core::TimesBlock> blocks) {
  double tolerance = core::kTolerance;
  for (const core::TimesBlock& block : blocks)
    if (const auto text = block.value("tolerance"))
      if (const auto number = core::parse_number(*text); number && *number > 0) tolerance = *number;
  return tolerance;
}

/// What Slurm knows of the network; nothing, with a warning, where it does not.
std::optional<SwitchTree> known_switches() {
  constexpr double kTimeoutSeconds = 60;
  try {
    const core::Captured told = core::capture({"scontrol", "show", "topology"}, kTimeoutSeconds,
                                              64 << 20, core::Stream::inherit);
    return SwitchTree(told.out);
  } catch (const core::Error& e) {
    spdlog::warn("--compact: no switches are known, so the fastest hosts are taken: {}", e.what());
    return std::nullopt;
  }
}

Choice choose(const Options& options, Request request, core::HostfileFormat format,
              const core::Environment& environment) {
  const std::string path = options.times.value_or("-");
  const std::vector<core::TimesBlock> blocks = core::read_times_file(path);
  core::check_complete(blocks, path == "-" ? "standard input" : path);
  Choice choice;
  choice.job = core::find_allocation(environment);
  check_give_back(options, choice.job);
  if (choice.job) {
    request.allocation.emplace();
    for (const core::HostSlots& host : choice.job->hosts) request.allocation->push_back(host.host);
  }
  core::Scores scores = core::score_hosts(blocks, options.by);
  for (const std::string& sentence : core::remarks(scores)) spdlog::warn("{}", sentence);
  request.tolerance = tolerance_of(blocks);
  request.network = network_of(blocks);
  choice.selection = select(std::move(scores), request);
  tell_unknown_excluded(request, choice.selection);
  if (options.compact)
    if (auto tree = known_switches()) compact(choice.selection, *tree, request.order);
  if (options.explain) {
    explain(std::cerr, choice.selection);
    explain_network(std::cerr, choice.selection);
  }
  require(choice);

  std::optional<unsigned> fixed;
  if (options.slots) fixed = static_cast<unsigned>(*options.slots);
  choice.hosts = with_slots(choice.selection, {fixed, table_allocation(blocks), choice.job});
  check_labels(choice.hosts, choice.job, format);
  for (const std::string& sentence :
       warnings(choice.hosts, blocks, choice.job, format, options.order))
    spdlog::warn("{}", sentence);
  if (const std::string sentence = network_warning(choice.selection); !sentence.empty())
    spdlog::warn("{}", sentence);
  return choice;
}

std::string hostfile_text(const std::vector<core::HostSlots>& hosts, core::HostfileFormat format) {
  std::ostringstream text;
  core::write_hostfile(text, hosts, format);
  return text.str();
}

/// A path that the launcher cannot take for an option.
std::string as_argument(const std::string& path) {
  return path.starts_with('-') ? "./" + path : path;
}

void check_launch_options(const Options& options, const std::vector<std::string>& command) {
  if (!core::is_launcher_program(command.front()))
    usage(fmt::format("{} is no launcher that mpisel knows: want mpirun, mpiexec or srun after --",
                      core::quoted(command.front())));
  if (!options.times || *options.times == "-")
    usage("TIMES must be a file before -- LAUNCHER, since standard input is the launcher's");
  if (options.json) usage("--json does not go with a launcher, whose standard output it would mix");
  if (options.output == "-") usage("-o must be a file before -- LAUNCHER");
  if (!options.output.empty()) check_kept_file(options.output);
}

struct Launch {
  std::vector<std::string> command;
  core::SpawnOptions options;
};

Launch prepare(const Options& options, Request request, const std::vector<std::string>& command,
               const core::Environment& environment) {
  const core::Launcher& launcher = core::recognise_launcher(command.front());
  check_no_hosts(launcher, command);
  const core::HostfileFormat format = format_for(launcher, options.format);
  request.count = count_of(options, environment);
  check_node_count(launcher, command, request.count);
  const Choice choice = choose(options, std::move(request), format, environment);

  const std::string text = hostfile_text(choice.hosts, format);
  std::string path = as_argument(options.output);
  if (!path.empty())
    core::write_output(path, text);
  else if (launcher.kind != core::LauncherKind::srun)
    path = keep_in_memory(text);
  Launch launch{with_hosts(launcher, command, format, path, choice.hosts), {}};
  auto& changes = launch.options.environment;
  if (options.give_back)
    changes = release_others(*choice.job, choice.hosts,
                             options.yes ? Release::act_for_launcher : Release::say, environment);
  if (launcher.kind == core::LauncherKind::srun || !changes.empty())
    std::ranges::copy(task_counts(environment, choice.job, choice.hosts),
                      std::back_inserter(changes));
  spdlog::debug("starting {}", fmt::join(launch.command, " "));
  return launch;
}

}  // namespace

void print_selection(const Options& options, const core::Environment& environment) {
  if (options.otherwise_all) usage("--otherwise all needs a launcher: ... -- mpirun ARGS");
  Request request = request_of(options);
  request.count = count_of(options, environment);
  if (!options.times && ::isatty(STDIN_FILENO) == 1)
    usage("which table? Give TIMES, or - for standard input");
  const core::HostfileFormat format = options.format.value_or(core::HostfileFormat::openmpi);
  const Choice choice = choose(options, std::move(request), format, environment);
  std::ostringstream text;
  if (options.json)
    write_json(text, choice.selection, choice.hosts, options.order);
  else
    core::write_hostfile(text, choice.hosts, format);
  core::write_output(options.output, text.str());
  if (options.give_back)
    release_others(*choice.job, choice.hosts, options.yes ? Release::act : Release::say,
                   environment);
}

void launch(const Options& options, const std::vector<std::string>& command,
            const core::Environment& environment) {
  check_launch_options(options, command);
  const Request request = request_of(options);
  if (!options.otherwise_all) count_of(options, environment);  // before anything is run
  check_runnable(command.front(), environment("PATH").value_or(kDefaultPath));
  Launch prepared{command, {}};
  try {
    prepared = prepare(options, request, command, environment);
  } catch (const core::Error& e) {
    if (e.status() == core::ExitStatus::usage) throw;
    if (!options.otherwise_all) throw core::Error(e.what(), core::ExitStatus::unmet);
    spdlog::warn("{}; {} runs on all hosts, as if without mpisel", e.what(), command.front());
  }
  try {
    core::become(prepared.command, prepared.options);
  } catch (const core::Error& e) {
    throw core::Error(e.what(), core::ExitStatus::unmet);
  }
}

}  // namespace mpisel
