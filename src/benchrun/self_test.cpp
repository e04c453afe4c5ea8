// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/self_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <span>

#include "benchrun/trial.hpp"
#include "core/node_times.hpp"
#include "core/slow_hosts.hpp"
#include "core/stats.hpp"

namespace benchrun {
namespace {

constexpr double kFound = 0.99;
constexpr double kPrecision = 5e-4;  ///< of a slowdown
/// More hosts cost time and change little: the median of 15 others is almost that of all.
constexpr std::size_t kMostSimulated = 16;

/// noise[host][block][run], logarithms.
using Noise = std::vector<std::vector<std::vector<double>>>;

/// The logarithms of a host's times in whole blocks, by the number of the block.
std::map<std::uint64_t, std::vector<double>> blocks_of(const core::HostTimes& host) {
  std::map<std::uint64_t, std::vector<double>> blocks;
  for (const core::Repetition& one : host.times)
    blocks[one.number / core::kBlockRuns].push_back(std::log(one.seconds));
  std::erase_if(blocks, [](const auto& block) { return block.second.size() < core::kBlockRuns; });
  return blocks;
}

double median_of_all(const std::vector<std::vector<double>>& blocks) {
  std::vector<double> all;
  for (const auto& block : blocks) all.insert(all.end(), block.begin(), block.end());
  return core::median(std::move(all));
}

/// Takes away what the hosts have in common in a repetition, and then the median of each host.
void level(Noise& noise) {
  for (std::size_t block = 0; block < noise[0].size(); ++block)
    for (std::size_t run = 0; run < core::kBlockRuns; ++run) {
      double sum = 0;
      for (const auto& of_host : noise) sum += of_host[block][run];
      for (auto& of_host : noise) of_host[block][run] -= sum / static_cast<double>(noise.size());
    }
  for (auto& of_host : noise) {
    const double own = median_of_all(of_host);
    for (auto& block : of_host)
      for (double& value : block) value -= own;
  }
}

/// Of the blocks that all hosts have whole.
Noise noise_of(std::span<const core::HostTimes> hosts) {
  std::vector<std::map<std::uint64_t, std::vector<double>>> blocks;
  for (const core::HostTimes& host : hosts) blocks.push_back(blocks_of(host));
  Noise noise(hosts.size());
  for (const auto& [number, of_first] : blocks.front()) {
    const auto has = [n = number](const auto& of_host) { return of_host.contains(n); };
    if (!std::ranges::all_of(blocks, has)) continue;
    for (std::size_t host = 0; host < hosts.size(); ++host)
      noise[host].push_back(blocks[host].at(number));
  }
  if (!noise.front().empty()) level(noise);
  return noise;
}

/// Half of the distance that the middle 68 % of the ratios to the others lie within.
double spread(const Noise& noise) {
  std::vector<core::HostTimes> hosts(noise.size());
  for (std::size_t host = 0; host < noise.size(); ++host)
    for (const std::vector<double>& block : noise[host])
      for (const double value : block)
        hosts[host].times.push_back({hosts[host].times.size(), std::exp(value)});
  std::vector<double> values;
  for (const std::vector<double>& ratios : core::ratios_to_others(hosts))
    values.insert(values.end(), ratios.begin(), ratios.end());
  std::ranges::sort(values);
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  return (at(0.84) - at(0.16)) / 2;
}

class Simulation {
 public:
  Simulation(const Noise& noise, const SelfTestOptions& options)
      : noise_(noise), options_(options), hosts_(std::min(noise.size(), kMostSimulated)) {}

  /// The share of runs in which a host that takes `slowdown` times as long is found.
  double found(double slowdown) const {
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < options_.trials; ++i)
      count += once(i, slowdown).judged.front().pace == core::Pace::slow;
    return static_cast<double>(count) / static_cast<double>(options_.trials);
  }

  /// Of runs without a slow host.
  void blame(SelfTest& test) const {
    for (std::uint64_t i = 0; i < options_.trials; ++i) {
      const Trial trial = once(i, 1);
      test.healthy += hosts_;
      test.blamed += static_cast<std::uint64_t>(
          std::ranges::count(trial.judged, core::Pace::slow, &core::Judged::pace));
    }
  }

 private:
  /// The first of the hosts is slow. The same draws for every slowdown.
  Trial once(std::uint64_t number, double slowdown) const {
    options_.between();
    std::mt19937_64 random(number);
    const auto below = [&](std::size_t first, std::size_t end) {
      return std::uniform_int_distribution<std::size_t>(first, end - 1)(random);
    };
    std::vector<std::size_t> dealt(noise_.size());
    std::size_t block = 0;
    const auto deal = [&] {
      block = below(0, noise_[0].size());
      std::iota(dealt.begin(), dealt.end(), 0);
      for (std::size_t host = 0; host < hosts_; ++host)
        std::swap(dealt[host], dealt[below(host, dealt.size())]);
    };
    const auto draw = [&](std::size_t host, std::uint64_t, std::uint32_t run) {
      if (host == 0 && run == 0) deal();
      return (host == 0 ? slowdown : 1) * std::exp(noise_[dealt[host]][block][run]);
    };
    return try_once(hosts_, draw, options_.tolerance, options_.most_blocks);
  }

  const Noise& noise_;
  SelfTestOptions options_;
  std::size_t hosts_;
};

/// The least slowdown that is found, to kPrecision.
std::optional<double> least_found(const Simulation& simulation, double tolerance) {
  double low = 1 + tolerance, excess = 2 * tolerance;
  if (low >= kMostSlowdown) return std::nullopt;  // within the tolerance, so not slow
  while (simulation.found(1 + excess) < kFound) {
    low = 1 + excess;
    excess *= 2;
    if (low >= kMostSlowdown) return std::nullopt;
  }
  double high = 1 + excess;
  while (high - low > kPrecision) {
    const double middle = std::midpoint(low, high);
    (simulation.found(middle) < kFound ? low : high) = middle;
  }
  return high;
}

SelfTest test_of(std::string hardware, std::span<const core::HostTimes> hosts,
                 const SelfTestOptions& options) {
  SelfTest test;
  test.hardware = std::move(hardware);
  test.hosts = hosts.size();
  const Noise noise = noise_of(hosts);
  test.blocks = noise.front().size();
  if (!test.told()) return test;
  test.noise = spread(noise);
  const Simulation simulation(noise, options);
  test.found = least_found(simulation, options.tolerance);
  simulation.blame(test);
  return test;
}

std::string percent(double share) { return fmt::format("{:.2g} %", 100 * share); }

std::string print_one(const SelfTest& test) {
  std::string text = fmt::format("hosts   {}", test.hosts);
  if (test.hosts < 2) return text + ": there is none to compare with\n";
  text +=
      fmt::format(", {} times each in {} blocks\n", test.blocks * core::kBlockRuns, test.blocks);
  if (test.blocks < kFewestTestBlocks) return text + "        too few to tell anything\n";
  text += fmt::format("noise   {}\n", percent(test.noise));
  if (test.found)
    text += fmt::format(
        "found   99 % of the hosts that take {:.3f} times as long as the others ({:.1f} % "
        "of their speed) or longer\n",
        *test.found, 100 / *test.found);
  else
    text += fmt::format("found   less than 99 % even of the hosts that take {} times as long\n",
                        kMostSlowdown);
  text += fmt::format("blamed  {} of {} healthy hosts: less than {} of them with 95 % confidence\n",
                      test.blamed, test.healthy,
                      percent(core::clopper_pearson(test.blamed, test.healthy, 0.9).second));
  return text;
}

}  // namespace

std::vector<SelfTest> self_test(const core::TimesBlock& block, const SelfTestOptions& options) {
  const core::Scores scores = core::score_hosts({&block, 1}, core::By::median);
  const std::vector<core::HostTimes> series = core::series_of(scores.hosts, core::Within::kind);
  std::vector<SelfTest> tests;
  for (const auto& [kind, members] : core::by_kind(series)) {
    std::vector<core::HostTimes> hosts;
    for (const std::size_t i : members) hosts.push_back(series[i]);
    tests.push_back(test_of(scores.hosts[members.front()].hardware, hosts, options));
  }
  return tests;
}

std::string print(const std::vector<SelfTest>& tests) {
  std::string text;
  for (const SelfTest& test : tests) {
    if (tests.size() > 1)
      text += fmt::format("{}{}:\n", text.empty() ? "" : "\n",
                          test.hardware.empty() ? "hardware that is not known" : test.hardware);
    text += print_one(test);
  }
  return text;
}

}  // namespace benchrun
