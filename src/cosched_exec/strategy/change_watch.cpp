// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/change_watch.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace cosched_exec {

namespace {

constexpr double kDiffers = 0.1;
constexpr double kUncertainShare = 0.15;

}  // namespace

double rate_tolerance(double events, double waiting) {
  return std::max(kDiffers + kUncertainShare * waiting, 3 / std::sqrt(std::max(events, 1.0)));
}

void ChangeWatch::begin(const ClassSet& set, ClassId id, const Combination& members) {
  suspects_.erase({set, id});
  members_[{set, id}] = members;
}

ChangeWatch::Verdict ChangeWatch::look(const ClassSet& set, ClassId id, const Sample& mean,
                                       const Sample& now, const Combination& members,
                                       double floor) {
  Verdict verdict;
  const Key key{set, id};
  const auto suspect = suspects_.find(key);
  const double limit = rate_tolerance(std::min(mean.events, now.events), 0);
  if (std::abs(now.rate() - mean.rate()) <= limit * std::max(mean.rate(), floor)) {
    if (suspect != suspects_.end()) suspects_.erase(suspect);
    Combination both;
    std::set_union(members_[key].begin(), members_[key].end(), members.begin(), members.end(),
                   std::back_inserter(both));
    members_[key] = std::move(both);
    return verdict;
  }
  const bool again = suspect != suspects_.end() &&
                     (suspect->second.rate() > mean.rate()) == (now.rate() > mean.rate());
  if (!again) {
    suspects_[key] = now;
    verdict.kind = Verdict::Kind::doubtful;
    return verdict;
  }
  verdict.kind = Verdict::Kind::changed;
  verdict.since = suspect->second;
  verdict.since.add(now);
  suspects_.erase(suspect);
  std::set_difference(members.begin(), members.end(), members_[key].begin(), members_[key].end(),
                      std::back_inserter(verdict.strangers));
  return verdict;
}

}  // namespace cosched_exec
