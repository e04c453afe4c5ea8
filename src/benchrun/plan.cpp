// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/launchers.hpp"
#include "core/number.hpp"

namespace benchrun {

namespace {

constexpr std::uint64_t kBundledRuns = 3, kBundledWarmUps = 1;
constexpr std::size_t kGemmSize = 512, kGemmRepeats = 10, kTriadRepeats = 4;
constexpr std::size_t kMessageBytes = std::size_t{1} << 20, kExchanges = 3, kPings = 20;
constexpr double kSelfTestBudget = 4;  ///< eight blocks against two
constexpr std::size_t kLeastArray = std::size_t{64} << 20;

[[noreturn]] void refuse(const std::string& sentence) {
  throw core::Error(sentence, core::ExitStatus::usage);
}

std::string known_names() {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : bundled_benchmarks()) names.push_back(benchmark.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void check_benches(const std::vector<std::string>& benches) {
  for (std::size_t i = 0; i < benches.size(); ++i) {
    const auto same = [&](const Benchmark& known) { return known.name == benches[i]; };
    if (std::ranges::none_of(bundled_benchmarks(), same))
      refuse(fmt::format("there is no benchmark {}, only: {}", core::quoted(benches[i]),
                         known_names()));
    if (std::find(benches.begin() + static_cast<std::ptrdiff_t>(i) + 1, benches.end(),
                  benches[i]) != benches.end())
      refuse(fmt::format("the benchmark {} is given twice", benches[i]));
  }
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// A command's name as a field of the table, which knows no quoting.
std::string field(const std::string& path) {
  std::string name = base_name(path);
  for (char& c : name)
    if (static_cast<unsigned char>(c) <= 0x20 || c == ',' || c == '"' || c == '#' || c == 0x7f)
      c = '_';
  return name.empty() ? "command" : name;
}

void check_command(const Options& options) {
  if (!options.benches.empty())
    refuse(fmt::format("give either -b {} or a command, not both", options.benches.front()));
  if (options.command.front().empty()) refuse("the command after -- is empty");
  if (core::is_launcher_program(options.command.front()))
    refuse(fmt::format("the command begins with {}: leave out the launcher, benchrun starts it",
                       options.command.front()));
}

/// Numbers that hold for all hosts alike: the work must be the same everywhere.
std::uint32_t least(const std::vector<unsigned>& counts, std::uint32_t fallback) {
  if (counts.empty()) return fallback;
  return std::max(1U, *std::ranges::min_element(counts));
}

bool all_equal(const std::vector<unsigned>& counts) {
  return std::ranges::adjacent_find(counts, std::not_equal_to<>()) == counts.end();
}

/// Allocated cores of each host: from the scheduler, else the slots; empty when neither is known.
std::vector<unsigned> cores_of(const core::Allocation& allocation) {
  if (!allocation.cpus.empty()) return allocation.cpus;
  std::vector<unsigned> cores;
  for (const core::HostSlots& host : allocation.hosts) cores.push_back(host.slots);
  if (std::ranges::find(cores, 0U) != cores.end()) cores.clear();
  return cores;
}

void place_ranks(Plan& plan, const core::Allocation& allocation, const Machine& machine) {
  const std::vector<unsigned> cores = cores_of(allocation);
  const auto own_cores = static_cast<std::uint32_t>(machine.cores);
  std::uint32_t ranks = 1;
  if (plan.per == Per::core) ranks = least(cores, own_cores);
  if (plan.per == Per::numa)
    ranks = static_cast<std::uint32_t>(std::max<std::size_t>(1, machine.numa_nodes));
  plan.ranks.assign(plan.hosts.size(), ranks);
  if (plan.per == Per::slot)
    for (std::size_t i = 0; i < plan.hosts.size(); ++i)
      plan.ranks[i] = std::max(1U, plan.hosts[i].slots);
  // Zero lets the rank use all that it may, bound or not.
  plan.threads = plan.per == Per::host                            ? least(cores, 0)
                 : plan.per == Per::core || plan.per == Per::slot ? 1
                                                                  : 0;
  if ((plan.per == Per::host || plan.per == Per::core) && !all_equal(cores))
    plan.remarks.push_back(fmt::format(
        "the hosts have different numbers of cores: every host is measured with {}, the least",
        least(cores, 1)));
}

/// The arguments of a benchmark that set its work.
std::vector<std::string> work_of(const std::string& name, const Plan& plan,
                                 const Machine& machine) {
  if (name == "compute")
    return {"--size", fmt::to_string(kGemmSize), "--repeats", fmt::to_string(kGemmRepeats)};
  if (name == "network")
    return {"--message-bytes", fmt::to_string(kMessageBytes),
            "--exchanges",     fmt::to_string(kExchanges),
            "--pings",         fmt::to_string(kPings)};
  const std::uint32_t sharing = *std::ranges::max_element(plan.ranks);
  return {"--array-bytes", fmt::to_string(triad_array_bytes(machine) / sharing), "--repeats",
          fmt::to_string(kTriadRepeats)};
}

/// Without a number of runs the bundled benchmarks are repeated until it is known who is slow, if
/// there are hosts to compare; a command only when told to.
std::optional<Goal> goal_of(const Options& options, const Plan& plan) {
  if (options.settle && options.runs)
    refuse("--settle repeats for as long as it takes: leave out --runs");
  if (options.self_test && (options.settle || options.runs))
    refuse("--self-test measures for as long as it needs: leave out --runs and --settle");
  if (options.self_test && plan.hosts.size() < 2)
    refuse("--self-test compares hosts: it needs two or more");
  if (options.settle || options.self_test)
    return Goal{.fastest = options.settle, .all_blocks = options.self_test};
  if (options.runs || !options.command.empty() || plan.hosts.size() < 2) return std::nullopt;
  return Goal{};
}

/// Network needs two hosts, and one rank on each.
void check_network(Plan& plan, std::vector<std::string>& benches) {
  const auto network = std::ranges::find(benches, "network");
  if (network == benches.end()) return;
  if (plan.per != Per::host)
    refuse("-b network measures between hosts, with one rank on each: leave out --per");
  if (plan.hosts.size() > 1) return;
  const std::string sentence = "one host alone has no network to measure";
  if (benches.size() == 1) throw core::Error(sentence + ": -b network needs two or more");
  benches.erase(network);
  plan.remarks.push_back(sentence + ": -b network is left out");
}

void add_bundled(Plan& plan, const Options& options, const Machine& machine) {
  const std::uint64_t runs = options.runs.value_or(plan.goal ? core::kBlockRuns : kBundledRuns);
  const std::uint64_t warm_ups = options.warm_ups.value_or(kBundledWarmUps);
  std::vector<std::string> benches = options.benches;
  if (benches.empty()) benches = {"compute"};
  check_benches(benches);
  check_network(plan, benches);
  for (const std::string& name : benches) {
    const std::vector<std::string> work = work_of(name, plan, machine);
    std::vector<std::string> argv{name, "--runs", fmt::to_string(runs), "--warmup",
                                  fmt::to_string(warm_ups)};
    argv.insert(argv.end(), work.begin(), work.end());
    plan.steps.push_back({name, true, std::move(argv)});
    if (name == "network") plan.steps.back().parts = {"latency", "exchange"};
    // Not the numbers of runs: tables that differ only in these can be compared.
    const std::string threads = plan.threads == 0 ? "all" : fmt::to_string(plan.threads);
    plan.parameters.emplace_back(
        name, fmt::format("{}{}", fmt::join(work, " "),
                          plan.steps.back().joint() ? "" : " threads=" + threads));
  }
  if (std::ranges::find(benches, "memory") != benches.end() &&
      triad_array_bytes(machine) < 4 * machine.cache_bytes)
    plan.remarks.push_back(
        "there is too little memory for arrays four times as large as the caches: the memory "
        "benchmark also measures the caches");
  plan.phases = {{0, static_cast<std::uint32_t>(runs), plan.goal.has_value()}};
}

void add_command(Plan& plan, const Options& options) {
  check_command(options);
  plan.steps.push_back({field(options.command.front()), false, options.command});
  plan.command_text = fmt::format("{}", fmt::join(options.command, " "));
  plan.parameters.emplace_back("command", plan.command_text);
  for (std::uint64_t i = 0; i < options.warm_ups.value_or(0); ++i) plan.phases.push_back({0, 0});
  for (std::uint64_t i = 0; i < options.runs.value_or(plan.goal ? core::kBlockRuns : 1); ++i)
    plan.phases.push_back({static_cast<std::uint32_t>(i), 1});
}

std::string_view name_of(Per per) {
  switch (per) {
    case Per::host:
      return "host";
    case Per::numa:
      return "numa";
    case Per::core:
      return "core";
    case Per::slot:
      return "slot";
  }
  return "";
}

}  // namespace

std::vector<std::string> Step::benches() const {
  if (parts.empty()) return {name};
  std::vector<std::string> names;
  for (const std::string& part : parts) names.push_back(name + "-" + part);
  return names;
}

bool Plan::has_joint_step() const { return std::ranges::any_of(steps, &Step::joint); }

std::vector<std::string> Plan::benches() const {
  std::vector<std::string> names;
  for (const Step& step : steps)
    for (std::string& name : step.benches()) names.push_back(std::move(name));
  return names;
}

const std::vector<Benchmark>& bundled_benchmarks() {
  static const std::vector<Benchmark> kBenchmarks = {
      {"compute", "matrix products (OpenBLAS), checked; the same work for every thread"},
      {"memory", "triad over arrays four times as large as the last-level caches, checked"},
      {"network",
       "messages between pairs of hosts (MPI): latency, and exchanges of 1 MiB, checked"}};
  return kBenchmarks;
}

std::vector<Phase> block_of(const Plan& plan, std::uint64_t number) {
  const auto first = static_cast<std::uint32_t>(number * core::kBlockRuns);
  if (!plan.has_command()) return {{first, core::kBlockRuns, true}};
  std::vector<Phase> phases;
  for (std::uint32_t i = 0; i < core::kBlockRuns; ++i) phases.push_back({first + i, 1, true});
  return phases;
}

std::size_t triad_array_bytes(const Machine& machine) {
  std::size_t bytes = std::max(kLeastArray, 4 * machine.cache_bytes);
  if (machine.memory_bytes > 0) bytes = std::min(bytes, machine.memory_bytes / 8 / 3);
  return bytes;
}

Plan make_plan(const Options& options, const core::Allocation& allocation, const Machine& machine) {
  Plan plan;
  plan.hosts = allocation.hosts;
  plan.bind = options.bind;
  plan.per = options.per.value_or(options.command.empty() ? Per::host : Per::slot);
  plan.budget = options.budget;
  plan.timeout = options.timeout.value_or(30);
  // Inside a short budget there must be time left to ask and to measure the others again.
  if (plan.budget) {
    plan.timeout = std::min(plan.timeout, *plan.budget / 3);
    plan.probe_limit = std::min(plan.probe_limit, *plan.budget / 3);
  }
  plan.goal = goal_of(options, plan);
  if (options.self_test) plan.budget_per_warm_up *= kSelfTestBudget;
  if (options.tolerance) {
    plan.tolerance = *options.tolerance;
    plan.parameters.emplace_back("tolerance", core::print_number(plan.tolerance));
  }
  place_ranks(plan, allocation, machine);
  if (options.command.empty())
    add_bundled(plan, options, machine);
  else
    add_command(plan, options);
  plan.parameters.emplace_back("per", name_of(plan.per));
  if (plan.bind == Bind::none) plan.parameters.emplace_back("bind", "none");
  return plan;
}

}  // namespace benchrun
