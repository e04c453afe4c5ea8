// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "spare_plan/standby/formats/formats.hpp"

/// The history of a text in memory.
inline spare_plan::standby::JobHistory history_from(
    std::string_view text, const std::optional<std::string>& format = {},
    const spare_plan::standby::Reading& reading = {}) {
  spare_plan::standby::Bytes bytes(text);
  return spare_plan::standby::read_history(bytes, "history", reading, format);
}

/// What a random trace is like; all times are whole seconds, so that node-seconds are exact.
struct TraceKind {
  std::size_t jobs = 200;
  std::uint32_t widest = 16;
  double mean_gap = 100, mean_run = 200;  ///< s
};

/// Jobs by submit, often several at one instant, often a power of two wide.
inline std::vector<spare_plan::standby::Job> random_trace(std::uint64_t seed,
                                                          const TraceKind& kind = {}) {
  std::mt19937_64 random(seed);
  std::exponential_distribution<double> gap(1 / kind.mean_gap), run(1 / kind.mean_run);
  std::uniform_int_distribution<std::uint32_t> nodes(1, kind.widest);
  std::uniform_int_distribution<int> often(0, 3);
  std::vector<spare_plan::standby::Job> jobs;
  double now = 0;
  for (std::size_t i = 0; i < kind.jobs; ++i) {
    if (often(random) > 0) now += static_cast<int>(gap(random));
    spare_plan::standby::Job job;
    job.submit = now;
    job.run = static_cast<int>(run(random));
    job.estimate = job.run * (1 + often(random));
    job.nodes = nodes(random);
    if (often(random) > 0)
      while (job.nodes & (job.nodes - 1)) job.nodes &= job.nodes - 1;
    jobs.push_back(job);
  }
  return jobs;
}
