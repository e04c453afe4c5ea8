// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cosched_exec/speed/reading.hpp"

namespace cosched_exec {

/// Settles on the measure of one task, stretch by stretch: takes a better one that has worked twice
/// in a row (at once in the beginning), and leaves one that tells nothing any more for several
/// stretches in which the task was not held up. Lines or calls that have failed must work for
/// longer to be taken again. A starved task keeps its measure. Pure.
class SourceChoice {
 public:
  explicit SourceChoice(SpeedWish wish) : wish_(wish) {}

  /// A stretch has ended.
  void judge(const Reading& before, const Reading& after);

  Source source() const { return source_; }
  /// Seen once it stays, until the task runs freely for several judgements without spinning: one in
  /// bad company may just not show it.
  bool spins() const { return spins_; }
  int stretches() const { return stretches_; }

 private:
  void judge_spinning(const Reading& before, const Reading& after);
  bool barren(const Reading& before, const Reading& after) const;
  bool fails(const Reading& before, const Reading& after);
  int rank(Source source) const;
  int needed(Source source) const;

  SpeedWish wish_;
  Source source_ = Source::none;
  Source candidate_ = Source::none;  ///< the best of the last stretches
  int in_a_row_ = 0;                 ///< stretches in which it was
  bool spins_ = false;
  int calm_ = 0;  ///< judgements in a row that it does not spin
  int stretches_ = 0;
  int barren_ = 0;          ///< stretches in a row in which the source told nothing
  double barren_time_ = 0;  ///< s
  int failures_ = 0;        ///< of counted measures
};

}  // namespace cosched_exec
