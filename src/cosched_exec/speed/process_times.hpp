// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <span>

#include "cosched_exec/speed/reading.hpp"

namespace cosched_exec {

enum class Detail { totals, threads };

/// Adds up cpu, run, wait and, in detail, voluntary switches and threads of these processes, as
/// /proc and the CPU clocks have them; what they have waited for is included, a process that is
/// gone counts nothing. Detail costs a file per thread.
void add_process_times(std::span<const pid_t> processes, Detail detail, Reading& reading);

}  // namespace cosched_exec
