// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/simulate/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/duration.hpp"

namespace spare_plan::standby {
namespace {

using Json = nlohmann::ordered_json;

bool goes_by_share(Policy policy) {
  return policy == Policy::redundant || policy == Policy::hybrid || policy == Policy::burst;
}

bool better(const Simulated& one, const Simulated& other) {
  const auto &a = one.measures, &b = other.measures;
  return a.energy <= b.energy && a.mean_bounded_slowdown <= b.mean_bounded_slowdown &&
         (a.energy < b.energy || a.mean_bounded_slowdown < b.mean_bounded_slowdown);
}

double delayed_share(const Measures& measures) {
  return static_cast<double>(measures.delayed_by_boot) / static_cast<double>(measures.jobs);
}

Json json_of(const Simulated& run, const JobHistory& history, double all_on_energy, bool best) {
  const auto& m = run.measures;
  const auto& seconds = m.seconds;
  return {{"policy", policy_name(run.settings)},
          {"p0", goes_by_share(run.settings.policy) ? Json(run.settings.p0) : Json(nullptr)},
          {"n_last", m.nodes_last},
          {"jobs", m.jobs},
          {"skipped", history.skipped()},
          {"rejected", history.rejected()},
          {"energy", m.energy},
          {"energy_ratio", m.energy / all_on_energy},
          {"busy", seconds.busy},
          {"idle", seconds.idle},
          {"boot", seconds.boot},
          {"shutdown", seconds.shutdown},
          {"kwh", m.kwh ? Json(*m.kwh) : Json(nullptr)},
          {"mean_bounded_slowdown", m.mean_bounded_slowdown},
          {"mean_wait", m.mean_wait},
          {"max_wait", m.max_wait},
          {"wakes", m.wakes},
          {"shuts", m.shuts},
          {"boots_per_node_day", m.boots_per_node_day},
          {"delayed_by_boot", m.delayed_by_boot},
          {"mean_extra_wait", m.mean_extra_wait},
          {"best_compromise", best},
          {"begin", m.begin},
          {"end", m.end}};
}

}  // namespace

std::vector<bool> best_compromises(std::span<const Simulated> runs) {
  std::vector<bool> best;
  for (const auto& run : runs)
    best.push_back(
        std::ranges::none_of(runs, [&](const Simulated& other) { return better(other, run); }));
  return best;
}

std::string policy_name(const Settings& settings) {
  const auto* const known =
      std::ranges::find(kPolicies, settings.policy, &std::pair<std::string_view, Policy>::second);
  return known == kPolicies.end() ? "fixed" : std::string(known->first);
}

std::string simulation_table(std::span<const Simulated> runs, double all_on_energy) {
  const bool kwh = !runs.empty() && runs.front().measures.kwh;
  auto text = fmt::format("{:<10} {:>5} {:>6} {:>12} {:>7} {:>10} {:>10} {:>9} {:>11} {:>11}{}\n",
                          "policy", "p0", "N", "node-hours", "energy", "slowdown", "wait",
                          "delayed", "extra wait", "boots/n/day", kwh ? "          kWh" : "");
  const auto best = best_compromises(runs);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto& run = runs[i];
    const auto& m = run.measures;
    text += fmt::format(
        "{:<10} {:>5} {:>6} {:>12.1f} {:>6.1f}% {:>10.2f} {:>9.1f}s {:>8.2f}% {:>10.1f}s {:>11.2f}",
        policy_name(run.settings),
        goes_by_share(run.settings.policy) ? fmt::format("{:g}", run.settings.p0) : "",
        m.nodes_last, m.energy / 3600, 100 * m.energy / all_on_energy, m.mean_bounded_slowdown,
        m.mean_wait, 100 * delayed_share(m), m.mean_extra_wait, m.boots_per_node_day);
    if (kwh) text += fmt::format(" {:>12.1f}", *m.kwh);
    text += best[i] ? " *\n" : "\n";
  }
  return text + "* no other one is better in energy or slowdown and not worse in the other\n";
}

std::string simulation_json(std::span<const Simulated> runs, const JobHistory& history,
                            double all_on_energy) {
  auto list = Json::array();
  const auto best = best_compromises(runs);
  for (std::size_t i = 0; i < runs.size(); ++i)
    list.push_back(json_of(runs[i], history, all_on_energy, best[i]));
  return list.dump(2) + "\n";
}

}  // namespace spare_plan::standby
