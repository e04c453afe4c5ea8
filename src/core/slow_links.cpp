// SPDX-License-Identifier: BSD-3-Clause
#include "core/slow_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "core/pairs.hpp"
#include "core/plural.hpp"
#include "core/stats.hpp"

namespace core {

namespace {

/// Less looks do not make a link slow, as with hosts.
constexpr std::uint64_t kLooksToBlame = 2;

class Names {
 public:
  explicit Names(std::vector<std::string>& names) : names_(names) {}
  std::uint32_t number(const std::string& name) {
    const auto [found, is_new] =
        numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.push_back(name);
    return found->second;
  }

 private:
  std::vector<std::string>& names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

std::uint64_t looks_at(const Links& links) {
  std::size_t most = 0;
  for (const LinkTimes& link : links.times) most = std::max(most, link.rests.size());
  return std::max<std::uint64_t>(1, (most + kBlockRuns - 1) / kBlockRuns);
}

/// Logarithms beyond which a rest is slow, by benchmark.
std::vector<double> limits_of(const Links& links) {
  std::vector<std::vector<double>> middles(links.benches.size());
  for (const LinkTimes& link : links.times) middles[link.bench].push_back(median(link.rests));
  std::vector<double> limits;
  for (const std::vector<double>& all : middles)
    limits.push_back(std::max(std::log(1 + kLinkTolerance), kLinkSpreads * scaled_mad(all, 0)));
  return limits;
}

}  // namespace

Links links_of(std::span<const TimesBlock> blocks) {
  Links links;
  Names hosts(links.hosts), benches(links.benches);
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, LinkTimes> times;
  for (const TimesBlock& block : blocks)
    for (const HostSlots& entry : block.allocation()) hosts.number(entry.host);
  for (const TimesBlock& block : blocks)
    for (const PairRun& run : pair_runs(block)) {
      const std::uint32_t bench = benches.number(block.benches[run.bench]);
      for (std::size_t i = 0; i < run.pairs.size(); ++i) {
        const PairTime& pair = run.pairs[i];
        std::uint32_t a = hosts.number(block.hosts[pair.a]);
        std::uint32_t b = hosts.number(block.hosts[pair.b]);
        if (a > b) std::swap(a, b);
        LinkTimes& link = times[{bench, a, b}];
        std::tie(link.a, link.b, link.bench) = std::tuple(a, b, bench);
        link.rests.push_back(run.fit.links[i]);
        link.excess.push_back(pair.log_time - run.fit.level);
      }
    }
  for (auto& [key, link] : times) links.times.push_back(std::move(link));
  return links;
}

std::vector<JudgedLink> judge_links(const Links& links) {
  const std::vector<double> limits = limits_of(links);
  const std::uint64_t looks = looks_at(links);
  const double error = error_at_look(kLinkError, looks) /
                       static_cast<double>(std::max<std::size_t>(1, links.times.size()));
  std::vector<JudgedLink> all;
  for (const LinkTimes& link : links.times) {
    const Interval interval = median_interval(link.rests, error);
    const double middle = median(link.rests), limit = limits[link.bench];
    JudgedLink judged;
    judged.runs = link.rests.size();
    judged.ratio = std::exp(middle);
    judged.interval = {std::exp(interval.low), std::exp(interval.high)};
    judged.excess = std::exp(median(link.excess));
    if (interval.low > limit && looks >= kLooksToBlame)
      judged.pace = Pace::slow;
    else if (middle > limit)
      judged.pace = Pace::undecided;
    all.push_back(judged);
  }
  return all;
}

LinkCounts count_links(const Links& links, std::span<const JudgedLink> judged) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> all, slow;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const std::pair pair(links.times[i].a, links.times[i].b);
    all.insert(pair);
    if (judged[i].pace == Pace::slow) slow.insert(pair);
  }
  return {all.size(), slow.size()};
}

std::string describe(const Links& links, std::size_t index, const JudgedLink& judged) {
  const LinkTimes& link = links.times[index];
  const std::string ends =
      std::isfinite(judged.interval.high)
          ? fmt::format("between {:.3g} and {:.3g} ", judged.interval.low, judged.interval.high)
          : "";
  return fmt::format(
      "{} - {}: the link is slow: {} takes {:.3g} times what the two hosts account "
      "for, {}after {}",
      links.hosts[link.a], links.hosts[link.b], links.benches[link.bench], judged.ratio, ends,
      counted(judged.runs, "run"));
}

}  // namespace core
