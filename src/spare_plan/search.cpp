// SPDX-License-Identifier: BSD-3-Clause
// The curve may have several local minima (often two, the first at k = 0), so all of them are
// looked for. That needs only the k where some chance changes: between and beyond those ranges E[C]
// rises with k (the number of nodes and the chance of a slow benchmark do, the application's time
// is constant), so a minimum there can only be the range's first k.
#include "spare_plan/search.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace spare_plan {
namespace {

/// Walks over E[C](k) for ascending k and collects where a fall or the start turns into a rise.
/// On a level stretch the first k counts.
class MinimaFinder {
 public:
  void take(std::uint64_t k, double cost) {
    if (!started_ || cost < cost_) {
      candidate_ = k;
    } else if (cost > cost_) {
      flush();
    }
    started_ = true;
    cost_ = cost;
  }
  std::vector<std::uint64_t> finish() {
    flush();
    return std::move(found_);
  }

 private:
  void flush() {
    if (candidate_) found_.push_back(*candidate_);
    candidate_.reset();
  }
  bool started_ = false;
  double cost_ = 0;
  std::optional<std::uint64_t> candidate_;
  std::vector<std::uint64_t> found_;
};

std::pair<std::uint64_t, std::uint64_t> stretch_around(const Curve& curve, std::uint64_t k,
                                                       std::uint64_t most) {
  const double limit = kFlat * curve.cost(k);
  auto low = k, high = k;
  while (low > 0 && curve.cost(low - 1) <= limit) --low;
  while (high < most && curve.cost(high + 1) <= limit) ++high;
  return {low, high};
}

}  // namespace

std::vector<std::uint64_t> local_minima(const Curve& curve, std::uint64_t most_spares) {
  MinimaFinder finder;
  std::uint64_t next = 0;
  const auto take_to = [&](std::uint64_t end) {
    for (; next <= std::min(end, most_spares); ++next) finder.take(next, curve.cost(next));
  };
  take_to(1);
  for (const auto& [first, last] : curve.varying()) {
    if (first > 0) next = std::max(next, first - 1);
    take_to(last + 2);
  }
  next = std::max(next, most_spares);
  take_to(most_spares);
  return finder.finish();
}

Plan search(const Curve& curve, std::optional<std::uint64_t> most_nodes) {
  const auto n = curve.parameters().n_node;
  if (most_nodes && *most_nodes < n)
    throw core::Error(
        fmt::format("--max-nodes {} is less than the {} nodes of -n, no plan fits", *most_nodes, n),
        core::ExitStatus::usage);
  Plan plan;
  plan.most_spares = most_nodes ? std::min(n, *most_nodes - n) : n;
  auto minima = local_minima(curve, plan.most_spares);
  std::ranges::stable_sort(minima, {}, [&](auto k) { return curve.cost(k); });
  plan.n_spare = minima.front();
  plan.point = curve.at(plan.n_spare);
  if (minima.size() > 1) {
    plan.other_minimum = minima[1];
    plan.other_minimum_cost = curve.cost(minima[1]);
  }
  plan.as_is_cost = curve.as_is_cost();
  plan.as_is_time = curve.as_is_time();
  plan.worth_it = plan.point.cost < plan.as_is_cost;
  plan.flat_range = stretch_around(curve, plan.n_spare, plan.most_spares);
  plan.at_end = plan.n_spare == plan.most_spares && plan.n_spare > 0;
  return plan;
}

}  // namespace spare_plan
