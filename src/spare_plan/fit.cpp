// SPDX-License-Identifier: BSD-3-Clause
// JP2023183342A estimates p_abn as abnormal / nodes pooled over benchmark runs and alpha_abn and
// t_bench from the means of the two groups. Its groups are told apart by eye; the rule here takes
// the slow side of a robust outlier test, with a floor of 10 % against quiet machines whose
// deviation is almost nothing.
#include "spare_plan/fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "core/error.hpp"
#include "core/node_times.hpp"
#include "core/stats.hpp"

namespace spare_plan {
namespace {

constexpr double kDeviations = 6;
constexpr double kLeastExcess = 0.10;

using Skipped = std::function<void(const std::string&)>;

bool has_bench(const core::TimesBlock& block, const std::string& bench) {
  return std::ranges::find(block.benches, bench) != block.benches.end();
}

/// The benchmark to fit: the one asked for, or the only one.
std::string chosen_bench(std::span<const core::TimesBlock> blocks,
                         const std::optional<std::string>& bench) {
  std::set<std::string> names;
  for (const auto& block : blocks) names.insert(block.benches.begin(), block.benches.end());
  if (names.empty()) throw core::Error("there is no complete block of times to fit");
  if (!bench && names.size() > 1)
    throw core::Error(
        fmt::format("the tables hold several benchmarks ({}), choose one with --bench",
                    fmt::join(names, ", ")),
        core::ExitStatus::usage);
  if (bench && !names.contains(*bench))
    throw core::Error(fmt::format("no table holds the benchmark {} of --bench, there is {}", *bench,
                                  fmt::join(names, ", ")));
  return bench ? *bench : *names.begin();
}

/// What a block says about how `bench` was measured: benchrun writes the benchmark's arguments
/// under its name, the command line of a program of the user's, and how ranks were placed.
std::string parameters_of(const core::TimesBlock& block, const std::string& bench) {
  std::string text;
  for (const std::string_view key :
       {std::string_view(bench), std::string_view("command"), std::string_view("parameters"),
        std::string_view("per"), std::string_view("bind")})
    text += fmt::format("{}\n", block.value(key).value_or(""));
  return text;
}

/// The blocks to pool: with the benchmark and with the parameters of the last such block.
std::vector<const core::TimesBlock*> poolable(std::span<const core::TimesBlock> blocks,
                                              const std::string& bench, const Skipped& skipped) {
  std::vector<const core::TimesBlock*> with_bench;
  for (const auto& block : blocks)
    if (!block.incomplete() && has_bench(block, bench)) with_bench.push_back(&block);
  if (with_bench.empty())
    throw core::Error(fmt::format("there is no complete block of {} times to fit", bench));
  const auto wanted = parameters_of(*with_bench.back(), bench);
  std::erase_if(with_bench, [&](const auto* block) {
    if (parameters_of(*block, bench) == wanted) return false;
    skipped(fmt::format("{}:{}: measured with other parameters than the last block, skipped",
                        block->file, block->first_line));
    return true;
  });
  return with_bench;
}

/// Sums over all blocks, from which the means come.
struct Pool {
  std::vector<double> normal, abnormal, elapsed;
};

BlockFit fit_block(const core::TimesBlock& block, const std::string& bench, Pool& pool) {
  BlockFit result{block.file, block.first_line, 0, {}, {}};
  const auto scores = core::score_hosts(std::span(&block, 1), core::By::median, bench);
  std::vector<double> times;
  std::vector<std::string> hosts;
  for (const auto& host : scores.hosts) {
    if (!host.usable) {
      result.unusable.push_back(host.host);
      continue;
    }
    times.push_back(host.times.front());
    hosts.push_back(host.host);
  }
  result.nodes = scores.hosts.size();
  const auto slow = abnormal_nodes(times);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const bool is_slow = std::ranges::binary_search(slow, i);
    (is_slow ? pool.abnormal : pool.normal).push_back(times[i]);
    if (is_slow) result.abnormal.push_back(hosts[i]);
  }
  if (block.complete && block.elapsed) pool.elapsed.push_back(*block.elapsed);
  return result;
}

}  // namespace

std::vector<std::size_t> abnormal_nodes(std::span<const double> times) {
  std::vector<std::size_t> found;
  if (times.size() <= 2) return found;
  const double m = core::median({times.begin(), times.end()});
  const double limit = m + std::max(kDeviations * core::scaled_mad(times, m), kLeastExcess * m);
  for (std::size_t i = 0; i < times.size(); ++i)
    if (times[i] > limit) found.push_back(i);
  return found;
}

Fit fit(std::span<const core::TimesBlock> blocks, const std::optional<std::string>& bench,
        const Skipped& skipped) {
  Fit result;
  result.bench = chosen_bench(blocks, bench);
  Pool pool;
  for (const auto* block : poolable(blocks, result.bench, skipped)) {
    const auto& one = result.blocks.emplace_back(fit_block(*block, result.bench, pool));
    result.nodes += one.nodes;
    result.abnormal += one.abnormal.size();
    result.unusable += one.unusable.size();
  }
  const auto hits = result.abnormal + result.unusable;
  result.p_abn = static_cast<double>(hits) / static_cast<double>(result.nodes);
  result.p_abn_95 = core::clopper_pearson(hits, result.nodes);
  if (pool.normal.empty()) return result;
  result.t_bench = core::mean(pool.normal);
  if (!pool.abnormal.empty()) result.alpha_abn = core::mean(pool.abnormal) / *result.t_bench;
  for (double& seconds : pool.elapsed) seconds = std::max(0.0, seconds - *result.t_bench);
  if (!pool.elapsed.empty()) result.t_fix = core::median(pool.elapsed);
  return result;
}

}  // namespace spare_plan
