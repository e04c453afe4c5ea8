// SPDX-License-Identifier: BSD-3-Clause
#include "core/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace core {

namespace {

constexpr double kLeastSeconds = 1e-9;

using RunKey = std::pair<std::uint32_t, std::uint32_t>;  // bench, run

bool is_pair(const TimesRow& row) { return row.peer != kNoPeer && row.status == RowStatus::ok; }

/// `times` sorted by their pairs; of several times of a pair the mean.
std::vector<PairTime> merged(const std::vector<PairTime>& times) {
  std::vector<PairTime> pairs;
  for (std::size_t i = 0; i < times.size();) {
    PairTime pair{times[i].a, times[i].b, 0};
    double count = 0;
    for (; i < times.size() && times[i].a == pair.a && times[i].b == pair.b; ++i, ++count)
      pair.log_time += times[i].log_time;
    pair.log_time /= count;
    pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace

bool has_pairs(const TimesBlock& block) {
  return std::ranges::any_of(block.rows, [](const TimesRow& row) { return row.peer != kNoPeer; });
}

std::vector<PairRun> pair_runs(const TimesBlock& block) {
  std::map<RunKey, std::vector<PairTime>> times;
  for (const TimesRow& row : block.rows)
    if (is_pair(row))
      times[{row.bench, row.run}].push_back({std::min(row.host, row.peer),
                                             std::max(row.host, row.peer),
                                             std::log(std::max(row.seconds, kLeastSeconds))});
  std::vector<PairRun> runs;
  for (auto& [key, all] : times) {
    std::ranges::sort(all, {}, [](const PairTime& pair) { return std::pair(pair.a, pair.b); });
    PairRun run{key.first, key.second, merged(all), {}};
    run.fit = fit_pairs(block.hosts.size(), run.pairs);
    runs.push_back(std::move(run));
  }
  return runs;
}

TimesBlock without_pairs(TimesBlock block) {
  std::vector<TimesRow> folded;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::optional<std::uint32_t>>
      ranks;
  for (const TimesRow& row : block.rows)
    if (is_pair(row)) ranks.try_emplace({row.bench, row.run, row.host}, row.rank);
  const std::vector<PairRun> runs = pair_runs(block);
  auto run = runs.begin();
  for (const auto& [key, rank] : ranks) {
    const auto [bench, number, host] = key;
    while (RunKey(run->bench, run->run) != RunKey(bench, number)) ++run;
    TimesRow row;
    row.host = host;
    row.bench = bench;
    row.rank = rank;
    row.run = number;
    row.seconds = std::exp(run->fit.level + run->fit.hosts[host]);
    folded.push_back(row);
  }
  std::erase_if(block.rows, is_pair);
  for (TimesRow& row : block.rows) row.peer = kNoPeer;
  block.rows.insert(block.rows.end(), folded.begin(), folded.end());
  return block;
}

}  // namespace core
