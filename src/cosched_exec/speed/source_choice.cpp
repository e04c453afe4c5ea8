// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/speed/source_choice.hpp"

#include <limits>

namespace cosched_exec {

namespace {

/// A measure has failed for good when it told nothing for as many stretches, and as long.
constexpr int kBarrenStretches = 5;
constexpr double kBarrenTime = 5;  // s
/// Judgements in a row that take back that a task spins: a phase may have come to its end.
constexpr int kCalm = 3;
/// Stretches in which the first measure that works is taken for a better one at once.
constexpr int kBeginning = 2;

}  // namespace

bool SourceChoice::dropped(Source source) const {
  return ((dropped_ >> static_cast<unsigned>(source)) & 1) != 0;
}

int SourceChoice::rank(Source source) const {
  if (source == Source::none) return std::numeric_limits<int>::max();
  return source == wished(wish_) ? 0 : static_cast<int>(source);
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
  Reading left = after;
  if (failed && source_ == Source::calls) left.calls.reset();
  if (failed && source_ == Source::progress) left.progress.reset();
  if (failed && is_counted(source_)) dropped_ |= 1U << static_cast<unsigned>(source_);

  const Source best = best_source(before, left, wish_, spins_);
  const bool blind = spins_ && source_ != Source::none && !is_counted(source_);
  const bool better = rank(best) < rank(source_);
  if (failed || blind || (better && (stretches_ < kBeginning || best == candidate_))) {
    source_ = best;
    barren_ = 0;
    barren_time_ = 0;
  }
  candidate_ = best;
  ++stretches_;
}

}  // namespace cosched_exec
