// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace benchmarks {

/// One thing a rank has to do. bench: a program of this folder that prints `warm` and `time` lines;
/// command: any command, whose wall time is taken.
struct Step {
  enum class Kind { bench, command } kind = Kind::bench;
  std::uint32_t first = 0;  ///< number of its benchmark in records, or of the first of several
  std::vector<std::string> argv;
};

enum class Binding { none, core, numa };

/// The command line of the rank program, which only benchrun writes:
///
///     rank --nonce TEXT [--rank R --size N --local L] [--alive S] [--deadline S]
///          [--bind none|core|numa] [--threads K]
///          [--step bench|command FIRST COUNT ARG...]...
///
/// --rank, --size, --local: for launchers that set no variables. --alive: longest silence, s.
/// --deadline: life span, s, longer when the warm-up shows that it takes longer. --threads 0: as
/// many as this process may use.
struct RankOptions {
  std::string nonce;
  std::optional<std::uint32_t> rank, size, local;
  std::uint32_t alive = 10;
  std::uint32_t deadline = 3600;
  std::uint32_t threads = 0;
  Binding binding = Binding::none;
  std::vector<Step> steps;
};

/// Throws core::Error on anything else.
RankOptions parse_rank_options(int argc, char** argv);

/// Fills rank, size and local from the launcher's variables where the command line has none.
void read_identity(RankOptions& options);

/// Binds as told and settles the number of threads. Throws core::Error when there is no such core
/// or NUMA node here.
void bind_rank(RankOptions& options);

/// Numeric addresses of this host's interfaces but loopback.
std::vector<std::string> own_addresses();
std::string own_host_name();

}  // namespace benchmarks
