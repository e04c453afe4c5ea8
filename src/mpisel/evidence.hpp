// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/slow_hosts.hpp"
#include "mpisel/select.hpp"

namespace mpisel {

/// How sure the repetitions of the table make a selection.
struct Evidence {
  std::vector<core::Judged> hosts;  ///< as Selection::hosts
  std::size_t runs = 0;             ///< most repetitions of a host
  bool tells = false;               ///< they are enough for the interval of some host
  bool several_kinds = false;       ///< hosts are compared with those of their hardware
  /// Between the hosts kept and those that are slower; nothing where either are none.
  std::optional<core::Boundary> boundary;
};

Evidence weigh(const Selection& selection);

}  // namespace mpisel
