// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/simulate/plot.hpp"

#include <algorithm>

namespace spare_plan::standby {
namespace {

using Point = std::pair<double, double>;
using Value = double (*)(const Measures&);

double slowdown(const Measures& m) { return m.mean_bounded_slowdown; }
double delayed(const Measures& m) {
  return 100 * static_cast<double>(m.delayed_by_boot) / static_cast<double>(m.jobs);
}

/// A series of points for each policy, in the order of its first run.
std::vector<core::Series> points_of(std::span<const Simulated> runs, double all_on_energy,
                                    Value value) {
  std::vector<core::Series> series;
  for (const auto& run : runs) {
    const auto name = policy_name(run.settings);
    auto known = std::ranges::find(series, name, &core::Series::title);
    if (known == series.end())
      known = series.insert(known, {name, {}, core::Series::Style::points});
    known->points.emplace_back(100 * run.measures.energy / all_on_energy, value(run.measures));
  }
  for (auto& one : series) std::ranges::sort(one.points);
  return series;
}

/// The points than which none is lower on both axes.
core::Series front_of(const std::vector<core::Series>& series) {
  std::vector<Point> all;
  for (const auto& one : series) all.insert(all.end(), one.points.begin(), one.points.end());
  std::ranges::sort(all);
  core::Series front{"best compromises", {}, core::Series::Style::steps};
  for (const auto& point : all)
    if (front.points.empty() || point.second < front.points.back().second)
      front.points.push_back(point);
  return front;
}

/// Few jobs and long boots may need more than with all nodes on.
double most_energy(const std::vector<core::Series>& series) {
  double most = 0;
  for (const auto& one : series)
    for (const auto& [energy, value] : one.points) most = std::max(most, energy);
  return most;
}

core::Picture picture_of(std::span<const Simulated> runs, double all_on_energy, Value value,
                         const char* label) {
  core::Picture picture;
  picture.series = points_of(runs, all_on_energy, value);
  picture.series.insert(picture.series.begin(), front_of(picture.series));  // points lie on top
  picture.x_label = "energy, % of that with all nodes on";
  picture.y_label = label;
  picture.x_range = {0, 1.05 * std::max(100.0, most_energy(picture.series))};
  picture.key_below = true;
  return picture;
}

}  // namespace

std::vector<core::Picture> compromise_pictures(std::span<const Simulated> runs,
                                               double all_on_energy) {
  std::vector<core::Picture> pictures{
      picture_of(runs, all_on_energy, slowdown, "mean bounded slowdown"),
      picture_of(runs, all_on_energy, delayed, "jobs delayed by a boot, %")};
  pictures[0].title = "what saving energy costs";
  pictures[0].x_label = "";
  for (auto& series : pictures[1].series) series.title = "";  // one key is enough
  return pictures;
}

}  // namespace spare_plan::standby
