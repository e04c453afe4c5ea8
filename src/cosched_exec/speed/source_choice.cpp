// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/speed/source_choice.hpp"

#include <algorithm>
#include <limits>

namespace cosched_exec {

namespace {

/// A measure has failed when it told nothing for as many stretches, and as long.
constexpr int kBarrenStretches = 5;
constexpr double kBarrenTime = 5;  // s
/// Judgements in a row that take back that a task spins: a phase may have come to its end.
constexpr int kCalm = 3;
/// Stretches in which the first measure that works is taken for a better one at once.
constexpr int kBeginning = 2;
/// Stretches in a row after that; for counted measures twice as many with each failure.
constexpr int kInARow = 2, kMostDoublings = 4;

}  // namespace

int SourceChoice::rank(Source source) const {
  if (source == Source::none) return std::numeric_limits<int>::max();
  return source == wished(wish_) ? 0 : static_cast<int>(source);
}

int SourceChoice::needed(Source source) const {
  return is_counted(source) ? kInARow << std::min(failures_, kMostDoublings) : kInARow;
}

void SourceChoice::judge_spinning(const Reading& before, const Reading& after) {
  if (!before.voluntary || !after.voluntary) return;
  if (cosched_exec::spins(before, after)) {
    spins_ = true;
    calm_ = 0;
  } else if (runs_freely(before, after) && ++calm_ >= kCalm) {
    spins_ = false;
  }
}

/// Whether the source told nothing though it should have.
bool SourceChoice::barren(const Reading& before, const Reading& after) const {
  if (source_ == Source::none) return false;
  if (!is_counted(source_)) return !works(source_, before, after);
  const double enough = spins_ || source_ == wished(wish_) ? 1 : 2;
  const bool poor = !works(source_, before, after) || events(source_, before, after) < enough;
  return poor && runs_freely(before, after);
}

bool SourceChoice::fails(const Reading& before, const Reading& after) {
  barren_ = barren(before, after) ? barren_ + 1 : 0;
  barren_time_ = barren_ > 0 ? barren_time_ + after.time - before.time : 0;
  return barren_ >= kBarrenStretches && barren_time_ >= kBarrenTime;
}

void SourceChoice::judge(const Reading& before, const Reading& after) {
  judge_spinning(before, after);
  const bool failed = fails(before, after);
  if (failed && is_counted(source_)) ++failures_;
  const Source best = best_source(before, after, wish_, spins_);
  in_a_row_ = best == candidate_ ? in_a_row_ + 1 : 1;
  candidate_ = best;
  const bool blind = spins_ && source_ != Source::none && !is_counted(source_);
  const bool better =
      rank(best) < rank(source_) && (stretches_ < kBeginning || in_a_row_ >= needed(best));
  if (failed || blind || better) {
    source_ = best;
    barren_ = 0;
    barren_time_ = 0;
  }
  ++stretches_;
}

}  // namespace cosched_exec
