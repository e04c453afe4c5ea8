// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cosched_exec/strategy/optimum.hpp"

namespace cosched_exec {
namespace {

constexpr double kDone = 1e-9;  // of p
constexpr double kNever = std::numeric_limits<double>::infinity();

/// The unfinished tasks of a table, one class each.
class Unfinished : public SpeedModel {
 public:
  explicit Unfinished(const KnownSpeeds& known)
      : known_(known), left_(known.table.p), work_(left_.size(), known.w0) {
    for (std::size_t i = 0; i < left_.size(); ++i) tasks_.push_back(i);
  }

  bool empty() const { return tasks_.empty(); }

  Choice choose(Strategy strategy) const {
    std::vector<TaskClass> classes;
    for (const std::size_t i : tasks_) classes.push_back({1, {1 / work_[i]}});
    return cosched_exec::choose(strategy, classes, *this,
                                strategy == Strategy::pf ? kTriedLive : known_.table.f.size());
  }

  void speeds(std::span<const std::uint16_t> counts, std::span<double> f) const override {
    const auto& row = row_of(counts);
    for (std::size_t c = 0; c < counts.size(); ++c)
      if (counts[c] > 0) f[c] = row[tasks_[c]];
  }

  /// Runs the combination until the first of its tasks ends, at most `most` seconds; the time.
  double run(const Counts& counts, double most) {
    const auto& row = row_of(counts);
    double time = most;
    for (const std::size_t i : tasks_)
      if (row[i] > 0) time = std::min(time, left_[i] / row[i]);
    if (time == kNever) return kNever;
    for (const std::size_t i : tasks_) {
      left_[i] -= row[i] * time;
      work_[i] += row[i] * time;
    }
    std::erase_if(tasks_, [this](std::size_t i) { return left_[i] <= kDone * known_.table.p[i]; });
    return time;
  }

 private:
  const std::vector<double>& row_of(std::span<const std::uint16_t> counts) const {
    std::size_t mask = 0;
    for (std::size_t c = 0; c < counts.size(); ++c)
      if (counts[c] > 0) mask |= std::size_t{1} << tasks_[c];
    return known_.table.f[mask];
  }

  const KnownSpeeds& known_;
  std::vector<double> left_;  ///< s of running alone
  std::vector<double> work_;  ///< W
  std::vector<std::size_t> tasks_;
};

constexpr Strategy kInOrder[] = {Strategy::seq, Strategy::par, Strategy::fcs,
                                 Strategy::pe,  Strategy::pf,  Strategy::automatic};

std::string json_answer(double optimum, const KnownSpeeds& known) {
  nlohmann::ordered_json strategies;
  for (const Strategy strategy : kInOrder) {
    const double seconds = makespan(strategy, known);
    strategies[std::string(name_of(strategy))] =
        std::isfinite(seconds) ? nlohmann::ordered_json(seconds) : nullptr;
  }
  return nlohmann::ordered_json{{"optimum", optimum}, {"strategies", strategies}}.dump() + "\n";
}

std::string line(std::string_view name, double seconds, double optimum) {
  if (!std::isfinite(seconds))
    return fmt::format("{:<8}  {:>12}  {:>8}\n", name, "never ends", "-");
  return fmt::format("{:<8}  {:>12.6g}  {:>8.4f}\n", name, seconds, seconds / optimum);
}

}  // namespace

double makespan(Strategy strategy, const KnownSpeeds& known) {
  const double longest = strategy == Strategy::pf ? known.slice : kNever;
  Unfinished unfinished(known);
  double time = 0;
  while (!unfinished.empty() && std::isfinite(time)) {
    const Choice choice = unfinished.choose(strategy);
    if (choice.speed <= 0) return kNever;
    time += unfinished.run(choice.counts, longest);
  }
  return time;
}

std::string simulate_answer(const KnownSpeeds& known, bool json) {
  const double least = optimum(known.table).makespan;
  if (json) return json_answer(least, known);
  std::string text = fmt::format("{:<8}  {:>12}  {:>8}\n", "strategy", "makespan (s)", "ratio");
  for (const Strategy strategy : kInOrder)
    text += line(name_of(strategy), makespan(strategy, known), least);
  return text + line("optimum", least, least);
}

}  // namespace cosched_exec
