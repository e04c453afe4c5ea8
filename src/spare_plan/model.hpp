// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "spare_plan/excludable.hpp"

namespace spare_plan {

inline constexpr std::uint64_t kMostNodes = 10'000'000;

/// How slow a node is: its time is `least` x the nominal one, plus `rise` for every step that it is
/// on or above, which happens with that step's chance.
struct Slowness {
  struct Step {
    double chance;  ///< P[a node is on this step or above], 0..1
    double rise;    ///< > 0
  };
  double least = 1;
  std::vector<Step> steps;
  /// Nodes on this step or above are called abnormal; steps.size(): no node is.
  std::size_t abnormal = 0;
};

/// Normal nodes with ratio 1, abnormal ones with ratio alpha > 1 by chance p: the source's model.
Slowness two_kinds(double p, double alpha);

/// What the plan depends on; times in seconds.
struct Parameters {
  std::uint64_t n_node = 1;  ///< 1..kMostNodes
  Slowness slowness;
  double t_bench = 0;      ///< the benchmark on a normal node, >= 0
  double t_cmpt = 0;       ///< the part of the application that a slow node stretches, > 0
  double t_comm = 0;       ///< the part that it does not, >= 0
  double t_fix = 0;        ///< launch, warm-up and gathering of the benchmark, >= 0
  bool give_back = false;  ///< rejected and spare nodes are given back after the benchmark
};

/// E[C] (node-seconds), E[T] (seconds, t_fix included) and P[N_abn <= k] with k spares.
struct Point {
  double cost = 0;
  double time = 0;
  double excludable = 0;
};

/// The curve E[C](k) for k in 0..n (JP2023183342A eq. (1)-(11)).
class Curve {
 public:
  /// Throws core::Error when a cost is beyond what a double holds.
  explicit Curve(const Parameters& parameters);

  Point at(std::uint64_t k) const;
  double cost(std::uint64_t k) const { return at(k).cost; }
  /// All points of first..last (inclusive), in order.
  template <typename Take>
  void each(std::uint64_t first, std::uint64_t last, Take&& take) const {
    for (std::uint64_t k = first; k <= last; ++k) take(k, at(k));
  }

  /// n nodes, no spares and no benchmark: the As-is of the source.
  double as_is_cost() const;
  double as_is_time() const;

  /// Ranges [first, last] of k, ascending and apart, outside of which no chance changes: there the
  /// cost only rises with k.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> varying() const;

  const Parameters& parameters() const { return parameters_; }

 private:
  struct Step {
    double rise;
    double log_normal;  ///< log P[a node is below this step]
    Excludable enough;
  };
  /// Expected slowness of the slowest of `nodes`.
  double slowest_of(std::uint64_t nodes) const;
  /// Expected slowness of the n-th fastest of n + k.
  double slowest_used(std::uint64_t k) const;

  Parameters parameters_;
  std::vector<Step> steps_;
};

}  // namespace spare_plan
