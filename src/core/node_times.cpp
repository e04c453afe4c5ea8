// SPDX-License-Identifier: BSD-3-Clause
#include "core/node_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/error.hpp"
#include "core/host_name.hpp"
#include "core/number.hpp"
#include "core/pairs.hpp"
#include "core/stats.hpp"

namespace core {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint32_t kNoIndex = std::numeric_limits<std::uint32_t>::max();

double quotient(double value, double reference) {
  if (reference != 0) return value / reference;
  return value == 0 ? 1 : std::numeric_limits<double>::infinity();
}

/// The slowest rank of each repetition of each series (a host and a benchmark).
class SlowestRanks {
 public:
  /// rows: how many add() calls to expect at most.
  SlowestRanks(std::size_t series, std::uint64_t repetitions, std::size_t rows)
      : repetitions_(repetitions) {
    // Blocks of different hosts, or runs that are not counted from 0, would leave a table mostly
    // empty; they are sorted instead.
    if (repetitions <= rows && series * repetitions <= rows)
      table_.assign(series * repetitions, kEmpty);
  }

  void add(std::size_t series, std::uint64_t repetition, double seconds) {
    if (table_.empty()) {
      samples_.push_back({series, repetition, seconds});
      return;
    }
    double& slowest = table_[series * repetitions_ + repetition];
    slowest = std::max(slowest, seconds);
  }

  /// Calls visit(series, its repetitions) for each series that has any, ascending.
  template <typename Visit>
  void for_each_series(Visit visit) {
    if (table_.empty()) {
      sort();
      for (std::size_t at = 0; at < samples_.size();) {
        const std::size_t series = samples_[at].series;
        std::vector<Repetition> times;
        for (; at < samples_.size() && samples_[at].series == series; ++at)
          times.push_back({samples_[at].repetition, samples_[at].seconds});
        visit(series, std::move(times));
      }
      return;
    }
    for (std::size_t first = 0; first < table_.size(); first += repetitions_) {
      std::vector<Repetition> times;
      for (std::size_t i = 0; i < repetitions_; ++i)
        if (table_[first + i] != kEmpty) times.push_back({i, table_[first + i]});
      if (!times.empty()) visit(first / repetitions_, std::move(times));
    }
  }

 private:
  static constexpr double kEmpty = -1;  ///< seconds are not negative
  struct Sample {
    std::size_t series;
    std::uint64_t repetition;
    double seconds;
  };

  /// Leaves the slowest sample of each repetition.
  void sort() {
    const auto key = [](const Sample& s) { return std::pair(s.series, s.repetition); };
    std::ranges::sort(samples_, [&](const Sample& a, const Sample& b) {
      return key(a) != key(b) ? key(a) < key(b) : a.seconds > b.seconds;
    });
    const auto same = [&](const Sample& a, const Sample& b) { return key(a) == key(b); };
    samples_.erase(std::unique(samples_.begin(), samples_.end(), same), samples_.end());
  }

  std::uint64_t repetitions_;
  std::vector<double> table_;
  std::vector<Sample> samples_;
};

/// repetitions: at least one.
double node_time(std::span<const Repetition> repetitions, By by) {
  std::vector<double> times;
  for (const Repetition& repetition : repetitions) times.push_back(repetition.seconds);
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
    choose_measures();
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
      for (std::size_t i = 0; i < block.hosts.size(); ++i) {
        hosts_of_.emplace_back(host_index(block.hosts[i]));
        const std::string_view hardware = block.hardware_of(i);
        if (!hardware.empty()) scores_.hosts[hosts_of_.back()].hardware = hardware;
      }
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

  void choose_measures() {
    struct Seen {
      bool split = false, whole = false;
    };
    std::vector<Seen> seen(scores_.benches.size());
    for_each_row([&](std::uint32_t, std::uint32_t bench, std::size_t, const TimesRow& row) {
      if (bench == kNoIndex || row.status != RowStatus::ok) return;
      (row.split.known() ? seen[bench].split : seen[bench].whole) = true;
    });
    for (const auto [split, whole] : seen)
      scores_.measures.push_back(!split  ? Measure::wall
                                 : whole ? Measure::wall_of_mixed
                                         : Measure::computing);
  }

  double time_of(std::uint32_t bench, const TimesRow& row) const {
    return scores_.measures[bench] == Measure::computing ? row.split.compute : row.seconds;
  }

  /// Makes node times of the ok rows; notes ranks and what is not ok.
  void collect() {
    const std::size_t benches = scores_.benches.size();
    for (HostScore& host : scores_.hosts) {
      host.times.assign(benches, kNone);
      host.repetitions.assign(benches, {});
    }
    std::vector<std::uint64_t> first_repetition;
    std::uint64_t repetitions = 0;
    std::size_t rows = 0;
    for (const TimesBlock& block : blocks_) {
      first_repetition.push_back(repetitions);
      std::uint64_t runs = 0;
      for (const TimesRow& row : block.rows) runs = std::max(runs, row.run + std::uint64_t{1});
      repetitions += runs;
      rows += block.rows.size();
    }
    SlowestRanks slowest(scores_.hosts.size() * benches, repetitions, rows);
    for_each_row([&](std::uint32_t host, std::uint32_t bench, std::size_t block,
                     const TimesRow& row) {
      note_rank(host, row);
      if (bench == kNoIndex) return;
      if (row.status == RowStatus::ok)
        slowest.add(host * benches + bench, first_repetition[block] + row.run, time_of(bench, row));
      else if (scores_.hosts[host].worst == RowStatus::ok)
        scores_.hosts[host].worst = row.status;
    });
    count_further_ranks();
    slowest.for_each_series([&](std::size_t series, std::vector<Repetition> times) {
      HostScore& host = scores_.hosts[series / benches];
      host.times[series % benches] = node_time(times, by_);
      host.repetitions[series % benches] = std::move(times);
    });
  }

  /// Counts a host's rank once. Mostly a rank belongs to one host; further ones are kept for
  /// count_further_ranks.
  void note_rank(std::uint32_t host, const TimesRow& row) {
    constexpr std::uint32_t kMostOwned = 1U << 24;
    if (!row.rank) return;
    const std::uint32_t rank = *row.rank;
    if (rank < kMostOwned) {
      if (rank >= owner_.size())
        owner_.resize(std::max<std::size_t>(rank + 1, 2 * owner_.size()), kNoIndex);
      if (owner_[rank] == host) return;
      if (owner_[rank] == kNoIndex) {
        owner_[rank] = host;
        ++scores_.hosts[host].ranks;
        return;
      }
    }
    further_ranks_.push_back(std::uint64_t{host} << 32 | rank);
  }

  void count_further_ranks() {
    std::ranges::sort(further_ranks_);
    const auto end = std::unique(further_ranks_.begin(), further_ranks_.end());
    for (auto at = further_ranks_.begin(); at != end; ++at) ++scores_.hosts[*at >> 32].ranks;
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
  std::vector<std::uint32_t> hosts_of_;       ///< blocks' host indices to ours, block after block
  std::vector<std::uint32_t> benches_of_;     ///< likewise; kNoIndex: not wanted
  std::vector<std::string> others_;           ///< benchmarks that are not wanted
  std::vector<std::uint32_t> owner_;          ///< per rank, the host that had it first
  std::vector<std::uint64_t> further_ranks_;  ///< host << 32 | rank, where the owner is another
};

}  // namespace

std::optional<By> by_name(std::string_view name) {
  if (name == "median") return By::median;
  if (name == "mean") return By::mean;
  if (name == "slowest") return By::slowest;
  return std::nullopt;
}

std::vector<std::string> remarks(const Scores& scores) {
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < scores.benches.size(); ++i)
    if (scores.measures[i] == Measure::wall_of_mixed)
      sentences.push_back(
          fmt::format("{}: some rows lack compute_seconds, so all are compared by their wall time",
                      scores.benches[i]));
  return sentences;
}

Scores score_hosts(std::span<const TimesBlock> blocks, By by,
                   std::optional<std::string_view> only_bench) {
  if (std::ranges::none_of(blocks, has_pairs)) return Scorer(blocks, by, only_bench).score();
  std::vector<TimesBlock> of_hosts;
  for (const TimesBlock& block : blocks) of_hosts.push_back(without_pairs(block));
  return Scorer(of_hosts, by, only_bench).score();
}

}  // namespace core
