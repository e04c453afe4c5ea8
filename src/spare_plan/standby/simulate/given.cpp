// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/simulate/given.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/error.hpp"
#include "core/number.hpp"

namespace spare_plan::standby {
namespace {

[[noreturn]] void wrong(const std::string& sentence) {
  throw core::Error(sentence, core::ExitStatus::usage);
}

/// The value of an option that is one of a few words; the first is the default.
template <class T>
T choice(const char* option, const std::optional<std::string>& given,
         std::span<const std::pair<std::string_view, T>> words) {
  if (!given) return words.front().second;
  std::string all;
  for (const auto& [word, value] : words) {
    if (word == *given) return value;
    all += (all.empty() ? "" : ", ") + std::string(word);
  }
  wrong(fmt::format("{}: {} is none of {}", option, core::quoted(*given), all));
}

template <class T, std::size_t N>
T choice(const char* option, const std::optional<std::string>& given,
         const std::pair<std::string_view, T> (&words)[N]) {
  return choice<T>(option, given, std::span<const std::pair<std::string_view, T>>(words));
}

}  // namespace

Machine machine_of(const Given& given, const SimulationGiven& simulation) {
  if (!given.nodes) wrong("simulate: give the nodes of the machine with --nodes");
  Machine machine;
  machine.nodes = static_cast<std::uint32_t>(*given.nodes);
  machine.boot = simulation.boot.value_or(machine.boot);
  machine.shutdown = simulation.shutdown.value_or(machine.shutdown);
  if (std::max(machine.boot, machine.shutdown) > kLongestTime)
    wrong("--boot and --shutdown: so long a time is not possible");
  return machine;
}

Settings settings_of(const Given& given, const SimulationGiven& simulation) {
  Settings settings;
  settings.p0 = share_of(given);
  settings.window = window_of(given);
  settings.idle_timeout = simulation.idle_timeout.value_or(settings.idle_timeout);
  settings.backfill = choice<Backfill>("--backfill", simulation.backfill,
                                       {{"none", Backfill::none}, {"easy", Backfill::easy}});
  settings.queue = choice<Queue>("--queue", simulation.queue,
                                 {{"all", Queue::all}, {"startable", Queue::startable}});
  settings.start =
      choice<Start>("--start", simulation.start,
                    {{"policy", Start::policy}, {"on", Start::on}, {"off", Start::off}});
  return settings;
}

std::vector<Policy> policies_of(const SimulationGiven& simulation) {
  std::vector<Policy> policies;
  if (!simulation.policies) {
    for (const auto& [name, policy] : kPolicies) policies.push_back(policy);
    return policies;
  }
  std::string_view rest = *simulation.policies;
  for (bool more = true; more;) {
    const auto comma = rest.find(',');
    policies.push_back(choice<Policy>("--policy", std::string(rest.substr(0, comma)), kPolicies));
    more = comma != rest.npos;
    if (more) rest.remove_prefix(comma + 1);
  }
  return policies;
}

namespace {

/// all-on and all-off, between which the others are.
std::vector<Settings> ends_of(Settings settings) {
  settings.policy = Policy::all_on;
  std::vector<Settings> runs{settings};
  settings.policy = Policy::all_off;
  runs.push_back(settings);
  return runs;
}

void sweep_shares(std::vector<Settings>& runs, Settings settings,
                  std::span<const Policy> policies) {
  for (const auto policy : policies) {
    settings.policy = policy;
    for (const double p0 : {0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 1.0}) {
      settings.p0 = p0;
      if (policy != Policy::all_on && policy != Policy::all_off) runs.push_back(settings);
    }
  }
}

/// 1, 2, 3, 4, 6, 8, 12, ... nodes, below those of the machine.
void sweep_nodes(std::vector<Settings>& runs, Settings settings, std::uint64_t machine) {
  settings.policy = Policy::fixed;
  const auto keep = [&](std::uint64_t nodes) {
    settings.fixed_nodes = static_cast<std::uint32_t>(nodes);
    if (nodes < machine) runs.push_back(settings);
  };
  keep(1);
  for (std::uint64_t power = 2; power < machine; power *= 2) {
    keep(power);
    keep(power + power / 2);
  }
}

}  // namespace

std::vector<Settings> runs_of(const Given& given, const SimulationGiven& simulation) {
  auto settings = settings_of(given, simulation);
  const auto policies = policies_of(simulation);
  std::vector<Settings> runs;
  if (!simulation.sweep) {
    for (const auto policy : policies) {
      settings.policy = policy;
      runs.push_back(settings);
    }
    return runs;
  }
  enum class Sweep { share, nodes };
  const auto sweep =
      choice<Sweep>("--sweep", simulation.sweep, {{"p0", Sweep::share}, {"nodes", Sweep::nodes}});
  if (sweep == Sweep::nodes && simulation.policies)
    wrong("--sweep nodes keeps so many nodes on, whatever the policy: leave out --policy");
  if (given.p0) wrong("--sweep takes values of its own: leave out --p0");
  runs = ends_of(settings);
  if (sweep == Sweep::share)
    sweep_shares(runs, settings, policies);
  else
    sweep_nodes(runs, settings, *given.nodes);
  return runs;
}

std::optional<Watts> watts_of(const SimulationGiven& simulation) {
  if (!simulation.watts_on) {
    if (simulation.watts_off || simulation.watts_boot)
      wrong("--watts-off and --watts-boot need --watts-on");
    return std::nullopt;
  }
  const Watts watts{*simulation.watts_on, simulation.watts_boot.value_or(*simulation.watts_on),
                    simulation.watts_off.value_or(0)};
  constexpr double kMostWatts = 1e9;
  for (const double value : {watts.on, watts.boot, watts.off})
    if (!(value >= 0 && value <= kMostWatts)) wrong("the watts of a node must be 0 to 1e9");
  return watts;
}

}  // namespace spare_plan::standby
