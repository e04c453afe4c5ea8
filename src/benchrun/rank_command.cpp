// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/rank_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace benchrun {

namespace {

std::string whole_seconds(double seconds) {
  return fmt::to_string(std::lround(std::ceil(std::clamp(seconds, 1.0, 1e8))));
}

std::string binding(const Plan& plan) {
  if (plan.bind == Bind::none) return "none";
  if (plan.per == Per::core) return "core";
  return plan.per == Per::numa ? "numa" : "none";
}

}  // namespace

std::vector<std::string> rank_command(const Plan& plan, const std::string& program,
                                      const std::string& nonce, double seconds_left) {
  std::vector<std::string> words{program,
                                 "--nonce",
                                 nonce,
                                 "--alive",
                                 whole_seconds(std::floor(plan.timeout / 3)),
                                 "--deadline",
                                 whole_seconds(seconds_left + kRankMargin),
                                 "--threads",
                                 fmt::to_string(plan.threads),
                                 "--bind",
                                 binding(plan)};
  std::size_t bench = 0;
  for (const Step& step : plan.steps) {
    words.insert(words.end(), {"--step", step.bundled ? "bench" : "command", fmt::to_string(bench),
                               fmt::to_string(step.argv.size())});
    words.insert(words.end(), step.argv.begin(), step.argv.end());
    bench += step.benches().size();
  }
  return words;
}

std::vector<std::string> probe_command(const std::string& program, const std::string& nonce) {
  return {program, "--nonce", nonce, "--deadline", whole_seconds(kRankMargin)};
}

}  // namespace benchrun
