// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/times.hpp"

namespace core {

/// How the repetitions of one host become one number.
enum class By { median, mean, slowest };
std::optional<By> by_name(std::string_view name);

/// The node time of one repetition. Numbers count through all blocks, so that a number is the same
/// repetition on every host.
struct Repetition {
  std::uint64_t number = 0;
  double seconds = 0;
};

/// One host in the blocks given.
struct HostScore {
  std::string host;
  bool usable = false;              ///< at least one row, all of them ok, in every benchmark
  RowStatus worst = RowStatus::ok;  ///< the first status that is not ok, else ok
  std::string hardware;             ///< what it is made of; empty where unknown
  std::size_t ranks = 0;            ///< different ranks seen
  double score = 0;  ///< node time in s (one benchmark), or largest quotient; NaN unless usable
  double ratio = 0;  ///< score / median score over the usable hosts; NaN unless usable
  std::vector<double> times;  ///< node time per benchmark over the ok rows, s; NaN without one
  std::vector<std::vector<Repetition>> repetitions;  ///< per benchmark, of the ok rows, ascending
};

/// What the times of a benchmark are: wall time; computing, where all its ok rows are split; or
/// wall time because only some are.
enum class Measure : std::uint8_t { wall, computing, wall_of_mixed };

struct Scores {
  std::vector<std::string> benches;  ///< order of HostScore::times
  std::vector<Measure> measures;     ///< per benchmark
  std::vector<HostScore> hosts;      ///< order: the blocks' allocation, then first appearance
  std::size_t usable = 0;
};

/// Node times and scores (launchwise-formats(7), "Node time"). Times of pairs become times of hosts
/// first (core/pairs.hpp). For each repetition of a block the
/// slowest rank of the host, by its Measure; over all repetitions `by`; with several benchmarks
/// each node time is divided by the median over the usable hosts, and the largest quotient is the
/// score. `only_bench` restricts everything but `ranks` to one benchmark (Error if no row has it).
/// Hosts of an allocation without any row are in the list, not usable. O(rows) but for repetitions
/// that come out of order, which are sorted. Throws Error on more than kMaxBenches benchmarks or
/// kMaxHosts hosts in all.
Scores score_hosts(std::span<const TimesBlock> blocks, By by,
                   std::optional<std::string_view> only_bench = std::nullopt);

/// A sentence for each benchmark that is measured by wall time because only some rows are split.
std::vector<std::string> remarks(const Scores& scores);

}  // namespace core
