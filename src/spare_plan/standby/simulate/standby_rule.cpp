// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/simulate/standby_rule.hpp"

#include <algorithm>
#include <utility>

namespace spare_plan::standby {
namespace {

constexpr std::uint32_t kWithoutHistory = 1;  // CN1758610A: N in the beginning

class ConstantRule : public StandbyRule {
 public:
  explicit ConstantRule(std::uint32_t nodes) : nodes_(nodes) {}
  std::uint32_t nodes(double, std::size_t) override { return nodes_; }

 private:
  std::uint32_t nodes_;
};

/// Which of the submitted jobs are in the window now: those from first() on.
class WindowStart {
 public:
  WindowStart(std::span<const Job> jobs, const Window& window) : jobs_(jobs), window_(window) {}

  std::size_t first(double now, std::size_t submitted) {
    if (window_.jobs && *window_.jobs < submitted)
      first_ = std::max<std::size_t>(first_, submitted - *window_.jobs);
    if (window_.seconds)
      while (first_ < submitted && jobs_[first_].submit < now - *window_.seconds) ++first_;
    return first_;
  }

 private:
  std::span<const Job> jobs_;
  Window window_;
  std::size_t first_ = 0;
};

/// A quantile of values that enter and leave; computed anew only when one did.
class SlidingQuantile {
 public:
  SlidingQuantile(std::uint32_t largest, double p0) : demand_(largest), p0_(p0) {}

  void add(std::uint32_t value) {
    demand_.add(value);
    known_ = false;
  }
  void remove(std::uint32_t value) {
    demand_.remove(value);
    known_ = false;
  }
  std::uint32_t value() {
    if (!std::exchange(known_, true))
      value_ = demand_.total() == 0 ? kWithoutHistory : demand_.quantile(p0_);
    return value_;
  }

 private:
  Demand demand_;
  double p0_;
  bool known_ = false;
  std::uint32_t value_ = 0;
};

class RedundantRule : public StandbyRule {
 public:
  RedundantRule(std::span<const Job> jobs, const Machine& machine, const Settings& settings)
      : jobs_(jobs), start_(jobs, settings.window), quantile_(machine.nodes, settings.p0) {}

  std::uint32_t nodes(double now, std::size_t submitted) override {
    for (; last_ < submitted; ++last_) quantile_.add(jobs_[last_].nodes);
    for (const auto first = start_.first(now, submitted); first_ < first; ++first_)
      quantile_.remove(jobs_[first_].nodes);
    return quantile_.value();
  }

 private:
  std::span<const Job> jobs_;
  WindowStart start_;
  SlidingQuantile quantile_;
  std::size_t first_ = 0, last_ = 0;  ///< the jobs that count are from first_ to before last_
};

/// The smallest x such that, for a share p0 of the submit instants t of the window, the nodes asked
/// for from t to t + boot, both included, sum up to at most x. An instant counts once that time is
/// over.
class BurstRule : public StandbyRule {
 public:
  BurstRule(std::span<const Job> jobs, const Machine& machine, const Settings& settings)
      : jobs_(jobs),
        machine_(machine),
        start_(jobs, settings.window),
        quantile_(machine.nodes, settings.p0) {}

  std::uint32_t nodes(double now, std::size_t submitted) override {
    while (over_ < submitted && jobs_[over_].submit + machine_.boot < now) take_instant(submitted);
    const auto first = start_.first(now, submitted);
    for (; gone_ < sums_.size() && sums_[gone_].first_job < first; ++gone_)
      quantile_.remove(sums_[gone_].nodes);
    return quantile_.value();
  }

 private:
  struct Sum {
    std::size_t first_job;  ///< of the instant
    std::uint32_t nodes;    ///< more than all are as good as all
  };

  /// The instant of job over_, which is the first of it.
  void take_instant(std::size_t submitted) {
    const double instant = jobs_[over_].submit;
    for (; ahead_ < submitted && jobs_[ahead_].submit <= instant + machine_.boot; ++ahead_)
      ahead_nodes_ += jobs_[ahead_].nodes;
    const auto nodes = std::min<std::uint64_t>(ahead_nodes_ - passed_nodes_, machine_.nodes);
    sums_.push_back({over_, static_cast<std::uint32_t>(nodes)});
    quantile_.add(sums_.back().nodes);
    for (; over_ < submitted && jobs_[over_].submit == instant; ++over_)
      passed_nodes_ += jobs_[over_].nodes;
  }

  std::span<const Job> jobs_;
  Machine machine_;
  WindowStart start_;
  SlidingQuantile quantile_;
  std::vector<Sum> sums_;
  std::size_t over_ = 0, ahead_ = 0, gone_ = 0;
  std::uint64_t passed_nodes_ = 0, ahead_nodes_ = 0;  ///< of the jobs before over_ and ahead_
};

}  // namespace

std::unique_ptr<StandbyRule> standby_rule(std::span<const Job> jobs, const Machine& machine,
                                          const Settings& settings) {
  switch (settings.policy) {
    case Policy::all_on:
      return std::make_unique<ConstantRule>(machine.nodes);
    case Policy::all_off:
      return std::make_unique<ConstantRule>(0);
    case Policy::fixed:
      return std::make_unique<ConstantRule>(std::min(settings.fixed_nodes, machine.nodes));
    case Policy::redundant:
    case Policy::hybrid:
      return std::make_unique<RedundantRule>(jobs, machine, settings);
    case Policy::burst:
      break;
  }
  return std::make_unique<BurstRule>(jobs, machine, settings);
}

}  // namespace spare_plan::standby
