// SPDX-License-Identifier: BSD-3-Clause
// What in the times of pairs is due to the hosts and what to the links between them. Pure.
//
//     y_ij = level + h_i + h_j + e_ij      y: logarithm of the time of the pair of hosts i and j
//
// A slow host has a large h, for all its pairs are slow; what is left in one pair, e, is its link.
// The h and the level are those that minimise
//
//     sum over pairs  H(e_ij)  +  sum over hosts  H(h_i)
//
//     H(x) = x^2 / 2  between -2d and d;  beyond, on as a straight line of the slope at that end
//
// the least squares of P. J. Huber (Robust estimation of a location parameter, 1964, eq. 3.4): what
// is large counts in proportion, not squared, so that a pair cannot bend the effects of its hosts.
// It counts twice on the fast side, since hardware fails to the slow side: of three pairs with one
// fast one, the host that the two others share is slow. That each host's effect counts like one
// more measurement says that most hosts are even; it settles what few hosts leave open (of four, a
// slow link of two could as well be two slow and two fast hosts), and shortens an effect by about
// d / partners.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace core {

/// d above: 5 % of the time.
inline constexpr double kPairBend = 0.05;

struct PairTime {
  std::uint32_t a = 0, b = 0;  ///< different hosts
  double log_time = 0;
};

struct PairFit {
  double level = 0;           ///< of a pair of ordinary hosts
  std::vector<double> hosts;  ///< h; 0 for a host without a pair
  std::vector<double> links;  ///< e, in the order of the pairs
};

/// Iterated weighted least squares, to 1e-7. A pair may come several times. O(pairs) a round.
PairFit fit_pairs(std::size_t hosts, std::span<const PairTime> pairs);

}  // namespace core
