// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/allocation.hpp"
#include "core/hostfile.hpp"
#include "core/records.hpp"
#include "core/slow_hosts.hpp"

namespace benchrun {

enum class Per { host, numa, core, slot };
enum class Bind { by_default, none };

/// What the command line said.
struct Options {
  std::vector<std::string> benches;
  std::optional<std::string> hosts, hostfile;
  std::string launcher = "auto";
  std::optional<Per> per;
  Bind bind = Bind::by_default;
  std::optional<std::uint64_t> runs, warm_ups, settle;
  std::optional<double> tolerance;
  std::optional<double> budget, timeout;
  bool strict = false;
  bool self_test = false;
  std::string output;
  std::string history;
  std::vector<std::string> command;
};

/// What is known about the machine that benchrun itself runs on.
struct Machine {
  std::size_t numa_nodes = 1;
  std::size_t cores = 1;
  std::size_t cache_bytes = 0;
  std::size_t memory_bytes = 0;
};

/// A benchmark that comes with benchrun.
struct Benchmark {
  std::string name;
  std::string line;  ///< for --list
};
const std::vector<Benchmark>& bundled_benchmarks();

/// One thing that every rank does: a program of libexec/launchwise, or the user's command.
struct Step {
  std::string name;  ///< of the benchmark in the table
  bool bundled = true;
  std::vector<std::string> argv;
  std::vector<std::string> parts = {};  ///< of a step that is several benchmarks: name-part

  std::vector<std::string> benches() const;
  /// Whether the ranks of all hosts work together.
  bool joint() const { return !parts.empty(); }
};

/// Steps of one launch. A command is launched anew for every run, since an MPI program cannot be
/// initialised twice in one job; bundled benchmarks do all their runs in one launch.
struct Phase {
  std::uint32_t first_run = 0;
  std::uint32_t runs = 0;  ///< expected of every rank and step; 0: a launch that only warms up
  /// Fewer runs are a result too, when time is up: the repetitions go on until something is
  /// settled.
  bool open_ended = false;
};

/// What ends repetitions that go on in blocks.
struct Goal {
  std::optional<std::uint64_t> fastest;  ///< the boundary of so many; nothing: who is slow
  std::uint64_t most_blocks = 8;
  bool all_blocks = false;  ///< also when it is settled earlier: to know the noise
};

struct Plan {
  std::vector<core::HostSlots> hosts;  ///< the allocation
  std::vector<std::uint32_t> ranks;    ///< per host, same order
  std::vector<Step> steps;
  std::vector<Phase> phases;  ///< with a goal: the first block
  std::optional<Goal> goal;
  double tolerance = core::kTolerance;
  Per per = Per::host;
  Bind bind = Bind::by_default;
  std::uint32_t threads = 0;     ///< a rank; 0: what the rank may use
  double probe_limit = 10;       ///< s
  double timeout = 30;           ///< s
  std::optional<double> budget;  ///< s; nothing: by the warm-up, at least 60 s
  double budget_per_warm_up = core::kBudgetPerWarmUp;
  std::string command_text;                                     ///< empty for bundled benchmarks
  std::vector<std::pair<std::string, std::string>> parameters;  ///< metadata of the table
  std::vector<std::string> remarks;                             ///< sentences to warn of

  bool has_command() const { return !command_text.empty(); }
  bool has_joint_step() const;
  std::vector<std::string> benches() const;  ///< names in the table
};

/// Settles what to run from the command line, the hosts and the machine. Throws core::Error (usage)
/// for an unknown or repeated benchmark, a command together with -b, a command that is a launcher.
Plan make_plan(const Options& options, const core::Allocation& allocation, const Machine& machine);

/// The phases of a further block of a plan that has a goal.
std::vector<Phase> block_of(const Plan& plan, std::uint64_t number);

/// Bytes of each of the three arrays of the memory benchmark: four times the last-level caches, at
/// least 64 MiB, all three at most an eighth of the memory.
std::size_t triad_array_bytes(const Machine& machine);

}  // namespace benchrun
