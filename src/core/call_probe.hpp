// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/times.hpp"

struct LaunchwiseSlot;

namespace core {

/// MPI_COMM_WORLD of a program.
struct World {
  std::uint32_t ranks = 0;  ///< 0: not known, or no world
  std::string mpi;          ///< whose interface its MPI has: "Open MPI", "MPICH"
  bool operator==(const World&) const = default;
};

/// Watches the MPI and OpenMP runtime calls of one program through the preloaded probe (src/probe),
/// in memory that is shared with all its processes, outlives them and leaves nothing behind.
class CallProbe {
 public:
  /// count: MPI and OpenMP calls are counted. time: MPI calls are timed.
  enum class Task { count, time };

  /// Throws core::Error when there is no memory; a probe that is not installed just sees nothing.
  explicit CallProbe(Task task);
  CallProbe(CallProbe&&) noexcept;
  ~CallProbe();

  /// What the program's environment needs: LD_PRELOAD (kept and added to) and where to count. It
  /// names this process, which has to keep the probe while the program runs. Empty where the probe
  /// is not installed.
  std::vector<std::pair<std::string, std::string>> environment() const;
  /// Calls so far, of all processes and threads.
  std::uint64_t total() const;
  /// Whether any process of the program that refers to MPI or to an OpenMP runtime (as linked, or
  /// by a first call) has loaded the probe. False for good: static, setuid, or no such program.
  bool loaded() const;
  /// How the measured part of the time until now was spent; not known for a program that has not
  /// initialised MPI, or out of the probe's sight.
  Split split() const;
  /// The largest world that a process of the program was in (one may run several programs, in
  /// turn).
  World world() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Adds up what the threads of a program's processes were timed at. `now`: on their clock, ns. A
/// process is the thread that initialised MPI; where that calls MPI no more, the mean of the others
/// stands for its time inside MPI. Not known when no thread has initialised MPI.
Split split_of(std::span<const LaunchwiseSlot> slots, std::int64_t now);

/// The largest world of any thread that has initialised MPI.
World world_of(std::span<const LaunchwiseSlot> slots);

/// The probe beside our own program: libexec/launchwise, seen from there or from bin; empty when it
/// is not there.
std::string probe_path();

}  // namespace core
