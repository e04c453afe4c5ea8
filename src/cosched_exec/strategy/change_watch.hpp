// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <utility>

#include "cosched_exec/strategy/estimates.hpp"
#include "cosched_exec/strategy/scheduler.hpp"

namespace cosched_exec {

/// How far apart two rates may be before they differ: 10 % (models.md 3), more where the share of
/// the processors is uncertain, and three standard deviations of a count.
double rate_tolerance(double events, double waiting);

/// Tells noise from a change of speed: the same set is faster or slower than its mean by more than
/// the tolerance in two looks in a row. The members of the class that ran are watched too: when
/// others than before make the difference, they are another class.
class ChangeWatch {
 public:
  struct Verdict {
    enum class Kind {
      agrees,    ///< add the look to the mean
      doubtful,  ///< the next look decides; leave this one out
      changed    ///< `since` is what holds now
    } kind = Kind::agrees;
    Sample since;
    Combination strangers;  ///< members that had no part in the mean
  };
  /// `floor`: differences between rates below it do not count. `members`: ascending.
  Verdict look(const ClassSet& set, ClassId id, const Sample& mean, const Sample& now,
               const Combination& members, double floor);
  /// The mean begins with these members.
  void begin(const ClassSet& set, ClassId id, const Combination& members);

 private:
  using Key = std::pair<ClassSet, ClassId>;
  std::map<Key, Sample> suspects_;
  std::map<Key, Combination> members_;  ///< that had a part in the mean
};

}  // namespace cosched_exec
