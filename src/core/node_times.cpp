// SPDX-License-Identifier: BSD-3-Clause
#include "core/node_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "core/error.hpp"
#include "core/host_name.hpp"
#include "core/number.hpp"
#include "core/stats.hpp"

namespace core {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint32_t kNoIndex = std::numeric_limits<std::uint32_t>::max();

/// One ok row of a series (a host and a benchmark). repetition is unique over the blocks.
struct Sample {
  std::uint64_t repetition;
  double seconds;
};

double quotient(double value, double reference) {
  if (reference != 0) return value / reference;
  return value == 0 ? 1 : std::numeric_limits<double>::infinity();
}

/// Keeps the slowest sample of each repetition; returns how many repetitions there are.
std::size_t keep_slowest_ranks(std::span<Sample> samples) {
  if (!std::ranges::is_sorted(samples, {}, &Sample::repetition))
    std::ranges::sort(samples, {}, &Sample::repetition);
  std::size_t kept = 0;
  for (const Sample& sample : samples) {
    if (kept > 0 && samples[kept - 1].repetition == sample.repetition)
      samples[kept - 1].seconds = std::max(samples[kept - 1].seconds, sample.seconds);
    else
      samples[kept++] = sample;
  }
  return kept;
}

double node_time(std::span<Sample> samples, By by) {
  if (samples.empty()) return kNone;
  std::vector<double> times(keep_slowest_ranks(samples));
  std::ranges::transform(samples.first(times.size()), times.begin(), &Sample::seconds);
  switch (by) {
    case By::median:
      return median(std::move(times));
    case By::mean:
      return mean(times);
    case By::slowest:
      return std::ranges::max(times);
  }
  return kNone;
}

class Scorer {
 public:
  Scorer(std::span<const TimesBlock> blocks, By by, std::optional<std::string_view> only_bench)
      : blocks_(blocks), by_(by), only_bench_(only_bench) {}

  Scores score() {
    name_hosts();
    name_benches();
    collect();
    rate();
    return std::move(scores_);
  }

 private:
  std::uint32_t host_index(std::string_view name) {
    const auto [found, is_new] =
        index_.try_emplace(name, static_cast<std::uint32_t>(index_.size()));
    if (is_new) {
      if (index_.size() > kMaxHosts)
        throw Error(fmt::format("the tables hold more than {} hosts", kMaxHosts));
      scores_.hosts.emplace_back().host = name;
    }
    return found->second;
  }

  void name_hosts() {
    std::vector<std::vector<HostSlots>> allocations;
    for (const TimesBlock& block : blocks_) allocations.push_back(block.allocation());
    for (const auto& allocation : allocations)
      for (const HostSlots& entry : allocation) host_index(entry.host);
    for (const TimesBlock& block : blocks_)
      for (const std::string& host : block.hosts) hosts_of_.emplace_back(host_index(host));
    index_.clear();  // its keys were views into allocations
  }

  void name_benches() {
    for (const TimesBlock& block : blocks_)
      for (const std::string& bench : block.benches) {
        const bool wanted = !only_bench_ || bench == *only_bench_;
        const auto found = std::ranges::find(scores_.benches, bench);
        benches_of_.push_back(wanted ? static_cast<std::uint32_t>(found - scores_.benches.begin())
                                     : kNoIndex);
        if (wanted && found == scores_.benches.end()) scores_.benches.push_back(bench);
        if (!wanted) others_.push_back(bench);
      }
    if (only_bench_ && scores_.benches.empty())
      throw Error(fmt::format("no row has the benchmark {}{}", quoted(*only_bench_),
                              others_.empty() ? "" : ", the table has " + others_.front()));
    if (scores_.benches.size() > kMaxBenches)
      throw Error(fmt::format("the tables hold more than {} benchmarks", kMaxBenches));
  }

  /// Calls visit(global host, global bench or kNoIndex, block's number, row) for every row.
  template <typename Visit>
  void for_each_row(Visit visit) const {
    std::size_t first_host = 0;
    std::size_t first_bench = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      for (const TimesRow& row : blocks_[i].rows)
        visit(hosts_of_[first_host + row.host], benches_of_[first_bench + row.bench], i, row);
      first_host += blocks_[i].hosts.size();
      first_bench += blocks_[i].benches.size();
    }
  }

  /// Sorts the ok rows by host and benchmark (counting), then makes node times of them.
  void collect() {
    const std::size_t benches = scores_.benches.size();
    std::vector<std::size_t> ends(scores_.hosts.size() * benches + 1, 0);
    for_each_row([&](std::uint32_t host, std::uint32_t bench, std::size_t, const TimesRow& row) {
      note_rank(host, row);
      if (bench == kNoIndex) return;
      RowStatus& worst = scores_.hosts[host].worst;
      if (row.status == RowStatus::ok)
        ++ends[host * benches + bench + 1];
      else if (worst == RowStatus::ok)
        worst = row.status;
    });
    count_ranks();
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<Sample> samples(ends.back());
    for_each_row([&](std::uint32_t host, std::uint32_t bench, std::size_t block,
                     const TimesRow& row) {
      if (bench == kNoIndex || row.status != RowStatus::ok) return;
      samples[ends[host * benches + bench]++] = {std::uint64_t{block} << 32 | row.run, row.seconds};
    });
    // Each entry has moved on to its series' end, which is where the next series begins.
    std::size_t begin = 0;
    for (std::size_t i = 0; i < scores_.hosts.size() * benches; ++i) {
      const auto series = std::span(samples).subspan(begin, ends[i] - begin);
      scores_.hosts[i / benches].times.push_back(node_time(series, by_));
      begin = ends[i];
    }
  }

  /// Remembers a host's rank; one that is noted already is mostly left out at once.
  void note_rank(std::uint32_t host, const TimesRow& row) {
    constexpr std::uint32_t kMostFiltered = 1U << 24;
    if (!row.rank) return;
    const std::uint32_t rank = *row.rank;
    if (rank < kMostFiltered) {
      if (rank >= noted_by_.size()) noted_by_.resize(std::size_t{rank} + 1, kNoIndex);
      if (noted_by_[rank] == host) return;
      noted_by_[rank] = host;
    }
    ranks_.push_back(std::uint64_t{host} << 32 | rank);
  }

  void count_ranks() {
    std::ranges::sort(ranks_);
    const auto end = std::unique(ranks_.begin(), ranks_.end());
    for (auto at = ranks_.begin(); at != end; ++at) ++scores_.hosts[*at >> 32].ranks;
  }

  std::vector<double> of_usable(const std::function<double(const HostScore&)>& value) const {
    std::vector<double> values;
    for (const HostScore& host : scores_.hosts)
      if (host.usable) values.push_back(value(host));
    return values;
  }

  /// Scores and ratios from the node times.
  void rate() {
    for (HostScore& host : scores_.hosts) {
      host.usable = host.worst == RowStatus::ok && !host.times.empty() &&
                    std::ranges::none_of(host.times, [](double t) { return std::isnan(t); });
      host.score = host.ratio = kNone;
      scores_.usable += host.usable ? 1 : 0;
    }
    if (scores_.usable == 0) return;
    std::vector<double> medians;
    for (std::size_t i = 0; i < scores_.benches.size(); ++i)
      medians.push_back(median(of_usable([i](const HostScore& host) { return host.times[i]; })));
    for (HostScore& host : scores_.hosts)
      if (host.usable) host.score = combined(host, medians);
    const double middle = median(of_usable([](const HostScore& host) { return host.score; }));
    for (HostScore& host : scores_.hosts)
      if (host.usable) host.ratio = quotient(host.score, middle);
  }

  static double combined(const HostScore& host, std::span<const double> medians) {
    if (medians.size() == 1) return host.times[0];
    double largest = 0;
    for (std::size_t i = 0; i < medians.size(); ++i)
      largest = std::max(largest, quotient(host.times[i], medians[i]));
    return largest;
  }

  std::span<const TimesBlock> blocks_;
  By by_;
  std::optional<std::string_view> only_bench_;
  Scores scores_;
  std::unordered_map<std::string_view, std::uint32_t> index_;
  std::vector<std::uint32_t> hosts_of_;    ///< blocks' host indices to ours, block after block
  std::vector<std::uint32_t> benches_of_;  ///< likewise; kNoIndex: not wanted
  std::vector<std::string> others_;        ///< benchmarks that are not wanted
  std::vector<std::uint32_t> noted_by_;    ///< per rank, the host that noted it last
  std::vector<std::uint64_t> ranks_;       ///< host << 32 | rank
};

}  // namespace

std::optional<By> by_name(std::string_view name) {
  if (name == "median") return By::median;
  if (name == "mean") return By::mean;
  if (name == "slowest") return By::slowest;
  return std::nullopt;
}

Scores score_hosts(std::span<const TimesBlock> blocks, By by,
                   std::optional<std::string_view> only_bench) {
  return Scorer(blocks, by, only_bench).score();
}

}  // namespace core
