// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/live/plan_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace spare_plan::standby::live {
namespace {

std::string lines(const char* what, const std::vector<Choice>& choices) {
  std::string text;
  for (const auto& choice : choices)
    text += fmt::format("{} {}: {}\n", what, choice.node, choice.why);
  return text;
}

std::string summary(const Counts& counts, const Rule& rule) {
  auto text = fmt::format("{} on, {} in use, {} asked for by waiting jobs: {} free, {} to keep",
                          counts.on, counts.used, counts.required, counts.free(), rule.keep);
  if (rule.keep_at_least > rule.keep)
    text += fmt::format(" (and {} at most within --hold, so none goes off below that)",
                        rule.keep_at_least);
  return text + "\n";
}

nlohmann::ordered_json json_of(const std::vector<Choice>& choices) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& choice : choices) list.push_back({{"node", choice.node}, {"why", choice.why}});
  return list;
}

}  // namespace

std::string plan_text(const Decision& decision, const Rule& rule) {
  auto text = summary(decision.counts, rule);
  text += lines("wake", decision.wake) + lines("off ", decision.off) + lines("stay", decision.stay);
  if (decision.missing > 0)
    text += fmt::format("{} more to wake, but no node is off\n", decision.missing);
  if (decision.later > 0)
    text += fmt::format("{} more to change, but no more than {} at once\n", decision.later,
                        rule.max_change);
  if (decision.wake.empty() && decision.off.empty()) text += "nothing to do\n";
  return text;
}

std::string plan_json(const Decision& decision, const Rule& rule, double time) {
  const auto& counts = decision.counts;
  nlohmann::ordered_json json = {{"launchwise_plan", 1},
                                 {"time", time},
                                 {"keep", rule.keep},
                                 {"keep_at_least", std::max(rule.keep, rule.keep_at_least)},
                                 {"n_on", counts.on},
                                 {"n_use", counts.used},
                                 {"n_require", counts.required},
                                 {"n_free", counts.free()},
                                 {"wake", json_of(decision.wake)},
                                 {"off", json_of(decision.off)},
                                 {"stay", json_of(decision.stay)},
                                 {"missing", decision.missing},
                                 {"later", decision.later}};
  return json.dump(2) + "\n";
}

}  // namespace spare_plan::standby::live
