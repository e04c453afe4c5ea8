// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "spare_plan/standby/job_history.hpp"
#include "spare_plan/standby/simulate/settings.hpp"

namespace spare_plan::standby {

/// What N is in the course of a simulation.
class StandbyRule {
 public:
  virtual ~StandbyRule() = default;
  /// N at the instant `now`, when the first `submitted` jobs have been submitted. Instants and
  /// numbers of jobs never decrease from call to call. At most the nodes of the machine.
  virtual std::uint32_t nodes(double now, std::size_t submitted) = 0;
};

/// The rule of a policy. Jobs by submit; they outlive it.
std::unique_ptr<StandbyRule> standby_rule(std::span<const Job> jobs, const Machine& machine,
                                          const Settings& settings);

}  // namespace spare_plan::standby
