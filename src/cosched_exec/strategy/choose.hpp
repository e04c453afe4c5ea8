// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace cosched_exec {

/// How the set that runs next is chosen (models.md 3; the source's chapter 4).
enum class Strategy { automatic, par, seq, fcs, pe, pf };

/// Tasks that cannot be told apart: a combination holds a number of them.
struct TaskClass {
  std::size_t members = 1;
  /// pf only: 1/W of each member in the order in which members are taken (greatest first).
  std::vector<double> shares;
};

/// How many of each class run; one entry per class, least class first.
using Counts = std::vector<std::uint16_t>;

/// Speeds of combinations relative to running alone.
class SpeedModel {
 public:
  virtual ~SpeedModel() = default;
  /// f of one member of each class in the combination, in [0, 1]; written to f[c] for each class c
  /// with counts[c] > 0, the others are left alone.
  virtual void speeds(std::span<const std::uint16_t> counts, std::span<double> f) const = 0;
};

struct Choice {
  Counts counts;
  double value = 0;  ///< phi of the strategy; F for par, seq and automatic
  double speed = 0;  ///< F(S) = sum of f
};

/// Combinations up to which a decision on a live node tries all: a model of estimates needs about
/// 0.5 us for each at 10 classes.
inline constexpr std::size_t kTriedLive = 1024;

/// argmax of the strategy's phi over the non-empty combinations; seq: one of the first class, par:
/// all. Ties (relative 1e-12): the smallest bit mask, in counts the least as a number whose lowest
/// digit is class 0. Exact when there are at most `tried` combinations, else by local_search(). Not
/// for empty `classes` or a class without members.
Choice choose(Strategy strategy, std::span<const TaskClass> classes, const SpeedModel& model,
              std::size_t tried = kTriedLive);

/// "auto", "par", ...: as on the command line.
std::string_view name_of(Strategy strategy);

}  // namespace cosched_exec
