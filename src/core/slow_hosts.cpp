// SPDX-License-Identifier: BSD-3-Clause
#include "core/slow_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "core/stats.hpp"

namespace core {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Less than this many blocks do not make a host slow.
constexpr std::uint64_t kBlocksToBlame = 2;

enum class Reference { other_hosts, all_hosts };

struct Entry {
  double value = 0;  ///< logarithm of the time
  std::size_t host = 0;
};

double midpoint(const std::vector<Entry>& sorted, std::size_t a, std::size_t b) {
  return std::midpoint(sorted[a].value, sorted[b].value);
}

double median_of(const std::vector<Entry>& sorted) {
  const std::size_t n = sorted.size();
  return midpoint(sorted, (n - 1) / 2, n / 2);
}

/// The median without the entry at `place`.
double median_without(const std::vector<Entry>& sorted, std::size_t place) {
  const std::size_t others = sorted.size() - 1;
  const auto skip = [&](std::size_t i) { return i < place ? i : i + 1; };
  return midpoint(sorted, skip((others - 1) / 2), skip(others / 2));
}

using Repetitions = std::vector<std::vector<Entry>>;

/// The logarithms of the times of some hosts, a list for each repetition, sorted.
Repetitions by_repetition(std::span<const HostTimes> series, std::span<const std::size_t> hosts) {
  Repetitions repetitions;
  std::unordered_map<std::uint64_t, std::size_t> index;
  for (const std::size_t host : hosts)
    for (const Repetition& time : series[host].times) {
      const auto [found, is_new] = index.try_emplace(time.number, repetitions.size());
      if (is_new) repetitions.emplace_back().reserve(hosts.size());
      repetitions[found->second].push_back({std::log(time.seconds), host});
    }
  for (std::vector<Entry>& entries : repetitions) std::ranges::sort(entries, {}, &Entry::value);
  return repetitions;
}

/// Appends to ratios[host] the logarithm of each ratio of the host's time to the reference.
void add_ratios(std::span<const HostTimes> series, std::span<const std::size_t> hosts,
                Reference reference, std::vector<std::vector<double>>& ratios) {
  for (const std::vector<Entry>& entries : by_repetition(series, hosts)) {
    if (entries.size() < 2) continue;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const double middle =
          reference == Reference::all_hosts ? median_of(entries) : median_without(entries, i);
      ratios[entries[i].host].push_back(entries[i].value - middle);
    }
  }
}

/// The logarithms of the ratios in the repetitions that both have.
std::vector<double> paired_ratios(const HostTimes& host, const HostTimes& reference) {
  std::vector<double> ratios;
  auto other = reference.times.begin();
  for (const Repetition& one : host.times) {
    while (other != reference.times.end() && other->number < one.number) ++other;
    if (other != reference.times.end() && other->number == one.number)
      ratios.push_back(std::log(one.seconds / other->seconds));
  }
  return ratios;
}

/// Of logarithms, as ratios.
Interval ratio_interval(const std::vector<double>& logarithms, double error) {
  const Interval interval = median_interval(logarithms, error);
  return {std::exp(interval.low), std::exp(interval.high)};
}

Pace pace_of(const Interval& interval, const Criterion& test) {
  const double limit = 1 + test.tolerance;
  if (interval.high <= limit) return Pace::even;
  return interval.low > limit && test.looks >= kBlocksToBlame ? Pace::slow : Pace::undecided;
}

std::vector<std::size_t> chosen_of(std::span<const std::size_t> a, std::span<const std::size_t> b) {
  std::vector<std::size_t> both(a.begin(), a.end());
  both.insert(both.end(), b.begin(), b.end());
  return both;
}

/// The quotient of a repetition that counts with several benchmarks; ratios to `middles`.
std::vector<Repetition> largest_quotients(const HostScore& host,
                                          const std::vector<double>& middles) {
  std::map<std::uint64_t, std::pair<std::size_t, double>> largest;  // benchmarks seen, quotient
  for (std::size_t bench = 0; bench < middles.size(); ++bench)
    for (const Repetition& one : host.repetitions[bench]) {
      auto& [seen, quotient] = largest[one.number];
      ++seen;
      quotient = std::max(quotient, one.seconds / middles[bench]);
    }
  std::vector<Repetition> times;
  for (const auto& [number, one] : largest)
    if (one.first == middles.size()) times.push_back({number, one.second});
  return times;
}

/// The median node time of each benchmark over the usable hosts of a group.
std::vector<double> middles_of(std::span<const HostScore> hosts,
                               std::span<const std::size_t> groups, std::size_t group) {
  std::vector<std::vector<double>> times;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (groups[i] != group || !hosts[i].usable) continue;
    times.resize(hosts[i].times.size());
    for (std::size_t bench = 0; bench < times.size(); ++bench)
      times[bench].push_back(hosts[i].times[bench]);
  }
  std::vector<double> middles;
  for (std::vector<double>& of_bench : times) middles.push_back(median(std::move(of_bench)));
  return middles;
}

/// A number for each hardware, from 0 in order of first appearance.
std::vector<std::size_t> kinds_of(std::span<const HostScore> hosts) {
  std::unordered_map<std::string_view, std::size_t> numbers;
  std::vector<std::size_t> kinds;
  for (const HostScore& host : hosts)
    kinds.push_back(numbers.try_emplace(host.hardware, numbers.size()).first->second);
  return kinds;
}

}  // namespace

Kinds by_kind(std::span<const HostTimes> series) {
  Kinds kinds;
  for (std::size_t i = 0; i < series.size(); ++i)
    if (!series[i].times.empty()) kinds[series[i].kind].push_back(i);
  return kinds;
}

std::vector<std::vector<double>> ratios_to_others(std::span<const HostTimes> series) {
  std::vector<std::vector<double>> ratios(series.size());
  for (const auto& [kind, hosts] : by_kind(series))
    add_ratios(series, hosts, Reference::other_hosts, ratios);
  return ratios;
}

std::vector<Judged> judge_hosts(std::span<const HostTimes> series, const Criterion& test) {
  const Kinds kinds = by_kind(series);
  const std::vector<std::vector<double>> ratios = ratios_to_others(series);
  const double error = error_at_look(kFlagError, test.looks);
  std::vector<Judged> judged;
  for (std::size_t i = 0; i < series.size(); ++i) {
    Judged one{ratios[i].size(), std::nan(""), {0, kInfinity}, Pace::undecided};
    if (!ratios[i].empty()) {
      one.ratio = std::exp(median(ratios[i]));
      one.interval = ratio_interval(ratios[i], error);
      one.pace = pace_of(one.interval, test);
    } else if (!series[i].times.empty() && kinds.at(series[i].kind).size() == 1) {
      one.pace = Pace::alone;
    }
    judged.push_back(one);
  }
  return judged;
}

std::vector<std::size_t> undecided(std::span<const HostTimes> series,
                                   std::span<const Judged> judged) {
  std::vector<std::size_t> hosts;
  for (std::size_t i = 0; i < judged.size(); ++i)
    if (!series[i].times.empty() && judged[i].pace == Pace::undecided) hosts.push_back(i);
  return hosts;
}

Boundary judge_boundary(std::span<const HostTimes> series, std::span<const std::size_t> kept,
                        std::span<const std::size_t> left, const Criterion& test) {
  if (left.empty() || kept.empty()) return {true, 1, true};
  const std::vector<std::size_t> hosts = chosen_of(kept, left);
  std::vector<std::vector<double>> ratios(series.size());
  add_ratios(series, hosts, Reference::all_hosts, ratios);
  // One end of each host's interval is used: the upper one of those kept, the lower one of others.
  const double error =
      error_at_look(kBoundaryError, test.looks) / static_cast<double>(hosts.size());
  double slowest_kept = 0, fastest_left = kInfinity;
  for (const std::size_t host : kept)
    slowest_kept = std::max(slowest_kept, ratio_interval(ratios[host], error).high);
  for (const std::size_t host : left)
    fastest_left = std::min(fastest_left, ratio_interval(ratios[host], error).low);
  Boundary boundary;
  boundary.gain = fastest_left > 0 ? slowest_kept / fastest_left : kInfinity;
  boundary.settled = boundary.gain <= 1 + test.tolerance;
  boundary.clear = boundary.gain < 1;
  return boundary;
}

std::vector<std::size_t> alike(std::span<const HostTimes> series, std::size_t host,
                               std::uint64_t looks) {
  const double error = error_at_look(kBoundaryError, looks) / 2;  // either side
  std::vector<std::size_t> hosts;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Interval interval = median_interval(paired_ratios(series[i], series[host]), error);
    const bool told = std::isfinite(interval.high);
    if (i == host || (told && interval.low <= 0 && interval.high >= 0)) hosts.push_back(i);
  }
  return hosts;
}

std::vector<HostTimes> series_of(std::span<const HostScore> hosts, Within within) {
  const std::vector<std::size_t> kinds = kinds_of(hosts);
  const std::vector<std::size_t> groups =
      within == Within::kind ? kinds : std::vector<std::size_t>(hosts.size(), 0);
  std::map<std::size_t, std::vector<double>> middles;
  for (const std::size_t group : groups)
    if (!middles.contains(group)) middles[group] = middles_of(hosts, groups, group);
  std::vector<HostTimes> all;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    HostTimes& series = all.emplace_back();
    series.kind = kinds[i];
    if (!hosts[i].usable) continue;
    series.times = hosts[i].repetitions.size() == 1
                       ? hosts[i].repetitions.front()
                       : largest_quotients(hosts[i], middles[groups[i]]);
    std::erase_if(series.times, [](const Repetition& one) {
      return !(one.seconds > 0 && std::isfinite(one.seconds));
    });
  }
  return all;
}

std::string describe(const Boundary& boundary) {
  if (std::isinf(boundary.gain)) return "too few to tell anything";
  const std::string sure = fmt::format("with {:g} % confidence", 100 * (1 - kBoundaryError));
  if (boundary.clear) return "each is faster than any other, " + sure;
  return fmt::format("one that is left out may be faster by {:.3g} % at most, {}",
                     100 * std::max(0.0, boundary.gain - 1), sure);
}

std::string_view to_string(Pace pace) {
  switch (pace) {
    case Pace::undecided:
      return "undecided";
    case Pace::even:
      return "even";
    case Pace::slow:
      return "slow";
    case Pace::alone:
      return "alone";
  }
  return "";
}

std::uint64_t looks_at(std::span<const HostTimes> series) {
  std::size_t most = 0;
  for (const HostTimes& one : series) most = std::max(most, one.times.size());
  return std::max<std::uint64_t>(1, (most + kBlockRuns - 1) / kBlockRuns);
}

}  // namespace core
