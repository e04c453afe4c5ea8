// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "spare_plan/standby/report.hpp"

namespace spare_plan::standby {
namespace {

/// How far the picture goes: to nearly all jobs, and well beyond N.
double last_of_view(const Analysis& analysis) {
  constexpr double kNearlyAll = 0.995;
  const auto nearly = std::ranges::find_if(
      analysis.steps, [](const auto& step) { return step.share >= kNearlyAll; });
  return std::max({1.1 * nearly->nodes, 1.5 * analysis.nodes, 4.0});
}

}  // namespace

core::Picture distribution_picture(const Analysis& analysis) {
  const double last = last_of_view(analysis);
  core::Series jobs{"share of the jobs", {{0, 0}}, core::Series::Style::steps};
  for (const auto& [nodes, share] : analysis.steps)
    if (nodes < last) jobs.points.emplace_back(nodes, 100 * share);
  jobs.points.emplace_back(last, jobs.points.back().second);
  const double p0 = 100 * analysis.p0;

  core::Picture picture;
  picture.title = fmt::format("{} jobs: {} node{} for {:.4g} % of them", analysis.jobs,
                              analysis.nodes, analysis.nodes == 1 ? "" : "s", p0);
  picture.x_label = "nodes";
  picture.y_label = "jobs that want at most so many, %";
  picture.series = {
      jobs, {fmt::format("p0 = {:.4g} %", p0), {{0, p0}, {last, p0}}, core::Series::Style::line}};
  picture.marks = {{static_cast<double>(analysis.nodes), fmt::format("N = {}", analysis.nodes)}};
  picture.x_range = {0, last};
  picture.y_range = {0, 105};
  picture.key_below = true;
  return picture;
}

}  // namespace spare_plan::standby
