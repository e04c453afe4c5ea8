// SPDX-License-Identifier: BSD-3-Clause
// Of hosts that are equally good those that are near each other. Pure and exact.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mpisel/select.hpp"
#include "mpisel/switches.hpp"

namespace mpisel {

/// A host that may be chosen. `bound`: it must be.
struct PlacedHost {
  std::size_t place = 0;  ///< switch in the tree
  double score = 0;
  bool bound = false;
};

/// Indices of the `count` candidates between which the fewest switches are (switches_between), the
/// bound ones among them; of equal choices one with the least sum of scores. Ascending. `count` is
/// between the number of bound ones and that of all. O(candidates^2) at worst.
///
/// A dynamic program from the leaves up: the best cost of taking k free hosts below a switch, for
/// every k. Where all bound hosts and all that are taken are below it, nothing above it counts.
std::vector<std::size_t> fewest_switches(const SwitchTree& tree,
                                         std::span<const PlacedHost> candidates, std::size_t count);

/// Exchanges chosen hosts for others that are equally good, for the fewest switches. Equally good
/// are hosts whose times cannot be told from those of the slowest chosen one (core::alike) and
/// whose score is above its score by no more than the tolerance; so the slowest of the choice stays
/// what it was within the noise. A host at a slow link (Selection::network) is not brought in.
/// Hosts that gave way get Verdict::apart. `order`: of `chosen`. Fills in `compacted`; does nothing
/// where no hosts are chosen.
void compact(Selection& selection, SwitchTree& tree, Order order);

}  // namespace mpisel
