// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "spare_plan/standby/demand.hpp"
#include "spare_plan/standby/job_history.hpp"

namespace spare_plan::standby {

/// What the command line says about a history and what is wanted of it.
struct Given {
  std::string history;  ///< "-": standard input
  std::optional<std::string> format, group_by;
  std::optional<double> p0, window, window_days, window_seconds;
  std::optional<std::uint64_t> window_jobs, nodes, ppn;
  bool json = false, explain = false;
  std::string output = "-";
  std::optional<std::string> plot;
};

/// The source's share of jobs that are to start at once.
constexpr double kDefaultShare = 0.9;

/// Each throws a usage Error that names the option.
double share_of(const Given& given);
Window window_of(const Given& given);
Reading reading_of(const Given& given);

}  // namespace spare_plan::standby
