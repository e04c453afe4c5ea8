// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <functional>

namespace cosched_exec {

/// The time of a run, which begins when this is made. By the steady clock: what is done to the
/// system's clock meanwhile changes nothing.
class RunClock {
 public:
  RunClock();
  /// s since the start, without the time in which it stood still.
  double now() const;
  /// s since 1970; this goes on always.
  double epoch_now() const;
  /// Stands still while `meanwhile` is done.
  void stand_still(const std::function<void()>& meanwhile);

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_;
  double begin_epoch_;
  Clock::duration still_{};
};

}  // namespace cosched_exec
