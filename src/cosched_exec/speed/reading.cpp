// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/speed/reading.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace cosched_exec {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// CPU seconds a second below which CPU time is too little to tell a speed by.
constexpr double kHardlyAny = 0.002;
/// Busy threads below which CPU time and instructions are not preferred: what comes in a few
/// bursts, as of a shell that sleeps, differs from one stretch to the next in any company.
constexpr double kWorthCounting = 0.05;
/// Two busy threads lose a little of their time to whatever else runs.
constexpr double kTwoBusyThreads = 1.7;
/// Voluntary switches a CPU second: spinning pairs of threads showed 0..22, others 123 and more.
constexpr double kFewSwitches = 50;
/// CPU seconds below which start-up still decides the rate of switches.
constexpr double kEnoughCpu = 0.05;

/// What a sum may fall by because /proc tells the user and system seconds of ended processes in
/// whole hundredths.
constexpr double kCoarse = 0.025;  // s

using Amount = std::optional<double>;

Amount grown(const Amount& before, const Amount& after) {
  if (!before || !after || *after < *before) return std::nullopt;
  return *after - *before;
}

double grown(double before, double after) { return std::max(0.0, after - before); }

/// Seconds as if nobody had been waited for: all of them for a task that was hardly ever ready.
Amount share_amount(const Reading& before, const Reading& after) {
  if (after.run <= 0) return std::nullopt;  // no schedstat here
  const double seconds = after.time - before.time;
  const double run = grown(before.run, after.run), wait = grown(before.wait, after.wait);
  return run + wait > 0 ? seconds * run / (run + wait) : seconds;
}

Amount ipc_amount(const Reading& before, const Reading& after) {
  const Amount instructions = grown(before.instructions, after.instructions);
  const Amount cycles = grown(before.cycles, after.cycles);
  if (!instructions || !cycles || *cycles <= 0) return std::nullopt;
  return *instructions / *cycles * grown(before.cpu, after.cpu);
}

Amount amount(Source source, const Reading& before, const Reading& after) {
  if (!(after.time > before.time)) return std::nullopt;
  switch (source) {
    case Source::none:
      return std::nullopt;
    case Source::progress:
      return grown(before.progress, after.progress);
    case Source::calls:
      return grown(before.calls, after.calls);
    case Source::ips:
      return grown(before.instructions, after.instructions);
    case Source::ipc:
      return ipc_amount(before, after);
    case Source::cputime:
      return grown(before.cpu, after.cpu);
    case Source::share:
      return share_amount(before, after);
  }
  return std::nullopt;
}

/// The measures in the order in which they are preferred.
std::span<const Source> ladder(bool spins) {
  static constexpr std::array all{Source::progress, Source::calls,   Source::ips,
                                  Source::ipc,      Source::cputime, Source::share};
  return spins ? std::span(all).first(2) : std::span(all);
}

/// Whether there are steps, or processor time, enough to judge by the source unasked.
bool tells_enough(Source source, const Reading& before, const Reading& after, bool spins) {
  if (is_counted(source)) return spins || events(source, before, after) >= kEnoughEvents;
  return source == Source::share || busy_threads(before, after) >= kWorthCounting;
}

}  // namespace

std::string_view name(Source source) {
  switch (source) {
    case Source::none:
      return "none";
    case Source::progress:
      return "progress";
    case Source::calls:
      return "calls";
    case Source::ips:
      return "ips";
    case Source::ipc:
      return "ipc";
    case Source::cputime:
      return "cputime";
    case Source::share:
      return "share";
  }
  return "none";
}

bool is_counted(Source source) { return source == Source::progress || source == Source::calls; }

Source wished(SpeedWish wish) {
  switch (wish) {
    case SpeedWish::automatic:
      return Source::none;
    case SpeedWish::ipc:
      return Source::ipc;
    case SpeedWish::ips:
      return Source::ips;
    case SpeedWish::progress:
      return Source::progress;
    case SpeedWish::calls:
      return Source::calls;
    case SpeedWish::cputime:
      return Source::cputime;
  }
  return Source::none;
}

bool works(Source source, const Reading& before, const Reading& after) {
  const Amount made = amount(source, before, after);
  if (!made) return false;
  if (source == Source::share) return true;
  const double least = source == Source::cputime ? kHardlyAny * (after.time - before.time) : 0;
  return *made > least;
}

double events(Source source, const Reading& before, const Reading& after) {
  if (source == Source::calls) return grown(before.calls, after.calls).value_or(0);
  if (source == Source::progress)
    return grown(before.progress_events, after.progress_events).value_or(kInfinite);
  return kInfinite;
}

Source best_source(const Reading& before, const Reading& after, SpeedWish wish, bool spins) {
  const std::span<const Source> usable = ladder(spins);
  const Source first = wished(wish);
  if (std::find(usable.begin(), usable.end(), first) != usable.end() && works(first, before, after))
    return first;
  for (const Source source : usable)
    if (works(source, before, after) && tells_enough(source, before, after, spins)) return source;
  return Source::none;
}

double busy_threads(const Reading& before, const Reading& after) {
  const double seconds = after.time - before.time;
  if (!(seconds > 0)) return 0;
  const double ready = grown(before.run, after.run) + grown(before.wait, after.wait);
  return std::max(ready, grown(before.cpu, after.cpu)) / seconds;
}

bool spins(const Reading& before, const Reading& after) {
  if (!before.voluntary || !after.voluntary || *after.voluntary < *before.voluntary) return false;
  const double cpu = grown(before.cpu, after.cpu);
  return cpu >= kEnoughCpu && busy_threads(before, after) >= kTwoBusyThreads &&
         static_cast<double>(*after.voluntary - *before.voluntary) < kFewSwitches * cpu;
}

bool runs_freely(const Reading& before, const Reading& after) {
  const double run = grown(before.run, after.run), wait = grown(before.wait, after.wait);
  const double cpu = grown(before.cpu, after.cpu);
  return cpu > 0.5 * (after.time - before.time) && wait <= 0.1 * run;
}

Observation observation(TaskId task, const Reading& before, const Reading& after, Source source,
                        bool spins) {
  Observation seen;
  seen.task = task;
  seen.unit = static_cast<int>(source);
  seen.spins = spins;
  const double seconds = after.time - before.time;
  if (!(seconds > 0)) return seen;
  if (is_counted(source) || works(source, before, after))
    seen.amount = amount(source, before, after);
  seen.events = events(source, before, after);
  seen.cpu = grown(before.cpu, after.cpu) / seconds;
  seen.waiting = grown(before.wait, after.wait) / seconds;
  seen.busy_threads = busy_threads(before, after);
  return seen;
}

double GrowingTotal::take(double sum) {
  if (before_fall_ && sum >= *before_fall_ - kCoarse) last_ = *before_fall_;
  before_fall_.reset();
  if (sum < last_ - kCoarse) {
    before_fall_ = last_;
    last_ = sum;
  }
  total_ += grown(last_, sum);
  last_ = std::max(last_, sum);
  return total_;
}

}  // namespace cosched_exec
