// SPDX-License-Identifier: BSD-3-Clause
// rank: what the launcher starts as every rank. Runs the benchmarks or the command in order and
// tells benchrun about it (core/records.hpp). Waits for no other rank. Its exit status is 0
// whatever became of the benchmarks: a launcher ends all ranks when one of them fails.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "core/error.hpp"
#include "hardware.hpp"
#include "steps.hpp"

namespace {

using core::Record;
using core::RecordKind;

void write_record(const std::string& line) {
  ssize_t written = 0;
  do written = ::write(STDOUT_FILENO, line.data(), line.size());
  while (written < 0 && errno == EINTR);
  if (written != static_cast<ssize_t>(line.size())) benchmarks::end_everything();
}

void run_steps(benchmarks::RankOptions& options, const benchmarks::Send& send) {
  const std::string folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  try {
    if (!options.steps.empty()) benchmarks::bind_rank(options);
  } catch (const core::Error& e) {
    for (const benchmarks::Step& step : options.steps)
      send({.kind = RecordKind::fail,
            .bench = step.first,
            .status = core::RowStatus::failed,
            .reason = e.what()});
    return;
  }
  for (const benchmarks::Step& step : options.steps)
    benchmarks::run_step(step, options, folder, send);
}

void run_rank(benchmarks::RankOptions& options) {
  benchmarks::tie_to_launcher(options.deadline);
  benchmarks::read_identity(options);
  std::uint32_t counted = 0;
  const benchmarks::Send send = [&](Record record) {
    record.rank = options.rank;
    counted += record.kind == RecordKind::warm || record.kind == RecordKind::time ||
               record.kind == RecordKind::fail;
    write_record(core::print_record(options.nonce, record));
  };
  send({.kind = RecordKind::hello,
        .size = options.size,
        .host = benchmarks::own_host_name(),
        .addresses = benchmarks::own_addresses(),
        .hardware = benchmarks::own_hardware()});
  run_steps(options, send);
  send({.kind = RecordKind::end, .count = counted});
  benchmarks::await_children();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    benchmarks::RankOptions options = benchmarks::parse_rank_options(argc, argv);
    run_rank(options);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "rank: error: %s\n", e.what());
    return 2;
  }
}
