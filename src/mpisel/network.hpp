// SPDX-License-Identifier: BSD-3-Clause
// The network between hosts, where the table has times of pairs: which links are slow, which hosts
// are left out for one, and what is said about it.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/slow_links.hpp"
#include "core/times.hpp"

namespace mpisel {

struct Selection;

/// A link that is known to be slow, in one benchmark.
struct SlowLink {
  std::string a, b, bench;
  core::JudgedLink judged;
  std::string sentence;
};

struct Network {
  std::size_t pairs = 0;             ///< that were measured
  std::vector<std::string> benches;  ///< that have times of pairs
  std::vector<SlowLink> slow;
};
Network network_of(std::span<const core::TimesBlock> blocks);

/// A host that may be chosen.
struct Candidate {
  std::string_view host;
  double ratio = 0;  ///< to the median host
};

/// Of the candidates, fastest first, `count` to keep: those without which the worst is the least
/// bad. The worst that is left is a host, by its ratio, or a slow link between two, by what it
/// takes to an ordinary pair; it is left out until `count` are left. Of a link the host goes that
/// has more slow links, then the slower one. Indices of candidates, ascending.
struct Kept {
  std::vector<std::size_t> kept;
  std::vector<std::pair<std::size_t, std::size_t>> for_link;  ///< left out for the link to ...
};
Kept keep(std::span<const Candidate> candidates, std::span<const SlowLink> links,
          std::size_t count);

/// Lines for people: each slow link and what was done about it, each host that is slow with all its
/// partners, with intervals; or that there are none. Nothing for a table without pairs.
void explain_network(std::ostream& out, const Selection& selection);

/// A sentence to warn of when two chosen hosts have a slow link; or nothing.
std::string network_warning(const Selection& selection);

}  // namespace mpisel
