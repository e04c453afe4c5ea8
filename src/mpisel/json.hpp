// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <span>
#include <string_view>

#include "core/hostfile.hpp"
#include "mpisel/select.hpp"

namespace mpisel {

/// One object: n, order, benches, hosts (every host in allocation order: host, slots (null unless
/// selected), seconds per benchmark, score, ratio, runs, ratio_to_others, interval, pace, hardware,
/// selected, reason), boundary (settled, clear, gain, confidence) and selected (the names in the
/// order chosen). Times in seconds; null where there is none or it is not known.
void write_json(std::ostream& out, const Selection& selection,
                std::span<const core::HostSlots> chosen, Order order);

}  // namespace mpisel
