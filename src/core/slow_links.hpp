// SPDX-License-Identifier: BSD-3-Clause
// Which links between hosts are slow, and how sure that is. Pure.
//
// What is left of a pair's time beyond its two hosts (core/pair_fit.hpp) is taken in each
// repetition anew. From the order of these rests alone follows an interval of their median, which
// holds for any noise as long as repetitions are independent. The chance that any of all the links
// that are within the tolerance is called slow, at any of the looks, is kLinkError: each link and
// look may spend its part of it (Bonferroni; core/median_interval.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/median_interval.hpp"
#include "core/slow_hosts.hpp"
#include "core/times.hpp"

namespace core {

/// Chance that an even link is called slow, of all links together.
inline constexpr double kLinkError = 0.01;
/// A link is slow that takes more than 1 + this times what its hosts account for, ...
inline constexpr double kLinkTolerance = 0.25;
/// ... and differs by more than so many standard deviations from what most links do: pairs under
/// one switch and pairs that are far apart need not take the same time.
inline constexpr double kLinkSpreads = 4;

/// A pair of hosts in one benchmark. Values are logarithms, one for each repetition.
struct LinkTimes {
  std::uint32_t a = 0, b = 0, bench = 0;
  std::vector<double> rests;   ///< e of the fit
  std::vector<double> excess;  ///< over a pair of ordinary hosts with an even link
};

struct Links {
  std::vector<std::string> hosts, benches;  ///< a, b and bench are indices of these
  std::vector<LinkTimes> times;             ///< ascending by bench, a, b
};
/// Of all blocks together; hosts and benchmarks are the same by name. Hosts in the order of the
/// blocks' allocation, then of their first appearance.
Links links_of(std::span<const TimesBlock> blocks);

struct JudgedLink {
  std::size_t runs = 0;
  double ratio = 0;        ///< median of what it takes to what its hosts account for
  Interval interval = {};  ///< of the ratio; may be 0 and infinite
  double excess = 0;       ///< median ratio to a pair of ordinary hosts
  /// undecided: the ratio is beyond the limit, but the interval is not (or it is after the first
  /// look, which does not suffice to blame). Never alone.
  Pace pace = Pace::even;
};
/// One for each of links.times, same order.
std::vector<JudgedLink> judge_links(const Links& links);

/// Different pairs of hosts, whatever the benchmark: all, and those slow in one or more.
struct LinkCounts {
  std::size_t all = 0, slow = 0;
};
LinkCounts count_links(const Links& links, std::span<const JudgedLink> judged);

/// What there is to say of two hosts.
inline constexpr const char* kOnePairAlone =
    "links: one pair of hosts alone shows neither a slow host nor a slow link";

/// "n1 - n2: the link is slow: network-exchange takes 3.1 times what the two hosts account for,
/// between 2.9 and 3.4 after 24 runs".
std::string describe(const Links& links, std::size_t index, const JudgedLink& judged);

}  // namespace core
