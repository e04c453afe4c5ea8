// SPDX-License-Identifier: BSD-3-Clause
// The policy of auto:
// 1. It starts with everything in parallel and looks at it after the first moments, then at
//    growing distances.
// 2. There is cause to do more when a task that spins shares oversubscribed processors, or when a
//    task is slower than its share of the processors explains.
// 3. Without cause everything goes on in parallel. What no look can tell (a slowdown through
//    memory, cache or disks) is screened for: one task of each class, as many at once as there are
//    processors, as far as 3 % of the time pay for it.
// 4. With cause each class that matters is tried alone for a short time: those that spin, or, when
//    the processors explain too little, all.
// 5. Then the set with the greatest weighted speed is run, the weight of a task a little greater
//    the less it has done; unmeasured sets count with estimates: what sharing the processors
//    explains, within the bounds of monotony, or where that explains too little the interpolation;
//    the more of these promises trials have broken, the less they count.
// 6. The full set is left only for a gain of 5 %, any other set for 3 %; an unmeasured one is
//    looked at soon, and left again when it is not what it promised. Something else may have
//    disturbed that one look, so after a while it is forgotten, later each time.
// 7. After a task's end or a change of speeds the rest is chosen from what is known.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "cosched_exec/strategy/probe.hpp"

namespace cosched_exec {

namespace {

constexpr double kProbe = 0.45;            ///< s, the first tenth not measured
constexpr double kFirstLook = 0.1;         ///< s after the first moments
constexpr double kShortLook = 0.5;         ///< s
constexpr double kLookGrowth = 0.25;       ///< of the time since the start
constexpr double kScreening = 0.03;        ///< of the time
constexpr double kWorthLeavingAll = 1.05;  ///< gain in speed
constexpr double kDisappointing = 0.75;    ///< of what a trial promised
constexpr double kLeastTrust = 0.3;
constexpr double kDoubtful = 0.5;   ///< of what it promised: something may have disturbed it
constexpr double kFirstDoubt = 10;  ///< s
constexpr double kDoubtGrowth = 4;
constexpr double kWorthSwitching = 1.03;
constexpr double kSpare = 0.1;  ///< processors too many asked for and still not too many

/// Estimates within what sharing the processors explains.
class ExplainedSpeeds : public SpeedModel {
 public:
  /// `trust`: share of what estimates promise that trials have shown to come true.
  ExplainedSpeeds(const TaskRecords& records, const std::vector<ClassId>& places, double trust)
      : estimates_(records.estimates()), processors_(records.processors()), trust_(trust) {
    for (const ClassId id : places) {
      demands_.push_back(records.kind(id).demand);
      unexplained_.push_back(records.unexplained(id));
    }
  }

  void speeds(std::span<const std::uint16_t> counts, std::span<double> f) const override {
    const bool collide = shared_speeds(demands_, counts, processors_, f);
    estimates_.intervals(counts, [&](std::size_t place, const Interval& interval) {
      if (interval.measured) {
        f[place] = interval.estimate;
        return;
      }
      if (unexplained_[place]) f[place] = std::min(f[place], estimates_.value(interval));
      const double most = interval.upper * (collide && !demands_[place].spins ? kBesideSpinner : 1);
      f[place] = std::max(interval.lower, std::min(trust_ * f[place], most));
    });
  }

 private:
  const Estimates& estimates_;
  double processors_, trust_;
  std::vector<Demand> demands_;
  std::vector<bool> unexplained_;
};

class AutoPolicy : public Policy {
 public:
  AutoPolicy(const SchedulerOptions& options, TaskRecords& records)
      : options_(options), records_(records), probe_(records, kProbe) {}

  Decision decide(const Situation& situation) override;

 private:
  bool unseen(ClassId id) const { return records_.kind(id).least_waiting > 1; }
  bool known_alone(ClassId id) const {
    return records_.estimates().measured_alone(id) || records_.kind(id).blind ||
           probe_.tried_alone(id);
  }
  std::vector<ClassId> classes() const;
  bool spinners_collide() const;
  bool something_unexplained() const;
  bool try_alone(ClassId id, const Situation& situation, const char* reason);
  bool begin_probe(const Situation& situation);
  bool begin_screening(const Situation& situation);
  void end_screening();
  Decision all(const Situation& situation) const;
  Decision chosen(const Situation& situation);
  bool worth_switching(const CombinationSearch& search, const SpeedModel& model,
                       const Combination& from, const Combination& to, double now) const;
  void note_trial(const Situation& situation);
  void forget_old_doubts(const Situation& situation);
  double next_look(double now) const;

  SchedulerOptions options_;
  TaskRecords& records_;
  Probe probe_;
  std::optional<double> begun_;
  std::optional<Combination> screening_;
  std::optional<std::pair<Combination, double>> trial_;  ///< and the speed it promised
  double trust_ = 1;
  /// A set that disappointed: until when that one look counts, and how long it counted.
  struct Doubt {
    double until = 0, seconds = 0;
  };
  std::map<ClassSet, Doubt> doubts_;
  bool apart_ = false;
  double since_ = 0;  ///< when the set was chosen
};

std::vector<ClassId> AutoPolicy::classes() const {
  std::vector<ClassId> result;
  for (const auto& [id, _] : records_.set_of(records_.active())) result.push_back(id);
  return result;
}

bool AutoPolicy::spinners_collide() const {
  double asked = 0;
  bool spins = false;
  for (const auto& [id, count] : records_.set_of(records_.active())) {
    asked += count * records_.kind(id).demand.processors;
    spins = spins || records_.kind(id).demand.spins;
  }
  return spins && asked > records_.processors() + kSpare;
}

bool AutoPolicy::something_unexplained() const {
  const auto ids = classes();
  return std::any_of(ids.begin(), ids.end(), [&](ClassId id) { return records_.unexplained(id); });
}

bool AutoPolicy::try_alone(ClassId id, const Situation& situation, const char* reason) {
  const TaskId member = member_to_try(records_, id);
  if (!may_run_alone(situation, member)) return false;
  probe_.begin(Combination(1, member), reason, situation.now);
  return true;
}

bool AutoPolicy::begin_probe(const Situation& situation) {
  if (records_.active().size() < 2) return false;
  const bool collide = spinners_collide(), unexplained = something_unexplained();
  if (!collide && !unexplained) return begin_screening(situation);
  for (const ClassId id : classes()) {
    if (known_alone(id) || (unseen(id) && !apart_)) continue;
    const bool spins = records_.kind(id).demand.spins;
    if (!spins && !unexplained && !unseen(id)) continue;
    if (try_alone(id, situation, "alone, to know its speed")) return true;
  }
  return false;
}

/// One of each class that was not screened, while processors last.
bool AutoPolicy::begin_screening(const Situation& situation) {
  if (!situation.forced.empty()) return false;
  Combination set;
  double free = records_.processors() + kSpare;
  for (const ClassId id : classes()) {
    const ClassRecord& kind = records_.kind(id);
    if (known_alone(id) || unseen(id) || kind.screened || kind.demand.processors > free) continue;
    free -= kind.demand.processors;
    set.push_back(member_to_try(records_, id));
  }
  if (set.empty()) return false;
  std::sort(set.begin(), set.end());
  if (set == records_.active()) set.erase(set.begin() + 1, set.end());
  const double gain = static_cast<double>(set.size()) /
                      std::max(1.0, records_.speed(records_.set_of(records_.active())));
  const double cost = kProbe * std::max(0.0, 1 - gain);
  if (situation.probing_cost + cost > kScreening * (situation.now - *begun_)) return false;
  probe_.begin(set, "a few, to see whether the others slow them down", situation.now);
  screening_ = set;
  return true;
}

void AutoPolicy::end_screening() {
  if (!screening_) return;
  const ClassSet set = records_.set_of(*screening_);
  for (const auto& [id, _] : set)
    if (const Sample* sample = records_.estimates().find(set, id))
      records_.note_screened(id, sample->rate());
  screening_.reset();
}

double AutoPolicy::next_look(double now) const {
  return std::clamp(kLookGrowth * (now - *begun_), std::min(kShortLook, options_.interval),
                    options_.interval);
}

Decision AutoPolicy::all(const Situation& situation) const {
  const Combination& tasks = records_.active();
  const double speed = records_.speed(records_.set_of(tasks));
  if (tasks.size() == 1) return {tasks, options_.interval, false, "the only one", 1};
  return {tasks, next_look(situation.now), false, "all in parallel: nothing speaks against it",
          speed};
}

/// To do most for those that have done least is worth a switch only now and then.
bool AutoPolicy::worth_switching(const CombinationSearch& search, const SpeedModel& model,
                                 const Combination& from, const Combination& to, double now) const {
  if (search.weighted(to, model) <= kWorthSwitching * search.weighted(from, model)) return false;
  if (search.speed(to, model) > kWorthSwitching * search.speed(from, model)) return true;
  return now - since_ >= options_.interval && (from.size() > 1 || to.size() > 1);
}

Decision AutoPolicy::chosen(const Situation& situation) {
  const CombinationSearch search(records_, situation.running, situation.forced,
                                 {options_.window, options_.interval, options_.interval, 1});
  const ExplainedSpeeds model(records_, search.places(), trust_);
  const Combination all = search.all(), current = search.completed(situation.running);
  Combination set = search.best(Strategy::pf, model);
  const char* reason = "fastest together";
  if ((!apart_ || records_.measured(all)) &&
      search.weighted(all, model) * kWorthLeavingAll >= search.weighted(set, model))
    set = all;
  else if (apart_ && !current.empty() && current != all &&
           !worth_switching(search, model, current, set, situation.now))
    set = current;
  apart_ = set != all;
  if (set != situation.running) since_ = situation.now;
  if (!apart_) reason = "all in parallel: no set is 5 % faster";
  const bool trial = set.size() > 1 && !records_.measured(set);
  if (trial) trial_ = {set, search.speed(set, model)};
  return {set, trial ? kShortLook : next_look(situation.now), trial && apart_,
          trial ? "tried: by estimate the fastest together" : reason, search.speed(set, model)};
}

/// The fewer promises come true, the less is tried.
void AutoPolicy::note_trial(const Situation& situation) {
  if (situation.ended) trust_ = (trust_ + 1) / 2;
  if (!trial_) return;
  const auto [tried, promised] = *std::exchange(trial_, std::nullopt);
  if (situation.ended || !(promised > 0) || !records_.measured(tried)) return;
  const ClassSet set = records_.set_of(tried);
  const double kept = records_.speed(set) / promised;
  trust_ = std::clamp(trust_ * std::sqrt(kept / kDisappointing), kLeastTrust, 1.0);
  if (kept >= kDoubtful) return;
  Doubt& doubt = doubts_[set];
  doubt.seconds = doubt.seconds > 0 ? kDoubtGrowth * doubt.seconds : kFirstDoubt;
  doubt.until = situation.now + doubt.seconds;
}

void AutoPolicy::forget_old_doubts(const Situation& situation) {
  for (auto& [set, doubt] : doubts_) {
    if (situation.now < doubt.until) continue;
    doubt.until = std::numeric_limits<double>::infinity();
    if (set == records_.set_of(situation.running)) continue;
    records_.estimates().forget(set);
    trust_ = (trust_ + 1) / 2;
  }
}

Decision AutoPolicy::decide(const Situation& situation) {
  if (!begun_) begun_ = situation.now;
  note_trial(situation);
  forget_old_doubts(situation);
  records_.take_change();
  if (probe_.goes_on(situation)) return probe_.decision();
  end_screening();
  if (records_.active().size() == 1) return all(situation);
  const auto ids = classes();
  if (!apart_ && std::all_of(ids.begin(), ids.end(), [&](ClassId id) { return unseen(id); }))
    return {records_.active(), options_.first_moments + kFirstLook, false,
            "all in parallel, to see how they get on", 0};
  if (begin_probe(situation)) return probe_.decision();
  if (apart_ || spinners_collide() || something_unexplained()) return chosen(situation);
  apart_ = false;
  return all(situation);
}

}  // namespace

std::unique_ptr<Policy> auto_policy(const SchedulerOptions& options, TaskRecords& records) {
  return std::make_unique<AutoPolicy>(options, records);
}

}  // namespace cosched_exec
