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

std::optional<Watts> watts_of(const SimulationGiven& simulation) {
  if (!simulation.watts_on) {
    if (simulation.watts_off || simulation.watts_boot)
      wrong("--watts-off and --watts-boot need --watts-on");
    return std::nullopt;
  }
  const Watts watts{*simulation.watts_on, simulation.watts_boot.value_or(*simulation.watts_on),
                    simulation.watts_off.value_or(0)};
  if (std::min({watts.on, watts.boot, watts.off}) < 0) wrong("watts must not be negative");
  return watts;
}

}  // namespace spare_plan::standby
