// SPDX-License-Identifier: BSD-3-Clause
// network: every two hosts (of many: enough of them) exchange messages, in the rounds of a
// tournament; the pairs of a round all at the same time. A pair has two times: half of the median
// of some round trips of a small message, and the fastest of a few exchanges of a large one, in
// both directions at once, which is checked. Both hosts report them. Prints `warm SECONDS`,
// `time RUN SECONDS ok|wrong PEER PART`, where part 0 is the small message and 1 the large one, and
// `done`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

#include "arguments.hpp"
#include "core/error.hpp"
#include "core/stats.hpp"
#include "mpi_library.hpp"
#include "rank_options.hpp"
#include "tournament.hpp"

namespace {

using benchmarks::now;

struct Settings {
  std::size_t bytes = 0;
  unsigned exchanges = 0, pings = 0;
};

struct PairTimes {
  double latency = 0, exchange = 0;  ///< s
};

struct Meeting {
  std::uint32_t peer = 0;
  PairTimes times;
  bool right = true;
};

class Benchmark {
 public:
  Benchmark(benchmarks::MpiLibrary& mpi, const Settings& settings)
      : mpi_(mpi), settings_(settings), out_(settings.bytes), in_(settings.bytes) {
    fill(out_, mpi.rank());
  }

  /// A whole tournament.
  std::vector<Meeting> run() {
    const auto size = static_cast<std::uint32_t>(mpi_.size());
    const auto rank = static_cast<std::uint32_t>(mpi_.rank());
    std::vector<Meeting> meetings;
    for (const std::uint32_t round : benchmarks::rounds_of(size)) {
      mpi_.meet();
      if (const auto peer = benchmarks::partner_of(rank, round, size))
        meetings.push_back(meet(static_cast<int>(*peer)));
    }
    mpi_.meet();
    return meetings;
  }

 private:
  /// The bytes that a rank sends.
  static void fill(std::vector<char>& bytes, int rank) {
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<char>(i * 31 + i / 251 + static_cast<std::size_t>(rank) * 17);
  }

  Meeting meet(int peer) {
    Meeting meeting{static_cast<std::uint32_t>(peer), {}, true};
    shake_hands(peer);
    meeting.times.latency = median_ping(peer) / 2;
    std::ranges::fill(in_, '\0');
    meeting.times.exchange = least_exchange(peer);
    share(peer, meeting.times);
    expected_.resize(in_.size());
    fill(expected_, peer);
    meeting.right = in_ == expected_;
    return meeting;
  }

  /// Both are here, with all that came before behind them.
  void shake_hands(int peer) {
    std::array<char, 1> in{};
    mpi_.exchange(peer, std::array{'.'}, in);
  }

  bool first(int peer) const { return mpi_.rank() < peer; }

  double median_ping(int peer) {
    const std::span out(out_.data(), 8);
    const std::span in(in_.data(), 8);
    std::vector<double> times;
    for (unsigned i = 0; i < settings_.pings; ++i) {
      const double start = now();
      if (first(peer)) mpi_.send(peer, out);
      mpi_.receive(peer, in);
      if (!first(peer)) mpi_.send(peer, out);
      times.push_back(now() - start);
    }
    return core::median(std::move(times));
  }

  double least_exchange(int peer) {
    double least = std::numeric_limits<double>::infinity();
    for (unsigned i = 0; i < settings_.exchanges; ++i) {
      const double start = now();
      mpi_.exchange(peer, out_, in_);
      shake_hands(peer);  // what was sent may still be in a buffer here
      least = std::min(least, now() - start);
    }
    return least;
  }

  /// The first of the two has begun each ping, so its times are right.
  void share(int peer, PairTimes& times) {
    std::array<char, sizeof(PairTimes)> bytes{};
    if (first(peer)) {
      std::memcpy(bytes.data(), &times, sizeof times);
      mpi_.send(peer, bytes);
    } else {
      mpi_.receive(peer, bytes);
      std::memcpy(&times, bytes.data(), sizeof times);
    }
  }

  benchmarks::MpiLibrary& mpi_;
  Settings settings_;
  std::vector<char> out_, in_, expected_;
};

void report(std::uint64_t run, const std::vector<Meeting>& meetings) {
  for (const Meeting& meeting : meetings) {
    benchmarks::report_pair(run, meeting.times.latency, true, meeting.peer, 0);
    benchmarks::report_pair(run, meeting.times.exchange, meeting.right, meeting.peer, 1);
  }
}

/// The peers are told by the numbers of MPI, and benchrun knows those of the launcher.
void check_identity(const benchmarks::MpiLibrary& mpi) {
  benchmarks::RankOptions launcher;
  benchmarks::read_identity(launcher);
  const auto rank = static_cast<std::uint32_t>(mpi.rank());
  const auto size = static_cast<std::uint32_t>(mpi.size());
  if (launcher.rank.value_or(rank) == rank && launcher.size.value_or(size) == size) {
    if (size > 1) return;
    throw core::Error("one host alone has no network to measure");
  }
  throw core::Error(fmt::format(
      "launcher and MPI library do not fit together: rank {} of {} for the launcher is rank {} of "
      "{} for {}; use the mpirun or mpiexec of that library, with srun set SLURM_MPI_TYPE (srun "
      "--mpi=list)",
      launcher.rank.value_or(rank), launcher.size.value_or(size), rank, size, mpi.name()));
}

void measure(const Settings& settings, std::uint64_t warm_ups, std::uint64_t runs) {
  const double start = now();
  const std::unique_ptr<benchmarks::MpiLibrary> mpi = benchmarks::load_mpi();
  check_identity(*mpi);
  Benchmark benchmark(*mpi, settings);
  for (std::uint64_t i = 0; i < warm_ups; ++i) benchmark.run();
  benchmarks::report_warm_up(now() - start);
  for (std::uint64_t run = 0; run < runs; ++run) report(run, benchmark.run());
  benchmarks::report_done();
  mpi->meet();
  mpi->finish();
}

}  // namespace

int main(int argc, char** argv) {
  benchmarks::Arguments arguments(argc, argv);
  Settings settings;
  settings.bytes = arguments.count("--message-bytes", 1U << 20U, 8);
  settings.exchanges = static_cast<unsigned>(arguments.count("--exchanges", 3));
  settings.pings = static_cast<unsigned>(arguments.count("--pings", 20));
  arguments.count("--threads", 1);  // as all benchmarks get it
  const std::uint64_t warm_ups = arguments.count("--warmup", 1, 0);
  const std::uint64_t runs = arguments.count("--runs", 3);
  arguments.finish();
  try {
    measure(settings, warm_ups, runs);
    return 0;
  } catch (const core::Error& e) {
    benchmarks::report_failure(e.what());
    return 1;
  }
}
