// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/simulate/waiting_jobs.hpp"

#include <algorithm>
#include <bit>

namespace spare_plan::standby {

WaitingJobs::WaitingJobs(std::span<const Job> jobs)
    : jobs_(jobs),
      leaves_(std::bit_ceil(std::max<std::size_t>(jobs.size(), 1))),
      sums_(2 * leaves_),
      least_nodes_(2 * leaves_, UINT32_MAX),
      least_estimate_(2 * leaves_, kForever) {}

void WaitingJobs::update(std::size_t job) {
  for (auto place = (leaves_ + job) / 2; place > 0; place /= 2) {
    const auto left = 2 * place, right = left + 1;
    sums_[place] = sums_[left] + sums_[right];
    least_nodes_[place] = std::min(least_nodes_[left], least_nodes_[right]);
    least_estimate_[place] = std::min(least_estimate_[left], least_estimate_[right]);
  }
}

void WaitingJobs::add(std::size_t job) {
  sums_[leaves_ + job] = least_nodes_[leaves_ + job] = jobs_[job].nodes;
  least_estimate_[leaves_ + job] = jobs_[job].estimate;
  update(job);
}

void WaitingJobs::remove(std::size_t job) {
  sums_[leaves_ + job] = 0;
  least_nodes_[leaves_ + job] = UINT32_MAX;
  least_estimate_[leaves_ + job] = kForever;
  update(job);
}

std::uint64_t WaitingJobs::nodes_in_order(std::uint64_t capacity) const {
  if (sums_[1] <= capacity) return sums_[1];
  std::uint64_t taken = 0;
  for (std::size_t place = 1; place < leaves_;) {
    place *= 2;
    if (taken + sums_[place] > capacity) continue;
    taken += sums_[place];
    ++place;
  }
  return taken;
}

/// For a leaf: whether its job fits.
bool WaitingJobs::may_hold(const Gap& gap, std::size_t place) const {
  const auto nodes = least_nodes_[place];
  return nodes <= gap.idle && (nodes <= gap.extra || least_estimate_[place] <= gap.seconds) &&
         sums_[place] > 0;
}

std::size_t WaitingJobs::next_that(const Gap& gap, std::size_t from) const {
  if (from >= jobs_.size()) return kNone;
  for (auto place = leaves_ + from;;) {
    if (may_hold(gap, place)) {
      if (place >= leaves_) return place - leaves_;
      place *= 2;
      continue;
    }
    while (place & 1) place /= 2;  // up, as long as nothing is to the right below the same parent
    if (place == 0) return kNone;
    ++place;
  }
}

}  // namespace spare_plan::standby
