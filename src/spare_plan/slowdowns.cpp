// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/slowdowns.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "core/error.hpp"
#include "core/number.hpp"

namespace spare_plan {
namespace {

constexpr double kAbnormalOverMedian = 1.1;

/// The next blank-separated word of `line`, cut off its front; empty at the end.
std::string_view next_word(std::string_view& line) {
  constexpr std::string_view kBlanks = " \t\r";
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const auto word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

double positive(std::string_view word, std::string_view what, const std::string& where) {
  const auto value = core::parse_number(word);
  if (!value || *value <= 0)
    throw core::Error(
        fmt::format("{}: {} is {}, want a number above 0", where, what, core::quoted(word)));
  return *value;
}

}  // namespace

Ratios read_slowdowns(std::string_view text, const std::string& name) {
  std::map<double, double> weights;
  std::size_t number = 0;
  while (!text.empty()) {
    auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto where = fmt::format("{}:{}", name, ++number);
    const auto ratio = next_word(line);
    if (ratio.empty() || ratio.front() == '#') continue;
    const auto weight = next_word(line);
    if (const auto more = next_word(line); !more.empty())
      throw core::Error(fmt::format("{}: {} is one word too many, want RATIO [WEIGHT]", where,
                                    core::quoted(more)));
    weights[positive(ratio, "the ratio", where)] +=
        weight.empty() ? 1 : positive(weight, "the weight", where);
    if (weights.size() > kMostRatios)
      throw core::Error(fmt::format("{}: more than {} different ratios, round them to two decimals",
                                    where, kMostRatios));
  }
  if (weights.empty())
    throw core::Error(fmt::format("{}: holds no ratio, want RATIO [WEIGHT] a line", name));
  return {weights.begin(), weights.end()};
}

Slowness slowness_of(const Ratios& ratios) {
  const auto count = ratios.size();
  std::vector<double> from(count);  // weight of this ratio and the greater ones
  double total = 0;
  for (std::size_t i = count; i-- > 0;) from[i] = total += ratios[i].second;

  std::size_t median = 0;
  while (median + 1 < count && from[median + 1] > total / 2) ++median;
  Slowness slowness{ratios.front().first, {}, 0};
  for (std::size_t i = 1; i < count; ++i) {
    slowness.steps.push_back({from[i] / total, ratios[i].first - ratios[i - 1].first});
    if (count > 2 && ratios[i].first <= kAbnormalOverMedian * ratios[median].first)
      slowness.abnormal = i;
  }
  return slowness;
}

}  // namespace spare_plan
