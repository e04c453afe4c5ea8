// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "cosched_exec/strategy/choose.hpp"

namespace cosched_exec {

struct Worth {
  double value = 0;  ///< phi
  double speed = 0;  ///< F
};

/// phi(S), what a strategy makes as great as it can (models.md 3): F for par, seq, fcs and
/// automatic, F^2/|S| for pe, sum of f_i/W_i for pf.
class Objective {
 public:
  /// `classes` and `model` must outlive it.
  Objective(Strategy strategy, std::span<const TaskClass> classes, const SpeedModel& model);

  std::span<const TaskClass> classes() const { return classes_; }
  Worth worth(const Counts& counts);
  Choice at(const Counts& counts);

 private:
  Strategy strategy_;
  std::span<const TaskClass> classes_;
  const SpeedModel& model_;
  std::vector<std::vector<double>> shares_;  ///< pf: by class, sums of the first k shares
  std::vector<double> speeds_;               ///< of the combination at hand
};

/// Greater by more than 1e-12 of b.
bool above(double a, double b);
/// Greater phi, or within 1e-12 of it and the smaller bit mask.
bool better(const Choice& a, const Choice& b);

}  // namespace cosched_exec
