// SPDX-License-Identifier: BSD-3-Clause
// slow_links [PAIR_RUNS]: how often a slow host (20 %) and a slow link (50 %) of a tournament of
// hosts are found and told apart, and how often healthy ones are blamed, against the rules of a
// ratio of 1.25 to the median on the same draws (a host by the median of its pairs, a link by its
// pair). Noise plain or to the slow side only, with 24 and 96 runs. A quarter of the simulated
// benchruns each has nothing slow, a slow host, a slow link, a host that is twice as slow (counted
// only in what it makes others be blamed for).
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include "core/node_times.hpp"
#include "core/slow_links.hpp"
#include "core/stats.hpp"
#include "tournament.hpp"

namespace {

/// Two blocks, and the most that benchrun makes while it is undecided.
constexpr std::uint32_t kFewRuns = 24, kMostRuns = 96;
constexpr double kSlowHost = 1.2, kTwice = 2, kSlowLink = 1.5, kNaive = 1.25;
/// The slow host, and the hosts of the slow link, which meet in round 0.
constexpr std::uint32_t kHost = 3;

enum class Fault { none, host, link, twice };

struct Pair {
  std::uint32_t a, b;
};

std::vector<Pair> pairs_of(std::uint32_t n) {
  std::vector<Pair> pairs;
  for (const std::uint32_t round : benchmarks::rounds_of(n))
    for (std::uint32_t a = 0; a < n; ++a)
      if (const auto b = benchmarks::partner_of(a, round, n); b && a < *b) pairs.push_back({a, *b});
  return pairs;
}

/// Of hosts and of links.
struct Counts {
  std::uint64_t found_hosts = 0, blamed_hosts = 0, found_links = 0, blamed_links = 0;
};

struct Verdicts {
  std::vector<bool> hosts, links;
};

class Simulation {
 public:
  Simulation(std::uint32_t hosts, bool skewed, double deviation, std::uint32_t runs)
      : n_(hosts), skewed_(skewed), deviation_(deviation), runs_(runs), pairs_(pairs_of(hosts)) {}

  void run(std::uint64_t pair_runs) {
    const std::uint64_t trials = std::max<std::uint64_t>(8, pair_runs / pairs_.size() / runs_);
    for (std::uint64_t i = 0; i < trials; ++i) once(static_cast<Fault>(i % 4));
  }

  void print() const {
    fmt::print("{:5} {:6} {:2.0f} % {:4} {:7}", n_, skewed_ ? "skewed" : "plain", 100 * deviation_,
               runs_, trials_);
    for (const Counts& counts : {ours_, naive_})
      fmt::print("  {:6.1f} {:8.1e} {:6.1f} {:8.1e}", percent(counts.found_hosts, slow_hosts_),
                 share(counts.blamed_hosts, healthy_hosts_),
                 percent(counts.found_links, slow_links_),
                 share(counts.blamed_links, healthy_links_));
    fmt::print("  {}/{}\n", wronged_, trials_);
  }

 private:
  static double share(std::uint64_t part, std::uint64_t all) {
    return static_cast<double>(part) / static_cast<double>(all);
  }
  static double percent(std::uint64_t part, std::uint64_t all) { return 100 * share(part, all); }

  double noise() {
    return skewed_ ? 1 + deviation_ * exponential_(random_)
                   : std::exp(deviation_ * normal_(random_));
  }

  static bool is_slow_host(std::uint32_t host, Fault fault) {
    return (fault == Fault::host || fault == Fault::twice) && host == kHost;
  }
  bool is_slow_link(const Pair& pair, Fault fault) const {
    return fault == Fault::link && pair.a == kHost &&
           benchmarks::partner_of(kHost, 0, n_) == pair.b;
  }

  core::TimesBlock draw(Fault fault) {
    const double slowness = fault == Fault::twice ? kTwice : kSlowHost;
    core::TimesBlock block;
    block.benches = {"net"};
    for (std::uint32_t i = 0; i < n_; ++i) block.hosts.push_back(fmt::format("n{}", i));
    for (std::uint32_t run = 0; run < runs_; ++run)
      for (const Pair& pair : pairs_) {
        core::TimesRow row;
        row.seconds = 1e-3 * noise() *
                      (is_slow_host(pair.a, fault) || is_slow_host(pair.b, fault) ? slowness : 1) *
                      (is_slow_link(pair, fault) ? kSlowLink : 1);
        row.run = run;
        for (const auto& [host, peer] : {std::pair(pair.a, pair.b), std::pair(pair.b, pair.a)}) {
          row.host = row.rank.emplace(host);
          row.peer = peer;
          block.rows.push_back(row);
        }
      }
    return block;
  }

  Verdicts judge(const core::TimesBlock& block) const {
    Verdicts verdicts{std::vector<bool>(n_), std::vector<bool>(pairs_.size())};
    const core::Scores scores = core::score_hosts({&block, 1}, core::By::median);
    const auto series = core::series_of(scores.hosts, core::Within::kind);
    const auto hosts = core::judge_hosts(series, {core::kTolerance, core::looks_at(series)});
    for (std::size_t i = 0; i < n_; ++i) verdicts.hosts[i] = hosts[i].pace == core::Pace::slow;
    const core::Links links = core::links_of({&block, 1});
    const auto judged = core::judge_links(links);
    std::vector<std::vector<bool>> slow(n_, std::vector<bool>(n_));
    const auto number = [](const std::string& name) { return std::stoul(name.substr(1)); };
    for (std::size_t i = 0; i < judged.size(); ++i) {
      const std::size_t a = number(links.hosts[links.times[i].a]),
                        b = number(links.hosts[links.times[i].b]);
      slow[std::min(a, b)][std::max(a, b)] = judged[i].pace == core::Pace::slow;
    }
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      verdicts.links[i] = slow[pairs_[i].a][pairs_[i].b];
    return verdicts;
  }

  Verdicts judge_naively(const core::TimesBlock& block) const {
    std::vector<std::vector<double>> of_hosts(n_), of_pairs(pairs_.size());
    for (std::size_t i = 0; i < block.rows.size(); ++i) {
      of_hosts[block.rows[i].host].push_back(block.rows[i].seconds);
      of_pairs[i / 2 % pairs_.size()].push_back(block.rows[i].seconds);
    }
    const auto beyond = [](const std::vector<std::vector<double>>& all) {
      std::vector<double> medians;
      for (const auto& times : all) medians.push_back(core::median(times));
      const double limit = kNaive * core::median(medians);
      std::vector<bool> verdicts;
      for (const double middle : medians) verdicts.push_back(middle > limit);
      return verdicts;
    };
    return {beyond(of_hosts), beyond(of_pairs)};
  }

  void once(Fault fault) {
    const core::TimesBlock block = draw(fault);
    ++trials_;
    slow_hosts_ += fault == Fault::host;
    slow_links_ += fault == Fault::link;
    healthy_hosts_ += n_ - (fault == Fault::host || fault == Fault::twice);
    healthy_links_ += pairs_.size() - (fault == Fault::link);
    const std::uint64_t before = ours_.blamed_links;
    count(judge(block), fault, ours_);
    wronged_ += ours_.blamed_links > before;
    count(judge_naively(block), fault, naive_);
  }

  void count(const Verdicts& verdicts, Fault fault, Counts& counts) const {
    for (std::uint32_t i = 0; i < n_; ++i) {
      if (!is_slow_host(i, fault)) counts.blamed_hosts += verdicts.hosts[i];
      if (is_slow_host(i, fault) && fault == Fault::host) counts.found_hosts += verdicts.hosts[i];
    }
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      (is_slow_link(pairs_[i], fault) ? counts.found_links : counts.blamed_links) +=
          verdicts.links[i];
  }

  std::uint32_t n_;
  bool skewed_;
  double deviation_;
  std::uint32_t runs_;
  std::vector<Pair> pairs_;
  Counts ours_, naive_;
  std::uint64_t trials_ = 0, wronged_ = 0;
  std::uint64_t slow_hosts_ = 0, slow_links_ = 0, healthy_hosts_ = 0, healthy_links_ = 0;
  std::mt19937_64 random_{20261201};
  std::normal_distribution<double> normal_;
  std::exponential_distribution<double> exponential_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t pair_runs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2000000;
  fmt::print("{} pair-runs a line; found: % of the slow ones, blamed: of the healthy ones\n",
             pair_runs);
  fmt::print(
      "                              benchrun                           ratio of 1.25 to the "
      "median     "
      "  benchruns\n"
      "                              hosts            links             hosts            links     "
      "     "
      "  with links\n"
      "hosts noise       runs trials   found   blamed  found   blamed   found   blamed  found   "
      "blamed  "
      "wronged\n");
  for (const bool skewed : {false, true})
    for (const auto& [deviation, runs] :
         {std::pair(0.05, kFewRuns), std::pair(0.2, kFewRuns), std::pair(0.2, kMostRuns)})
      for (const std::uint32_t hosts : {8U, 64U, 1000U}) {
        Simulation simulation(hosts, skewed, deviation, runs);
        simulation.run(pair_runs);
        simulation.print();
        std::fflush(stdout);
      }
  return 0;
}
