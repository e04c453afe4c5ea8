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
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/node_times.hpp"
#include "core/stats.hpp"

namespace spare_plan {
namespace {

constexpr double kDeviations = 6;
constexpr double kLeastExcess = 0.10;

using Blocks = std::span<const core::TimesBlock>;

bool has_bench(const core::TimesBlock& block, const std::string& bench) {
  return std::ranges::find(block.benches, bench) != block.benches.end();
}

/// The one of several benchmarks that is taken where none is asked for.
std::string usual_bench(const std::set<std::string>& names, const Talk& talk) {
  const std::string usual(kUsualBench);
  if (!names.contains(usual))
    throw core::Error(
        fmt::format("the tables hold several benchmarks ({}), choose one with --bench",
                    fmt::join(names, ", ")));
  talk.info(
      fmt::format("the tables hold several benchmarks ({}), {} is taken; --bench chooses another",
                  fmt::join(names, ", "), usual));
  return usual;
}

std::string chosen_bench(Blocks blocks, const std::optional<std::string>& bench, const Talk& talk) {
  std::set<std::string> names;
  for (const auto& block : blocks)
    if (!block.incomplete()) names.insert(block.benches.begin(), block.benches.end());
  if (names.empty()) throw core::Error("there is no complete block of times to fit");
  if (bench && !names.contains(*bench))
    throw core::Error(fmt::format("no table holds the benchmark {} of --bench, there is {}", *bench,
                                  fmt::join(names, ", ")));
  if (bench) return *bench;
  return names.size() == 1 ? *names.begin() : usual_bench(names, talk);
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

/// A block and what it tells of its hosts.
struct Measured {
  const core::TimesBlock* block;
  core::Scores scores;

  std::string place() const { return fmt::format("{}:{}", block->file, block->first_line); }
};

/// The complete blocks with the benchmark and a usable host.
std::vector<Measured> measured_blocks(Blocks blocks, const std::string& bench, const Talk& talk) {
  std::vector<Measured> found;
  for (const auto& block : blocks) {
    if (block.incomplete() || !has_bench(block, bench)) continue;
    auto scores = core::score_hosts(std::span(&block, 1), core::By::median, bench);
    found.push_back({&block, std::move(scores)});
    if (found.back().scores.usable > 0) {
      for (const auto& sentence : core::remarks(found.back().scores))
        talk.warn(fmt::format("{}: {}", found.back().place(), sentence));
      continue;
    }
    talk.warn(fmt::format("{}: no host is usable, skipped", found.back().place()));
    found.pop_back();
  }
  if (found.empty())
    throw core::Error(
        fmt::format("there is no complete block of {} times with a usable host to fit", bench));
  return found;
}

/// Leaves out what was measured in another way than the last block.
void keep_alike(std::vector<Measured>& blocks, const std::string& bench, const Talk& talk) {
  const auto all = blocks.size();
  const auto alike = [&](const Measured& one) {
    const bool computing = one.scores.measures.front() == core::Measure::computing;
    return std::pair(parameters_of(*one.block, bench), computing);
  };
  const auto wanted = alike(blocks.back());
  std::erase_if(blocks, [&](const Measured& one) {
    if (alike(one) == wanted) return false;
    talk.debug(fmt::format("{}: measured with other parameters than the last block, skipped",
                           one.place()));
    return true;
  });
  if (const auto others = all - blocks.size(); others > 0)
    talk.warn(
        fmt::format("{} of {} blocks {} measured with other parameters than the last one and {} "
                    "skipped; -v names {}",
                    others, all, others == 1 ? "was" : "were", others == 1 ? "is" : "are",
                    others == 1 ? "it" : "them"));
}

/// Node times over all blocks, from which the means come; by hardware, since hosts are normal or
/// not among those of their kind.
struct Pool {
  struct Kind {
    std::vector<double> normal, abnormal;
  };
  std::map<std::string, Kind> kinds;
  std::vector<double> elapsed;
};

/// The mean over the abnormal nodes of how many times slower they are than a normal one of their
/// kind, whose mean is never of nothing: no kind has only abnormal nodes.
std::optional<double> alpha_of(const Pool& pool) {
  std::vector<double> slowdowns;
  for (const auto& [hardware, times] : pool.kinds) {
    const double normal = core::mean(times.normal);
    for (const double seconds : times.abnormal) slowdowns.push_back(seconds / normal);
  }
  if (slowdowns.empty()) return std::nullopt;
  return core::mean(slowdowns);
}

double mean_of_normal(const Pool& pool) {
  std::vector<double> normal;
  for (const auto& [hardware, times] : pool.kinds)
    normal.insert(normal.end(), times.normal.begin(), times.normal.end());
  return core::mean(normal);
}

BlockFit fit_block(const Measured& measured, Pool& pool) {
  const auto& block = *measured.block;
  BlockFit result{block.file, block.first_line, measured.scores.hosts.size(), {}, {}};
  const auto& hosts = measured.scores.hosts;
  std::map<std::string, std::vector<std::size_t>> kinds;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (hosts[i].usable)
      kinds[hosts[i].hardware].push_back(i);
    else
      result.unusable.push_back(hosts[i].host);
  }
  std::set<std::size_t> slow;
  for (const auto& [hardware, members] : kinds) {
    std::vector<double> times;
    for (const std::size_t i : members) times.push_back(hosts[i].times.front());
    for (const std::size_t member : abnormal_nodes(times)) slow.insert(members[member]);
    Pool::Kind& kind = pool.kinds[hardware];
    for (const std::size_t i : members)
      (slow.contains(i) ? kind.abnormal : kind.normal).push_back(hosts[i].times.front());
  }
  for (const std::size_t i : slow) result.abnormal.push_back(hosts[i].host);
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

Fit fit(Blocks blocks, const std::optional<std::string>& bench, const Talk& talk) {
  Fit result;
  result.bench = chosen_bench(blocks, bench, talk);
  auto measured = measured_blocks(blocks, result.bench, talk);
  keep_alike(measured, result.bench, talk);
  Pool pool;
  for (const auto& block : measured) {
    const auto& one = result.blocks.emplace_back(fit_block(block, pool));
    result.nodes += one.nodes;
    result.abnormal += one.abnormal.size();
    result.unusable += one.unusable.size();
  }
  const auto hits = result.abnormal + result.unusable;
  result.p_abn = static_cast<double>(hits) / static_cast<double>(result.nodes);
  result.p_abn_95 = core::clopper_pearson(hits, result.nodes);
  // Never of nothing: every block has a usable host, and one that is no slower than the median of
  // its kind is normal.
  result.t_bench = mean_of_normal(pool);
  result.alpha_abn = alpha_of(pool);
  for (double& seconds : pool.elapsed) seconds = std::max(0.0, seconds - result.t_bench);
  if (!pool.elapsed.empty()) result.t_fix = core::median(pool.elapsed);
  return result;
}

}  // namespace spare_plan
