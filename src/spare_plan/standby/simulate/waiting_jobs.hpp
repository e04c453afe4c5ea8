// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "spare_plan/standby/job_history.hpp"

namespace spare_plan::standby {

/// The queue: which jobs of a history wait, in the order of their submits. A tree over the history,
/// so that the work of a call does not grow with the length of the queue.
class WaitingJobs {
 public:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  explicit WaitingJobs(std::span<const Job> jobs);

  void add(std::size_t job);
  void remove(std::size_t job);
  bool empty() const { return nodes() == 0; }
  std::size_t first() const { return next_that({UINT32_MAX, kForever, 0}, 0); }
  /// Of all that wait.
  std::uint64_t nodes() const { return sums_[1]; }
  /// Of as many as fit into `capacity` when they are taken in order up to the first that does not.
  std::uint64_t nodes_in_order(std::uint64_t capacity) const;

  /// A gap in the schedule: `idle` nodes, which are free for `seconds`, `extra` of them for ever.
  struct Gap {
    std::uint32_t idle;
    double seconds;
    std::uint32_t extra;
  };
  /// The first job at or behind `from` that fits into the gap, or kNone.
  std::size_t next_that(const Gap& gap, std::size_t from) const;

  static constexpr double kForever = std::numeric_limits<double>::infinity();

 private:
  void update(std::size_t job);
  bool may_hold(const Gap& gap, std::size_t place) const;

  std::span<const Job> jobs_;
  std::size_t leaves_;  ///< a power of two; places: 1 the root, from leaves_ on the jobs
  std::vector<std::uint64_t> sums_;
  std::vector<std::uint32_t> least_nodes_;
  std::vector<double> least_estimate_;
};

}  // namespace spare_plan::standby
