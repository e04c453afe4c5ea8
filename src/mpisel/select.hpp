// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/node_times.hpp"
#include "core/slow_hosts.hpp"
#include "mpisel/network.hpp"

namespace mpisel {

/// The order in which the chosen hosts are written.
enum class Order { allocation, speed };

struct Request {
  std::size_t count = 1;  ///< hosts wanted, at least 1
  Order order = Order::allocation;
  double tolerance = core::kTolerance;  ///< of benchrun, see core/slow_hosts.hpp
  std::optional<double> max_ratio;      ///< hosts slower than this times the median are left out
  std::vector<std::string> exclude;     ///< hosts never chosen; unknown ones are ignored
  /// The hosts of the job that we run in, in its order; nothing: not in a job, any host may be
  /// chosen and the order is that of the scores.
  std::optional<std::vector<std::string>> allocation;
  Network network;  ///< hosts are left out for slow links of it
};

/// What became of a host. `usable`: it would be kept, but there are fewer than `count` such hosts.
/// slow_link: one of two between which the link is slow.
/// apart: as good as the slowest kept, but it would need more switches (mpisel/compact.hpp).
enum class Verdict {
  kept,
  usable,
  slower,
  slow_link,
  apart,
  above_ratio,
  unusable,
  excluded,
  not_allocated
};

/// Whether a host is left out because of its times.
constexpr bool left_as_slow(Verdict verdict) {
  return verdict == Verdict::slower || verdict == Verdict::apart || verdict == Verdict::above_ratio;
}

struct Decision {
  core::HostScore score;
  Verdict verdict = Verdict::usable;
  std::string partner = {};  ///< slow_link: the other one
};

/// Numbers of switches between hosts.
struct Compacted {
  std::size_t switches = 0;  ///< between the chosen hosts
  std::size_t plain = 0;     ///< between the fastest ones, chosen without regard to switches
};

struct Selection {
  std::size_t asked = 0;
  std::size_t selectable = 0;           ///< hosts that may be chosen
  std::vector<std::string> benches;     ///< order of HostScore::times
  std::vector<core::Measure> measures;  ///< per benchmark
  std::vector<Decision> hosts;          ///< every host of the scores, in allocation order
  std::vector<std::size_t> chosen;  ///< indices into hosts, in the order asked for; empty if too
                                    ///< few are selectable
  double tolerance = core::kTolerance;  ///< as asked
  std::optional<double> max_ratio;      ///< as asked, for messages
  Network network;                      ///< as asked
  std::optional<Compacted> compacted;   ///< where it was asked for and switches are known
};

/// The `count` hosts with the least scores; of equal ones those that come first in the allocation.
/// Where links are slow, mpisel::keep.
Selection select(core::Scores scores, const Request& request);

/// What became of a host in a few words: "kept", "timeout", "slower than the 4 kept", ...
std::string reason(const Selection& selection, const Decision& decision);

/// Throws Error (status unmet) with a sentence that counts why when no hosts could be chosen:
/// "asked for 8 hosts, 6 usable: 1 timeout, 1 excluded".
void require_enough(const Selection& selection);

}  // namespace mpisel
