// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spare_plan/standby/live/decide.hpp"

namespace spare_plan::standby::live {

/// What the command lines of plan and apply say.
struct Given {
  std::optional<std::uint64_t> keep, max_change;
  std::vector<std::string> state;  ///< files; empty: ask the scheduler
  std::optional<std::string> scheduler, hosts, ledger, queue, path, slurm_conf;
  std::optional<double> boot, boot_limit, hold, min_up, idle_timeout, timeout, time;
  bool json = false;
  std::string output = "-";
};

constexpr const char* kDefaultLedger = "/var/lib/launchwise/standby.ledger";
constexpr double kDefaultHold = 1800, kDefaultBootLimit = 600, kDefaultTimeout = 60;

/// Throws a usage Error when --keep is missing or --queue has no such word.
Rule rule_of(const Given& given);

}  // namespace spare_plan::standby::live
