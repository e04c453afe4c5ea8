// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>

namespace cosched_exec {

/// The time of a run, which begins when this is made. By the steady clock: what is done to the
/// system's clock meanwhile changes nothing.
class RunClock {
 public:
  RunClock();
  /// s since the start.
  double now() const;
  /// s since 1970.
  double epoch_now() const { return begin_epoch_ + now(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_;
  double begin_epoch_;
};

}  // namespace cosched_exec
