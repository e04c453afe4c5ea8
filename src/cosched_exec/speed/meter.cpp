// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/speed/meter.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace cosched_exec {

namespace {

/// Stretches before a task's nature counts as settled, and how often it is looked at in detail
/// from then on.
constexpr int kSettled = 6, kDetailEvery = 8;

/// Stretches that a task is given to show its progress or to make its first calls.
constexpr int kBeforeComplaints = 2;

/// Whether nothing is known yet that keeps the measure from working.
bool works_from_the_start(Source source, const Meter::Parts& parts) {
  if (source == Source::progress) return parts.progress.has_value();
  if (source == Source::calls) return parts.calls.has_value();
  if (source == Source::ips || source == Source::ipc)
    return parts.counters && parts.counters->missing().empty();
  return true;
}

double monotonic_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Meter::Meter(TaskId task, SpeedWish wish, Parts parts)
    : task_(task), wish_(wish), parts_(std::move(parts)), times_(parts_.group), choice_(wish) {}

void Meter::feed(std::string_view bytes) {
  if (parts_.progress) parts_.progress->feed(bytes);
}

void Meter::begin(std::span<const pid_t> processes, double ended_cpu) {
  last_ = read(processes, ended_cpu);
}

Observation Meter::end(std::span<const pid_t> processes, double ended_cpu) {
  const Reading after = read(processes, ended_cpu);
  choice_.judge(last_, after);
  const Observation seen = observation(task_, last_, after, source(), spins());
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
  times_.read(processes, ended_cpu, detail(), now);
  if (parts_.counters) {
    const Counters::Counts counts = parts_.counters->read();
    now.instructions = counts.instructions;
    now.cycles = counts.cycles;
  }
  if (parts_.calls && parts_.calls->loaded())
    now.calls = static_cast<double>(parts_.calls->total());
  if (parts_.progress) {
    now.progress = parts_.progress->value();
    now.progress_events = parts_.progress->events();
  }
  return now;
}

/// Both ends of a stretch must be read so; where stretches follow each other without a pause, the
/// end of one is the beginning of the next.
Detail Meter::detail() const {
  const int done = choice_.stretches();
  const bool detailed =
      done < kSettled || done % kDetailEvery == 0 || done % kDetailEvery == kDetailEvery - 1;
  return detailed ? Detail::threads : Detail::totals;
}

std::string Meter::missing() const {
  const Source wanted = wished(wish_);
  if (wanted == Source::none || source() == wanted || choice_.stretches() < 1) return {};
  const bool at_once = !works_from_the_start(wanted, parts_);
  if (!at_once && choice_.stretches() < kBeforeComplaints) return {};
  return source() == Source::none
             ? trouble() + "; its speed cannot be told"
             : fmt::format("{}; {} instead", trouble(), cosched_exec::name(source()));
}

std::string Meter::unseen_progress() {
  const bool told = wish_ == SpeedWish::progress && !missing().empty();
  return !parts_.progress || parts_.progress->value() || told ? "" : parts_.progress->absence();
}

/// Why the wished measure does not work.
std::string Meter::trouble() const {
  const Source wanted = wished(wish_);
  if (wanted == Source::progress)
    return !parts_.progress ? "it is not told how the task shows its progress"
           : last_.progress ? "it shows too little progress"
                            : parts_.progress->absence();
  if (wanted == Source::calls)
    return !parts_.calls || !parts_.calls->loaded()
               ? "its calls cannot be counted (a static or setuid program?)"
               : "it makes hardly any MPI or OpenMP calls";
  if (spins())
    return fmt::format("it busy-waits, so that {} say nothing of its progress",
                       wanted == Source::cputime ? "CPU seconds" : "instructions");
  if (wanted == Source::cputime) return "it hardly uses a processor";
  const std::string why = parts_.counters ? parts_.counters->missing() : "";
  return why.empty() ? "the hardware counters have counted nothing" : why;
}

}  // namespace cosched_exec
