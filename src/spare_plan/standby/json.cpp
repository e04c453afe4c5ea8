// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <nlohmann/json.hpp>

#include "spare_plan/standby/report.hpp"

namespace spare_plan::standby {
namespace {

using Json = nlohmann::ordered_json;

Json steps_json(const std::vector<DemandStep>& steps) {
  auto list = Json::array();
  for (const auto& [nodes, share] : steps) list.push_back({{"n", nodes}, {"share", share}});
  return list;
}

}  // namespace

std::string analysis_json(const Analysis& analysis, const JobHistory& history, GroupBy group_by) {
  auto parts = Json::array(), groups = Json::array();
  for (const auto& part : analysis.parts)
    parts.push_back({{"from", part.from}, {"to", part.to}, {"jobs", part.jobs}, {"n", part.nodes}});
  for (const auto& group : analysis.groups)
    groups.push_back({{"group", group.name}, {"jobs", group.jobs}, {"n", group.nodes}});
  const auto at = std::ranges::find(analysis.steps, analysis.nodes, &DemandStep::nodes);
  const Json json = {{"n", analysis.nodes},
                     {"p0", analysis.p0},
                     {"share", at->share},
                     {"jobs", analysis.jobs},
                     {"jobs_in_history", history.jobs.size()},
                     {"skipped", history.skipped()},
                     {"rejected", history.rejected()},
                     {"still_running", history.still_running},
                     {"n_at", steps_json(analysis.at_share)},
                     {"band_95", {analysis.band_95.first, analysis.band_95.second}},
                     {"powers_of_two", analysis.powers_of_two},
                     {"parts", parts},
                     {"steps", steps_json(analysis.steps)},
                     {"groups", group_by == GroupBy::none ? Json(nullptr) : groups}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace spare_plan::standby
