// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/speed/meter.hpp"

#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <utility>

namespace cosched_exec {

namespace {

/// Stretches before a task's nature counts as settled, and how often it is looked at in detail
/// from then on.
constexpr int kSettled = 6, kDetailEvery = 8;
/// A measure has failed for good when it told nothing for as many stretches, and as long.
constexpr int kBarrenStretches = 5;
constexpr double kBarrenTime = 5;  // s
/// Judgements in a row that take back that a task spins: a phase may have come to its end.
constexpr int kCalm = 3;

double monotonic_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Meter::Meter(TaskId task, SpeedWish wish, Parts parts)
    : task_(task), wish_(wish), parts_(std::move(parts)), times_(parts_.group) {}

void Meter::feed(std::string_view bytes) {
  if (parts_.progress) parts_.progress->feed(bytes);
}

void Meter::begin(std::span<const pid_t> processes, double ended_cpu) {
  last_ = read(processes, ended_cpu);
}

Observation Meter::end(std::span<const pid_t> processes, double ended_cpu) {
  const Reading after = read(processes, ended_cpu);
  if (in_detail()) judge_spinning(after);
  choose(after);
  const Observation seen = observation(task_, last_, after, source_, spins_);
  ++stretches_;
  last_ = after;
  if (parts_.counters) {
    const Counters::Counts totals = parts_.counters->totals();
    last_.instructions = totals.instructions;
    last_.cycles = totals.cycles;
  }
  return seen;
}

Reading Meter::read(std::span<const pid_t> processes, double ended_cpu) {
  Reading now;
  now.time = monotonic_seconds();
  times_.read(processes, ended_cpu, in_detail() ? Detail::threads : Detail::totals, now);
  if (parts_.counters) {
    const Counters::Counts counts = parts_.counters->read();
    now.instructions = counts.instructions;
    now.cycles = counts.cycles;
  }
  if (parts_.calls && parts_.calls->loaded() && !dropped(Source::calls))
    now.calls = static_cast<double>(parts_.calls->total());
  if (parts_.progress && !dropped(Source::progress)) now.progress = parts_.progress->value();
  return now;
}

/// Both ends of a stretch must be read so; where stretches follow each other without a pause, the
/// end of one is the beginning of the next.
bool Meter::in_detail() const {
  return stretches_ < kSettled || stretches_ % kDetailEvery == 0 ||
         stretches_ % kDetailEvery == kDetailEvery - 1;
}

/// Seen once it stays, since a task in bad company may just not show it.
void Meter::judge_spinning(const Reading& after) {
  if (cosched_exec::spins(last_, after)) {
    spins_ = true;
    calm_ = 0;
  } else if (last_.voluntary && after.voluntary && runs_freely(last_, after) && ++calm_ >= kCalm) {
    spins_ = false;
  }
}

int Meter::rank(Source source) const {
  if (source == Source::none) return std::numeric_limits<int>::max();
  return source == wished(wish_) ? 0 : static_cast<int>(source);
}

bool Meter::dropped(Source source) const { return (dropped_ >> static_cast<unsigned>(source)) & 1; }

/// Whether the source told nothing though it should have: a starved task makes no progress either.
bool Meter::barren(const Reading& after) const {
  if (source_ == Source::none) return false;
  if (!is_counted(source_)) return !works(source_, last_, after);
  const double enough = spins_ || source_ == wished(wish_) ? 1 : 2;
  const bool poor = !works(source_, last_, after) || events(source_, last_, after) < enough;
  return poor && runs_freely(last_, after);
}

void Meter::choose(const Reading& after) {
  barren_ = barren(after) ? barren_ + 1 : 0;
  barren_time_ = barren_ > 0 ? barren_time_ + after.time - last_.time : 0;
  Reading left = after;
  const bool failed = barren_ >= kBarrenStretches && barren_time_ >= kBarrenTime;
  if (failed && source_ == Source::calls) left.calls.reset();
  if (failed && source_ == Source::progress) left.progress.reset();
  if (failed && is_counted(source_)) dropped_ |= 1U << static_cast<unsigned>(source_);

  const Source best = best_source(last_, left, wish_, spins_);
  const bool blind = spins_ && source_ != Source::none && !is_counted(source_);
  const bool better = rank(best) < rank(source_);
  if (failed || blind || (better && (stretches_ < 2 || best == candidate_))) {
    source_ = best;
    barren_ = 0;
    barren_time_ = 0;
  }
  candidate_ = best;
}

std::string Meter::missing() const {
  const Source wanted = wished(wish_);
  if (wanted == Source::none || source_ == wanted || stretches_ < 2) return {};
  return source_ == Source::none
             ? trouble() + "; its speed cannot be told"
             : fmt::format("{}; {} instead", trouble(), cosched_exec::name(source_));
}

/// Why the wished measure does not work.
std::string Meter::trouble() const {
  const Source wanted = wished(wish_);
  if (wanted == Source::progress)
    return !parts_.progress  ? "it is not told how the task shows its progress"
           : dropped(wanted) ? "its progress has stopped while it runs"
                             : "it has shown no progress";
  if (wanted == Source::calls)
    return !parts_.calls || !parts_.calls->loaded()
               ? "its calls cannot be counted (a static or setuid program?)"
               : "it makes hardly any MPI or OpenMP calls";
  if (spins_)
    return fmt::format("it busy-waits, so that {} say nothing of its progress",
                       wanted == Source::cputime ? "CPU seconds" : "instructions");
  if (wanted == Source::cputime) return "it hardly uses a processor";
  const std::string why = parts_.counters ? parts_.counters->missing() : "";
  return why.empty() ? "the hardware counters have counted nothing" : why;
}

}  // namespace cosched_exec
