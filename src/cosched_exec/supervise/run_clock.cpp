// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/run_clock.hpp"

namespace cosched_exec {

namespace {

double in_seconds(auto duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

RunClock::RunClock()
    : begin_(Clock::now()),
      begin_epoch_(in_seconds(std::chrono::system_clock::now().time_since_epoch())) {}

double RunClock::now() const { return in_seconds(Clock::now() - begin_ - still_); }

double RunClock::epoch_now() const { return begin_epoch_ + in_seconds(Clock::now() - begin_); }

void RunClock::stand_still(const std::function<void()>& meanwhile) {
  const Clock::time_point from = Clock::now();
  meanwhile();
  still_ += Clock::now() - from;
}

}  // namespace cosched_exec
