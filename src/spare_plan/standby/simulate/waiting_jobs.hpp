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
  explicit WaitingJobs(std::span<const Job> jobs);

  void add(std::size_t job) { set(job, jobs_[job].nodes); }
  void remove(std::size_t job) { set(job, 0); }
  bool empty() const { return nodes() == 0; }
  /// The one that has waited for longest; there is one.
  std::size_t first() const;
  /// Of all that wait.
  std::uint64_t nodes() const { return sums_[1]; }
  /// Of as many as fit into `capacity` when they are taken in order up to the first that does not.
  std::uint64_t nodes_in_order(std::uint64_t capacity) const;

 private:
  void set(std::size_t job, std::uint64_t nodes);

  std::span<const Job> jobs_;
  std::size_t leaves_;  ///< a power of two; places: 1 the root, from leaves_ on the jobs
  std::vector<std::uint64_t> sums_;
};

/// Finds waiting jobs that fit into a gap. For each range of a Fenwick tree over the widths that
/// occur, a tree over the jobs of these widths has the least estimates: a question is answered in
/// log(widths) log(jobs), however long the queue.
class FittingJobs {
 public:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  static constexpr double kForever = std::numeric_limits<double>::infinity();

  explicit FittingJobs(std::span<const Job> jobs);

  void add(std::size_t job) { set(job, jobs_[job].estimate); }
  void remove(std::size_t job) { set(job, kForever); }  // longer than any that waits
  /// The first one at or behind `from` of at most so many nodes and seconds, or kNone.
  std::size_t first(std::size_t from, std::uint32_t nodes, double seconds) const;

 private:
  /// The jobs of some widths.
  class Range {
   public:
    /// Returns the number of the job among those of the range.
    std::uint32_t append(std::size_t job);
    void build();
    void set(std::uint32_t number, double estimate);
    std::size_t first(std::size_t from, double seconds) const;

   private:
    std::vector<std::uint32_t> jobs_;  ///< ascending
    std::size_t leaves_ = 1;
    std::vector<double> least_;  ///< of those that wait below a place; infinity: none
  };

  void set(std::size_t job, double estimate);
  std::size_t rank(std::uint32_t nodes) const;

  std::span<const Job> jobs_;
  std::vector<std::uint32_t> widths_;   ///< that occur, ascending
  std::vector<Range> ranges_;           ///< from 1, as in a Fenwick tree
  std::vector<std::uint32_t> numbers_;  ///< of each job in its ranges, from the narrowest range on
  std::vector<std::size_t> begins_;     ///< of a job's numbers
};

}  // namespace spare_plan::standby
