// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "spare_plan/report.hpp"

namespace spare_plan {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// File names need not be UTF-8: what is not is replaced.
std::string text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json json_of(const Fit& fit) {
  Json blocks = Json::array();
  for (const auto& block : fit.blocks)
    blocks.push_back({{"file", block.file},
                      {"line", block.first_line},
                      {"nodes", block.nodes},
                      {"abnormal", block.abnormal},
                      {"unusable", block.unusable}});
  return {{"bench", fit.bench},
          {"p_abn", fit.p_abn},
          {"p_abn_95", {fit.p_abn_95.first, fit.p_abn_95.second}},
          {"alpha_abn", or_null(fit.alpha_abn)},
          {"t_bench", fit.t_bench},
          {"t_fix", or_null(fit.t_fix)},
          {"nodes", fit.nodes},
          {"abnormal", fit.abnormal},
          {"unusable", fit.unusable},
          {"blocks", blocks}};
}

Json json_of(const AppProfile& profile, double scale) {
  return {{"table", profile.table}, {"bench", profile.bench},   {"hosts", profile.hosts},
          {"runs", profile.runs},   {"t_cmpt", profile.t_cmpt}, {"t_comm", profile.t_comm},
          {"scale", scale}};
}

Json json_of(const Inputs& inputs) {
  const auto& p = inputs.parameters;
  Json json = {{"n_node", p.n_node},
               {"p_abn", or_null(inputs.p_abn)},
               {"alpha_abn", or_null(inputs.alpha_abn)},
               {"t_bench", p.t_bench},
               {"t_cmpt", p.t_cmpt},
               {"t_comm", p.t_comm},
               {"t_fix", p.t_fix},
               {"give_back", p.give_back},
               {"max_nodes", or_null(inputs.max_nodes)},
               {"walltime", or_null(inputs.walltime)},
               {"compute_share", or_null(inputs.compute_share)}};
  Json ratios = Json::array();
  if (inputs.ratios)
    for (const auto& [ratio, weight] : *inputs.ratios) ratios.push_back({ratio, weight});
  json["app_profile"] = inputs.profile ? json_of(*inputs.profile, inputs.scale) : Json(nullptr);
  json["slowdowns"] = inputs.ratios ? ratios : Json(nullptr);
  return json;
}

}  // namespace

std::string fit_json(const Fit& fit) { return text(json_of(fit)); }

std::string plan_json(const Inputs& inputs, const Plan& plan) {
  Json json = {{"n_node", inputs.parameters.n_node},
               {"n_spare", plan.n_spare},
               {"n_total", inputs.parameters.n_node + plan.n_spare},
               {"expected_cost", plan.point.cost},
               {"expected_time", plan.point.time},
               {"as_is_cost", plan.as_is_cost},
               {"as_is_time", plan.as_is_time},
               {"ratio", plan.point.cost / plan.as_is_cost},
               {"p_excludable", plan.point.excludable},
               {"worth_it", plan.worth_it},
               {"flat_range", {plan.flat_range.first, plan.flat_range.second}},
               {"other_minimum", or_null(plan.other_minimum)},
               {"other_minimum_cost", plan.other_minimum ? Json(plan.other_minimum_cost) : nullptr},
               {"at_end_of_range", plan.at_end},
               {"parameters", json_of(inputs)}};
  if (inputs.fit) json["fit"] = json_of(*inputs.fit);
  return text(json);
}

std::string unplanned_json(std::uint64_t n_node, std::uint64_t n_spare) {
  Json json = {{"n_node", n_node}, {"n_spare", n_spare}, {"n_total", n_node + n_spare}};
  for (const char* key : {"expected_cost", "expected_time", "as_is_cost", "as_is_time", "ratio",
                          "p_excludable", "worth_it", "flat_range", "other_minimum", "parameters"})
    json[key] = nullptr;
  return text(json);
}

}  // namespace spare_plan
