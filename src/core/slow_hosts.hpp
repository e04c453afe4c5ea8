// SPDX-License-Identifier: BSD-3-Clause
// Which hosts are slow, and whether it is known by now. Pure.
//
// Each repetition gives the ratio of a host's time to the median of the others' in the same
// repetition, so what disturbs all hosts at once cancels, and a slow host is not compared with
// itself, which among four hosts would matter. The interval of the median ratio follows from the
// order of these ratios alone: it holds for any noise, also one that is skewed to the slow side, as
// long as repetitions are independent. A look is taken after each block of repetitions; the errors
// of all looks together stay below the error that was asked for (core/median_interval.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/median_interval.hpp"
#include "core/node_times.hpp"

namespace core {

/// Repetitions between two looks: the fewest whose first look can tell at kFlagError.
inline constexpr std::uint32_t kBlockRuns = 12;
/// Chance that a host within the tolerance is called slow (or one beyond it even).
inline constexpr double kFlagError = 1e-3;
/// Chance that what is said of the boundary of the fastest is wrong.
inline constexpr double kBoundaryError = 0.01;
inline constexpr double kTolerance = 0.05;

/// The times of one host. Hosts are compared with hosts of their kind.
struct HostTimes {
  std::size_t kind = 0;
  std::vector<Repetition> times;  ///< ascending; seconds > 0
};

struct Criterion {
  double tolerance = kTolerance;  ///< > 0; a ratio above 1 + tolerance is slow
  std::uint64_t looks = 1;        ///< with this one
};

/// undecided: the interval holds 1 + tolerance, or it lies above it after a single look: what slows
/// a host for a moment can fill one block, so a second one has to confirm it. alone: no other host
/// of its kind.
enum class Pace : std::uint8_t { undecided, even, slow, alone };

struct Judged {
  std::size_t runs = 0;    ///< repetitions that count
  double ratio = 0;        ///< median; NaN without repetitions
  Interval interval = {};  ///< of the ratio; may be 0 and infinite
  Pace pace = Pace::undecided;
};

/// The hosts of each kind that have times: indices, ascending.
using Kinds = std::map<std::size_t, std::vector<std::size_t>>;
Kinds by_kind(std::span<const HostTimes> series);

/// Of each series the logarithms of the ratios of its times to the median of the others of its kind
/// in the same repetition; none of a repetition that no other has.
std::vector<std::vector<double>> ratios_to_others(std::span<const HostTimes> series);

/// One for each series, same order. A series without times is undecided.
std::vector<Judged> judge_hosts(std::span<const HostTimes> series, const Criterion& test);

/// Those with times that are neither even, slow nor alone: indices, ascending. `judged`: of these
/// series.
std::vector<std::size_t> undecided(std::span<const HostTimes> series,
                                   std::span<const Judged> judged);

/// What is known of a choice of hosts.
struct Boundary {
  bool settled = false;
  /// With probability >= 1 - kBoundaryError no host left out is more than `gain` times as fast as
  /// any that is kept. Infinite while there are too few repetitions; 1 when nothing is left out.
  double gain = 0;
  bool clear = false;  ///< every host kept is faster than every host left out, equally sure
};

/// kept, left: indices of series, of all kinds alike. Settled when gain <= 1 + tolerance. Holds for
/// any choice, also one that was made by these very times.
Boundary judge_boundary(std::span<const HostTimes> series, std::span<const std::size_t> kept,
                        std::span<const std::size_t> left, const Criterion& test);

/// "each is faster than any other, with 99 % confidence", "one that is left out may be faster by
/// 3 % at most, ...", "too few to tell anything": follows "... settled after R runs: ".
std::string describe(const Boundary& boundary);
std::string_view to_string(Pace pace);

/// The hosts, of all kinds, whose times cannot be told from those of `host`: the interval of their
/// ratio, repetition by repetition, holds 1 with an error of kBoundaryError. Indices, ascending,
/// `host` among them; it alone where there are too few repetitions to tell.
std::vector<std::size_t> alike(std::span<const HostTimes> series, std::size_t host,
                               std::uint64_t looks);

/// The repetitions of the usable hosts, in the order of the hosts; of others an empty series. Hosts
/// of the same hardware are of a kind. With several benchmarks each time is divided by the median
/// node time of that benchmark over the hosts (within: those of the kind), and the largest quotient
/// counts, as in a score.
enum class Within : std::uint8_t { all, kind };
std::vector<HostTimes> series_of(std::span<const HostScore> hosts, Within within);

/// Looks that so many repetitions allow for.
std::uint64_t looks_at(std::span<const HostTimes> series);

}  // namespace core
