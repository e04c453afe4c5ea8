// SPDX-License-Identifier: BSD-3-Clause
#include "core/pair_fit.hpp"

#include <algorithm>
#include <cmath>

#include "core/stats.hpp"

namespace core {

namespace {

constexpr unsigned kMostRounds = 1000;
constexpr double kConverged = 1e-7;

/// Of iterated least squares: w x^2 / 2 touches H at x and is nowhere below it.
double weight(double x) {
  const double bend = x > 0 ? kPairBend : 2 * kPairBend;
  return std::abs(x) <= bend ? 1 : bend / std::abs(x);
}

class Solver {
 public:
  Solver(std::size_t hosts, std::span<const PairTime> pairs) : pairs_(pairs), of_host_(hosts) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      of_host_[pairs[i].a].push_back(i);
      of_host_[pairs[i].b].push_back(i);
    }
    fit_.hosts.assign(hosts, 0);
    start();
  }

  PairFit solve() {
    for (unsigned round = 0; round < kMostRounds; ++round)
      if (improve() < kConverged) break;
    for (const PairTime& pair : pairs_) fit_.links.push_back(left(pair));
    return std::move(fit_);
  }

 private:
  /// Hosts by the median of their pairs.
  void start() {
    std::vector<double> all;
    for (const PairTime& pair : pairs_) all.push_back(pair.log_time);
    if (all.empty()) return;
    fit_.level = median(std::move(all));
    std::vector<double> first = fit_.hosts;
    for (std::size_t host = 0; host < of_host_.size(); ++host) {
      std::vector<double> own;
      for (const std::size_t i : of_host_[host]) own.push_back(left(pairs_[i]));
      if (!own.empty()) first[host] = median(std::move(own));
    }
    fit_.hosts = std::move(first);
  }

  double left(const PairTime& pair) const {
    return pair.log_time - fit_.level - fit_.hosts[pair.a] - fit_.hosts[pair.b];
  }

  /// Each unknown in turn to where it is best while the others stay; the largest change.
  double improve() {
    double change = 0;
    for (std::size_t host = 0; host < of_host_.size(); ++host)
      change = std::max(change, improve_host(host));
    balance();
    return std::max(change, improve_level());
  }

  double improve_host(std::size_t host) {
    if (of_host_[host].empty()) return 0;
    double& effect = fit_.hosts[host];
    const double prior = weight(effect);
    double sum = -prior * effect, weights = prior;
    for (const std::size_t i : of_host_[host]) {
      const double rest = left(pairs_[i]), w = weight(rest);
      sum += w * rest;
      weights += w;
    }
    effect += sum / weights;
    return std::abs(sum / weights);
  }

  double improve_level() {
    double sum = 0, weights = 0;
    for (const PairTime& pair : pairs_) {
      const double rest = left(pair), w = weight(rest);
      sum += w * rest;
      weights += w;
    }
    if (weights == 0) return 0;
    fit_.level += sum / weights;
    return std::abs(sum / weights);
  }

  /// A part that all hosts have in common belongs to the level; one by one it would go there
  /// slowly.
  void balance() {
    double sum = 0, weights = 0;
    for (std::size_t host = 0; host < of_host_.size(); ++host) {
      if (of_host_[host].empty()) continue;
      const double w = weight(fit_.hosts[host]);
      sum += w * fit_.hosts[host];
      weights += w;
    }
    if (weights == 0) return;
    for (std::size_t host = 0; host < of_host_.size(); ++host)
      if (!of_host_[host].empty()) fit_.hosts[host] -= sum / weights;
    fit_.level += 2 * sum / weights;
  }

  std::span<const PairTime> pairs_;
  std::vector<std::vector<std::size_t>> of_host_;
  PairFit fit_;
};

}  // namespace

PairFit fit_pairs(std::size_t hosts, std::span<const PairTime> pairs) {
  return Solver(hosts, pairs).solve();
}

}  // namespace core
