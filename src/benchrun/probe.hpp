// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/times.hpp"

namespace benchrun {

/// What an independent launch of one rank on one host has shown.
struct ProbeEnd {
  bool said_hello = false;
  bool timed_out = false;
  int status = 0;          ///< of the launcher, when not timed out
  std::string complaints;  ///< its stderr
  double limit = 0;        ///< s that it was given
};

/// Why a host cannot be measured; status failed: it is reached, but the rank program does not run.
struct Verdict {
  core::RowStatus status = core::RowStatus::unreachable;
  std::string reason;
};

/// Nothing when the host answered.
std::optional<Verdict> judge(const ProbeEnd& end);

/// The line of a launcher's complaints that tells most, without blanks around; empty when there is
/// none.
std::string telling_line(std::string_view complaints);

}  // namespace benchrun
