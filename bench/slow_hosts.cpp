// SPDX-License-Identifier: BSD-3-Clause
// slow_hosts [HOST_RUNS [plain|skewed|blocks [PERCENT]]]: how often benchrun finds a host that runs
// at 90 % of its speed, and how often it blames one that does not, against the rules of a fixed
// ratio to the median on the same draws. Every other simulated benchrun has one slow host. The last
// rule knows three runs only. runs: repetitions, their mean and what 95 % of the benchruns stay
// within. Last: the upper limit of what benchrun blames, 95 % sure.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string_view>

#include "benchrun/trial.hpp"
#include "core/stats.hpp"

namespace {

constexpr double kSlowness = 1 / 0.9;
constexpr std::uint64_t kMostBlocks = 8;

enum class Shape { plain, skewed, blocks };
constexpr std::array kShapes{Shape::plain, Shape::skewed, Shape::blocks};

const char* name_of(Shape shape) {
  return shape == Shape::plain ? "plain" : shape == Shape::skewed ? "skewed" : "blocks";
}

/// Times around 1. plain: normal. skewed: exponential, only to the slow side. blocks: half of the
/// variance is skewed and common to all repetitions of a host's block.
class Noise {
 public:
  Noise(Shape shape, double deviation, std::size_t hosts)
      : shape_(shape), deviation_(deviation), of_block_(hosts) {}

  double operator()(std::size_t host, std::uint32_t run) {
    if (shape_ == Shape::plain) return std::max(0.5, 1 + deviation_ * normal_(random_));
    if (shape_ == Shape::skewed) return 1 + deviation_ * exponential_(random_);
    const double part = deviation_ * std::sqrt(0.5);
    if (run == 0) of_block_[host] = part * exponential_(random_);
    return std::max(0.5, 1 + of_block_[host] + part * normal_(random_));
  }

 private:
  Shape shape_;
  double deviation_;
  std::vector<double> of_block_;
  std::mt19937_64 random_{20261201};
  std::normal_distribution<double> normal_;
  std::exponential_distribution<double> exponential_;
};

struct Rule {
  std::uint64_t found = 0, blamed = 0;
};

/// Node times over the median node time.
std::vector<double> ratios_of(const benchrun::Trial& trial, std::size_t runs) {
  std::vector<double> times;
  for (const core::HostTimes& series : trial.series) {
    std::vector<double> seconds;
    for (std::size_t i = 0; i < std::min(runs, series.times.size()); ++i)
      seconds.push_back(series.times[i].seconds);
    times.push_back(core::median(std::move(seconds)));
  }
  const double middle = core::median(times);
  for (double& time : times) time /= middle;
  return times;
}

class Cell {
 public:
  Cell(Shape shape, double deviation, std::size_t hosts)
      : shape_(shape), deviation_(deviation), hosts_(hosts), noise_(shape, deviation, hosts) {}

  void run(std::uint64_t host_runs) {
    for (std::uint64_t i = 0; i * hosts_ < host_runs; ++i) once(i % 2 == 1);
  }

  void print() const {
    double mean = 0;
    for (const std::uint64_t blocks : blocks_) mean += static_cast<double>(blocks);
    mean *= core::kBlockRuns / static_cast<double>(blocks_.size());
    auto sorted = blocks_;
    std::ranges::sort(sorted);
    fmt::print("{:<6} {:3.0f} % {:5} {:5.0f} {:4}", name_of(shape_), 100 * deviation_, hosts_, mean,
               core::kBlockRuns * sorted[sorted.size() * 95 / 100]);
    for (const Rule& rule : rules_)
      fmt::print("  {:6.2f} {:8.1e}",
                 100 * static_cast<double>(rule.found) / static_cast<double>(slow_),
                 static_cast<double>(rule.blamed) / static_cast<double>(healthy_));
    fmt::print("  <{:.1e}\n", core::clopper_pearson(rules_[0].blamed, healthy_, 0.9).second);
  }

 private:
  void once(bool one_is_slow) {
    const auto draw = [&](std::size_t host, std::uint64_t, std::uint32_t run) {
      const double time = noise_(host, run);
      return one_is_slow && host == 0 ? kSlowness * time : time;
    };
    const benchrun::Trial trial = benchrun::try_once(hosts_, draw, core::kTolerance, kMostBlocks);
    blocks_.push_back(trial.blocks);
    slow_ += one_is_slow;
    healthy_ += hosts_ - one_is_slow;
    const std::vector<double> ratios = ratios_of(trial, SIZE_MAX), few = ratios_of(trial, 3);
    for (std::size_t host = 0; host < hosts_; ++host) {
      const bool slow = one_is_slow && host == 0;
      const std::array verdicts{trial.judged[host].pace == core::Pace::slow, ratios[host] > 1.1,
                                ratios[host] > 1.25, ratios[host] > 2, few[host] > 1.1};
      for (std::size_t i = 0; i < rules_.size(); ++i)
        (slow ? rules_[i].found : rules_[i].blamed) += verdicts[i];
    }
  }

  Shape shape_;
  double deviation_;
  std::size_t hosts_;
  Noise noise_;
  std::array<Rule, 5> rules_{};
  std::vector<std::uint64_t> blocks_;
  std::uint64_t slow_ = 0, healthy_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t host_runs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
  const std::string_view only = argc > 2 ? argv[2] : "";
  const double only_deviation = argc > 3 ? std::strtod(argv[3], nullptr) / 100 : 0;
  fmt::print("{} host-runs a line; found: %, blamed: of the healthy host-runs\n", host_runs);
  fmt::print(
      "noise    sd  hosts  runs  95%  benchrun         > 1.1 x          > 1.25 x         > 2 x     "
      "       > 1.1 x, 3 runs\n");
  for (const Shape shape : kShapes)
    for (const double deviation : {0.01, 0.02, 0.03})
      for (const std::size_t hosts : {4, 8, 96}) {
        if (!only.empty() && only != name_of(shape)) continue;
        if (only_deviation > 0 && std::abs(only_deviation - deviation) > 1e-6) continue;
        Cell cell(shape, deviation, hosts);
        cell.run(host_runs);
        cell.print();
        std::fflush(stdout);
      }
  return 0;
}
