// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "cosched_exec/speed/reading.hpp"

namespace cosched_exec {

/// CPU seconds of all threads of a living process, ended ones included, to the nanosecond, whoever
/// owns it; 0: it is gone.
double cpu_clock(pid_t process);

enum class Detail { totals, threads };

/// The times of one task's processes, as their CPU clocks and /proc have them: any user may read
/// them. A process that is gone counts nothing; what it used comes back as that of its parent, or
/// as `ended_cpu`.
class ProcessTimes {
 public:
  /// `group`: folder of the cgroup v2 that holds the task alone, which then tells its CPU seconds
  /// (cpu.stat); empty: none.
  explicit ProcessTimes(const std::string& group = {});
  /// Sets cpu, run, wait and threads of the reading and, in detail, voluntary switches, which
  /// costs a second and larger file per thread. `ended_cpu`: CPU seconds of processes of the task
  /// that we have reaped ourselves.
  void read(std::span<const pid_t> processes, double ended_cpu, Detail detail, Reading& reading);

 private:
  struct Thread {
    double run = 0, wait = 0;  ///< s
    std::uint64_t voluntary = 0;
    unsigned seen = 0;  ///< number of the last reading that it was in
  };
  double sum_of_clocks(std::span<const pid_t> processes);
  void read_threads(pid_t process, Detail detail);
  void read_thread(int task_folder, const char* thread, Detail detail);

  std::string cpu_stat_;
  std::vector<pid_t> counted_;  ///< in the last reading
  std::unordered_map<pid_t, Thread> threads_;
  double run_ = 0, wait_ = 0;
  std::uint64_t voluntary_ = 0;
  unsigned readings_ = 0;
  GrowingTotal cpu_;
};

}  // namespace cosched_exec
