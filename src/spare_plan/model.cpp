// SPDX-License-Identifier: BSD-3-Clause
// The model of JP2023183342A, eq. (1)-(11), with the extensions t_fix, give-back and slownesses of
// any distribution. A slowness drawn from a step function has the expectation
//     E[ratio of a node] = least + sum over steps of rise x P[the node is on the step or above].
// For the slowest of N nodes that chance is 1 - (1-s)^N, for the n-th fastest of n + k it is
// P[Binomial(n+k, s) > k], s = chance of the step. With one step of chance p and rise alpha - 1
// these are eq. (4), (5) and (7), (8).
#include "spare_plan/model.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace spare_plan {

Slowness two_kinds(double p, double alpha) { return {1, {{p, alpha - 1}}, 0}; }

Curve::Curve(const Parameters& parameters) : parameters_(parameters) {
  const auto& steps = parameters.slowness.steps;
  // With many steps the far tails would cost memory and weigh nothing.
  const long double cut = steps.size() > 1 ? 1e-60L : 1e-330L;
  for (const auto& step : steps)
    steps_.push_back(
        {step.rise, std::log1p(-step.chance), Excludable(parameters.n_node, step.chance, cut)});
  if (!std::isfinite(at(0).cost) || !std::isfinite(at(parameters.n_node).cost))
    throw core::Error("the expected cost is beyond the range of numbers, give smaller times");
}

double Curve::slowest_of(std::uint64_t nodes) const {
  double slowness = parameters_.slowness.least;
  for (const auto& step : steps_) {
    const double exponent = static_cast<double>(nodes) * step.log_normal;
    slowness += exponent < -45 ? step.rise : -step.rise * std::expm1(exponent);
  }
  return slowness;
}

double Curve::slowest_used(std::uint64_t k) const {
  double slowness = parameters_.slowness.least;
  for (const auto& step : steps_) slowness += step.rise * step.enough.exceeded(k);
  return slowness;
}

Point Curve::at(std::uint64_t k) const {
  const auto n = static_cast<double>(parameters_.n_node);
  const auto total = static_cast<double>(parameters_.n_node + k);
  const double before =
      parameters_.t_fix + parameters_.t_bench * slowest_of(parameters_.n_node + k);
  const double app = parameters_.t_cmpt * slowest_used(k) + parameters_.t_comm;
  Point point;
  point.time = before + app;
  point.cost = parameters_.give_back ? total * before + n * app : total * point.time;
  const auto abnormal = parameters_.slowness.abnormal;
  point.excludable = abnormal < steps_.size() ? steps_[abnormal].enough.within(k) : 1;
  return point;
}

double Curve::as_is_time() const {
  return parameters_.t_cmpt * slowest_of(parameters_.n_node) + parameters_.t_comm;
}

double Curve::as_is_cost() const { return static_cast<double>(parameters_.n_node) * as_is_time(); }

std::vector<std::pair<std::uint64_t, std::uint64_t>> Curve::varying() const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const auto& step : steps_)
    if (step.enough.first() < step.enough.last())
      ranges.emplace_back(step.enough.first(), step.enough.last() - 1);
  std::ranges::sort(ranges);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> apart;
  for (const auto& range : ranges) {
    if (!apart.empty() && range.first <= apart.back().second + 1)
      apart.back().second = std::max(apart.back().second, range.second);
    else
      apart.push_back(range);
  }
  return apart;
}

}  // namespace spare_plan
