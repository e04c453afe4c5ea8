// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

namespace cosched_exec {

/// What a member of a class asks of the processors when it runs alone.
struct Demand {
  double processors = 1;  ///< CPU seconds a second
  bool spins = false;     ///< busy-waits for its own threads or ranks
};

inline constexpr double kBesideSpinner = 0.9;  ///< f of others beside one

/// What sharing the processors alone explains (measured in mixes.md, derived): tasks that do not
/// spin get equal shares, none more than it asks for; beside those that spin they lose little. A
/// task that spins is as slow as its slowest thread, so it stands still soon after the processors
/// are oversubscribed, and two of them always do. Writes f of each class with counts > 0.
/// True when a task that spins shares oversubscribed processors, which takes kBesideSpinner from
/// the others.
bool shared_speeds(std::span<const Demand> classes, std::span<const std::uint16_t> counts,
                   double processors, std::span<double> f);

}  // namespace cosched_exec
