// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/duration.hpp"
#include "core/plural.hpp"
#include "spare_plan/report.hpp"

namespace spare_plan {
namespace {

std::string time_text(double seconds) { return core::human_duration(seconds); }

std::string cost_text(double node_seconds) {
  if (node_seconds < 36000) return fmt::format("{:.6g} node-seconds", node_seconds);
  return fmt::format("{:.6g} node-hours", node_seconds / 3600);
}

std::string percent(double share) {
  if (share > 0.9999 && share < 1) return "over 99.99 %";
  if (share < 0.0001 && share > 0) return "under 0.01 %";
  return fmt::format("{:.4g} %", 100 * share);
}

std::string spares(std::uint64_t k) {
  return k == 0 ? "no spares" : fmt::format("{} spare{}", k, k == 1 ? "" : "s");
}

std::string slowness_text(const Inputs& inputs) {
  if (inputs.ratios)
    return fmt::format("{} measured slowdowns from {:.4g} to {:.4g}", inputs.ratios->size(),
                       inputs.ratios->front().first, inputs.ratios->back().first);
  auto text = fmt::format("a node is abnormal with chance {:.4g}", *inputs.p_abn);
  if (inputs.p_from_fit)
    text += fmt::format(" (95 % interval {:.4g} to {:.4g})", inputs.fit->p_abn_95.first,
                        inputs.fit->p_abn_95.second);
  if (inputs.alpha_abn) text += fmt::format(" and then {:.4g} times slower", *inputs.alpha_abn);
  return text;
}

std::string profile_text(const AppProfile& profile, double scale) {
  const auto times = scale == 1 ? "" : fmt::format("{:.6g} times ", scale);
  return fmt::format(" ({}what {} tells of {}: {} on {})", times, profile.table, profile.bench,
                     core::counted(profile.runs, "run"), core::counted(profile.hosts, "host"));
}

std::string application_text(const Inputs& inputs) {
  const auto& p = inputs.parameters;
  auto text = fmt::format("{} computing and {} that a slow node does not stretch",
                          time_text(p.t_cmpt), time_text(p.t_comm));
  if (inputs.profile) text += profile_text(*inputs.profile, inputs.scale);
  if (inputs.walltime)
    text += fmt::format(" (computing is {:.4g} of the wall time of {}{})", *inputs.compute_share,
                        time_text(*inputs.walltime),
                        *inputs.compute_share == kComputeShare ? ", assumed" : "");
  return text;
}

std::string fixed_text(double t_fix) {
  return t_fix > 0 ? fmt::format(", and {} for starting it and gathering", time_text(t_fix)) : "";
}

/// Two node-second amounts as "x % less" or "x % more".
std::string against(double cost, double as_is) {
  const double ratio = cost / as_is;
  if (ratio < 1) return fmt::format("{:.3g} % less than as is", 100 * (1 - ratio));
  return fmt::format("{:.3g} % more than as is", 100 * (ratio - 1));
}

std::string flat_text(const Plan& plan) {
  const auto [low, high] = plan.flat_range;
  if (low == high) return fmt::format("only {} costs within 1 % of the least", spares(low));
  return fmt::format("{} to {} spares cost within 1 % of the least", low, high);
}

std::string warnings(const Inputs& inputs, const Plan& plan) {
  std::string text;
  if (!plan.worth_it)
    text +=
        "Not worth it: running the application as it is, without spares and without a benchmark, "
        "costs no more.\n";
  if (plan.at_end)
    text +=
        plan.most_spares == inputs.parameters.n_node
            ? "The least cost is at the end of the range (as many spares as nodes) or beyond it.\n"
            : fmt::format("--max-nodes is the limit: more than {} might cost less.\n",
                          spares(plan.most_spares));
  if (plan.other_minimum)
    text += fmt::format("The curve has another minimum, at {}: {}{}.\n",
                        spares(*plan.other_minimum), cost_text(plan.other_minimum_cost),
                        *plan.other_minimum == plan.most_spares
                            ? ", the end of the range, and beyond it the cost may fall further"
                            : "");
  return text;
}

}  // namespace

std::string explanation(const Inputs& inputs, const Plan& plan) {
  const auto& p = inputs.parameters;
  std::string text = fmt::format("Ask for {} nodes: {} for the application and {}.\n",
                                 p.n_node + plan.n_spare, p.n_node, spares(plan.n_spare));
  text += warnings(inputs, plan);
  text += fmt::format("  nodes        {}\n", slowness_text(inputs));
  text += fmt::format("  benchmark    {}{}\n", time_text(p.t_bench), fixed_text(p.t_fix));
  text += fmt::format("  application  {}\n", application_text(inputs));
  text += fmt::format("  expected     {}, {}, {}\n", cost_text(plan.point.cost),
                      time_text(plan.point.time), against(plan.point.cost, plan.as_is_cost));
  text += fmt::format("  as is        {}, {}: {} nodes, no benchmark\n", cost_text(plan.as_is_cost),
                      time_text(plan.as_is_time), p.n_node);
  text += fmt::format("  enough       {} is the chance that no abnormal node has to be used\n",
                      percent(plan.point.excludable));
  text += fmt::format("  flat         {}\n", flat_text(plan));
  if (p.give_back)
    text += "  give back    rejected and spare nodes are given back after the benchmark\n";
  text += "Not counted: a request for more nodes may wait longer in the queue.\n";
  return text;
}

std::string fit_text(const Fit& fit) {
  std::string text = fmt::format("benchmark  {}\n", fit.bench);
  text +=
      fmt::format("nodes      {}: {} abnormal, {} unusable, in {} block{}\n", fit.nodes,
                  fit.abnormal, fit.unusable, fit.blocks.size(), fit.blocks.size() == 1 ? "" : "s");
  text += fmt::format("p_abn      {:.6g}, 95 % interval {:.6g} to {:.6g}\n", fit.p_abn,
                      fit.p_abn_95.first, fit.p_abn_95.second);
  text += fit.alpha_abn ? fmt::format("alpha_abn  {:.6g}\n", *fit.alpha_abn)
                        : std::string("alpha_abn  unknown, no abnormal node was seen\n");
  text += fmt::format("t_bench    {:.6g} s\n", fit.t_bench);
  text += fit.t_fix ? fmt::format("t_fix      {:.6g} s\n", *fit.t_fix)
                    : std::string("t_fix      unknown, no block tells its elapsed time\n");
  for (const auto& block : fit.blocks) {
    text += fmt::format("{}:{}  {} node{}", block.file, block.first_line, block.nodes,
                        block.nodes == 1 ? "" : "s");
    if (!block.abnormal.empty())
      text += fmt::format(", abnormal: {}", fmt::join(block.abnormal, " "));
    if (!block.unusable.empty())
      text += fmt::format(", unusable: {}", fmt::join(block.unusable, " "));
    text += "\n";
  }
  return text;
}

}  // namespace spare_plan
