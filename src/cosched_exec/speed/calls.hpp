// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cosched_exec {

/// Counts the MPI and OpenMP runtime calls of one task through the preloaded probe (src/probe),
/// which counts into memory that is shared with it and leaves nothing behind.
class CallCounter {
 public:
  /// Throws core::Error when there is no memory; a probe that is not installed just counts nothing.
  CallCounter();
  CallCounter(CallCounter&&) noexcept;
  ~CallCounter();

  /// What the task's environment needs: LD_PRELOAD (kept and added to) and where to count. It names
  /// this process, which has to keep the counter while the task runs. Empty without a probe.
  std::vector<std::pair<std::string, std::string>> environment() const;
  /// Calls so far, of all processes and threads.
  std::uint64_t total() const;
  /// Whether any process of the task that refers to MPI or to an OpenMP runtime (as linked, or by a
  /// first call) has loaded the probe. False for good: static, setuid, or no such program.
  bool loaded() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The probe beside our own program (libexec/launchwise); empty when it is not there.
std::string probe_path();

}  // namespace cosched_exec
