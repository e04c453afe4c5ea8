// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/plot.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace spare_plan {
namespace {

constexpr std::uint64_t kMostPoints = 600;
constexpr double kSomeChance = 1e-4;

struct View {
  std::uint64_t first, last;
};

/// The k that the picture shows: from 0, or from where spares begin to help when that is far from
/// 0, to well beyond the answer and the other minimum.
View view_of(const Curve& curve, const Plan& plan) {
  const auto answer = std::max(plan.n_spare, plan.other_minimum.value_or(0));
  std::uint64_t useful = 0, above = answer;
  while (useful < above) {
    const auto middle = useful + (above - useful) / 2;
    if (curve.at(middle).excludable > kSomeChance)
      above = middle;
    else
      useful = middle + 1;
  }
  const auto rise = answer - useful;
  const auto first = useful > answer / 2 && useful > rise ? useful - rise : 0;
  const auto last = answer + (answer - first) + 10;
  return {first, std::min(plan.most_spares, std::max(last, plan.flat_range.second))};
}

struct Unit {
  const char* name;
  double size;
};

Unit unit_of(double cost) {
  if (cost < 36000) return {"node-seconds", 1};
  return {"node-hours", 3600};
}

core::Series cost_series(const Curve& curve, const View& view, const Unit& unit,
                         const std::string& title) {
  core::Series series{title, {}, core::Series::Style::line};
  const auto stride = std::max<std::uint64_t>(1, (view.last - view.first) / kMostPoints);
  for (auto k = view.first; k <= view.last; k += stride)
    series.points.emplace_back(static_cast<double>(k), curve.cost(k) / unit.size);
  return series;
}

std::string spares(std::uint64_t k) {
  return k == 0 ? "no spares" : fmt::format("{} spare{}", k, k == 1 ? "" : "s");
}

std::string title_of(const Plan& plan, std::uint64_t n_node) {
  const double ratio = plan.point.cost / plan.as_is_cost;
  return fmt::format("{} nodes for the application: least cost with {}, {}", n_node,
                     spares(plan.n_spare),
                     plan.worth_it ? fmt::format("{:.3g} % less than as is", 100 * (1 - ratio))
                                   : "but as is costs no more");
}

/// The range of y: the curve and as-is, with room for the key above.
std::pair<double, double> y_range(const core::Series& cost, double as_is) {
  double low = as_is, high = as_is;
  for (const auto& [k, value] : cost.points) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  const double height = std::max(high - low, 1e-3 * high);
  return {low - 0.08 * height, high + 0.25 * height};
}

}  // namespace

core::Picture curve_picture(const Curve& curve, const Plan& plan) {
  const auto view = view_of(curve, plan);
  const auto unit = unit_of(plan.point.cost);
  const auto n = curve.parameters().n_node;
  core::Picture picture;
  picture.title = title_of(plan, n);
  picture.x_label = "spare nodes requested";
  picture.y_label = fmt::format("expected cost, {}", unit.name);

  const auto cost = cost_series(curve, view, unit, "with benchmark and spares");
  const View flat{std::max(plan.flat_range.first, view.first),
                  std::min(plan.flat_range.second, view.last)};
  const double as_is = plan.as_is_cost / unit.size;
  picture.x_range = {static_cast<double>(view.first),
                     static_cast<double>(std::max(view.last, view.first + 1))};
  picture.y_range = y_range(cost, as_is);
  picture.series = {cost,
                    {"as is: no benchmark, no spares",
                     {{picture.x_range->first, as_is}, {picture.x_range->second, as_is}},
                     core::Series::Style::line},
                    {"",
                     {{static_cast<double>(plan.n_spare), plan.point.cost / unit.size}},
                     core::Series::Style::points}};
  if (flat.first < flat.last)
    picture.series.insert(picture.series.begin() + 1,
                          cost_series(curve, flat, unit, "within 1 % of the least"));
  picture.marks = {{static_cast<double>(plan.n_spare), spares(plan.n_spare)}};
  if (plan.other_minimum && *plan.other_minimum > 0)
    picture.marks.push_back({static_cast<double>(*plan.other_minimum), "other minimum"});
  return picture;
}

}  // namespace spare_plan
