// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/fd.hpp"

namespace cosched_exec {

/// The system calls that counters need: the seam for tests.
class PerfApi {
 public:
  virtual ~PerfApi() = default;
  /// perf_event_open(attr, pid, cpu -1, group -1, close-on-exec): a descriptor, or -errno.
  virtual int open(const perf_event_attr& attr, pid_t pid) = 0;
  /// value, time_enabled, time_running; false when it cannot be read.
  struct Value {
    std::uint64_t value = 0, enabled = 0, running = 0;
  };
  virtual bool read(int fd, Value& value) = 0;
  virtual void close(int fd) = 0;
  /// Types of the PMUs of the kinds of cores where there are several; empty: all cores are alike.
  virtual std::vector<std::uint32_t> core_pmus() = 0;
  /// kernel.perf_event_paranoid; none: not there.
  virtual std::optional<int> paranoid() = 0;
};
PerfApi& kernel_perf();

/// Hardware counters of a task: instructions and cycles of a process and all it starts, one event
/// per kind of core on hybrid processors, in user space only where more is not allowed. To be
/// opened on the stopped child before its exec.
class Counters {
 public:
  Counters(PerfApi& perf, pid_t stopped_child);
  Counters(Counters&&) noexcept;
  ~Counters();

  struct Counts {
    std::optional<double> instructions, cycles;  ///< totals, scaled by time_enabled/time_running
  };
  /// None where an event could not be opened, did not run though the task did since the last read,
  /// or ran for less than 20 % of that time: what it missed is not in later totals either.
  Counts read();
  /// The totals of the last read, also where it gave none for want of running: from there the
  /// next stretch can be told.
  Counts totals() const;
  /// Why something is missing, a phrase with the cure: "no hardware counters here (a virtual
  /// machine?)", "kernel.perf_event_paranoid is 3: ..."; empty when both counts are there.
  std::string missing() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cosched_exec
