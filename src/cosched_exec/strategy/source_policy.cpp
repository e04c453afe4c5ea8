// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "cosched_exec/strategy/probe.hpp"

namespace cosched_exec {

namespace {

constexpr double kProbe = 0.6;  ///< s: half a second measured (models.md: 3 s cost 28-65 %)

/// fcs, pe, pf: at first each class alone and once the full set, then argmax of phi.
class SourcePolicy : public Policy {
 public:
  SourcePolicy(const SchedulerOptions& options, TaskRecords& records)
      : options_(options), records_(records), probe_(records, kProbe) {}

  Decision decide(const Situation& situation) override;

 private:
  std::optional<Combination> next_probe(const Situation& situation);
  Decision chosen(const Situation& situation);

  SchedulerOptions options_;
  TaskRecords& records_;
  Probe probe_;
  bool tried_all_ = false;
  Combination chosen_;
  double chosen_at_ = 0;
  bool stale_ = true;       ///< to be chosen again
  bool estimated_ = false;  ///< the chosen set was not measured when it was chosen
};

/// A class not measured alone, then the full set.
std::optional<Combination> SourcePolicy::next_probe(const Situation& situation) {
  if (records_.active().size() < 2) return std::nullopt;
  for (const TaskId id : records_.active()) {
    const ClassId kind = records_.task(id).kind;
    if (records_.kind(kind).blind || records_.estimates().measured_alone(kind) ||
        probe_.tried_alone(kind))
      continue;
    const TaskId member = member_to_try(records_, kind);
    if (may_run_alone(situation, member)) return Combination(1, member);
  }
  if (tried_all_) return std::nullopt;
  tried_all_ = true;
  return records_.active();
}

Decision SourcePolicy::chosen(const Situation& situation) {
  const bool pf = options_.strategy == Strategy::pf;
  const CombinationSearch search(
      records_, situation.running, situation.forced,
      {options_.window, options_.interval, options_.interval, pf ? 1.0 : 0.0});
  const Combination completed = search.completed(chosen_);
  // An estimate that has become a measurement is a speed that has changed.
  if (estimated_ && records_.measured(chosen_)) stale_ = true;
  if (stale_ || completed.empty() || completed != chosen_) {
    chosen_ = search.best(options_.strategy, records_.estimates());
    chosen_at_ = situation.now;
    stale_ = false;
    estimated_ = !records_.measured(chosen_);
  }
  return {chosen_, estimated_ ? std::min(kProbe, options_.interval) : options_.interval, false,
          pf ? "fairest speeds" : "fastest together, as measured or estimated",
          search.speed(chosen_, records_.estimates())};
}

Decision SourcePolicy::decide(const Situation& situation) {
  const bool changed = records_.take_change();
  const bool due = options_.strategy == Strategy::pf &&
                   situation.now - chosen_at_ >= options_.interval * (1 - 1e-9);
  stale_ = stale_ || changed || situation.ended || due;
  if (probe_.goes_on(situation)) return probe_.decision();
  if (const auto set = next_probe(situation)) {
    const bool alone = set->size() == 1;
    probe_.begin(*set, alone ? "alone, to know its speed" : "all, to know how they slow down",
                 situation.now);
    stale_ = true;
    return probe_.decision();
  }
  return chosen(situation);
}

}  // namespace

std::unique_ptr<Policy> source_policy(const SchedulerOptions& options, TaskRecords& records) {
  return std::make_unique<SourcePolicy>(options, records);
}

}  // namespace cosched_exec
