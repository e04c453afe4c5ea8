// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/simulate/waiting_jobs.hpp"

#include <algorithm>
#include <bit>

namespace spare_plan::standby {

WaitingJobs::WaitingJobs(std::span<const Job> jobs)
    : jobs_(jobs),
      leaves_(std::bit_ceil(std::max<std::size_t>(jobs.size(), 1))),
      sums_(2 * leaves_) {}

void WaitingJobs::set(std::size_t job, std::uint64_t nodes) {
  sums_[leaves_ + job] = nodes;
  for (auto place = (leaves_ + job) / 2; place > 0; place /= 2)
    sums_[place] = sums_[2 * place] + sums_[2 * place + 1];
}

std::size_t WaitingJobs::first() const {
  std::size_t place = 1;
  while (place < leaves_) place = 2 * place + (sums_[2 * place] == 0 ? 1 : 0);
  return place - leaves_;
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

std::uint32_t FittingJobs::Range::append(std::size_t job) {
  jobs_.push_back(static_cast<std::uint32_t>(job));
  return static_cast<std::uint32_t>(jobs_.size() - 1);
}

void FittingJobs::Range::build() {
  leaves_ = std::bit_ceil(std::max<std::size_t>(jobs_.size(), 1));
  least_.assign(2 * leaves_, kForever);
}

void FittingJobs::Range::set(std::uint32_t number, double estimate) {
  least_[leaves_ + number] = estimate;
  for (auto place = (leaves_ + number) / 2; place > 0; place /= 2) {
    const double least = std::min(least_[2 * place], least_[2 * place + 1]);
    if (least_[place] == least) return;  // nor does anything change above
    least_[place] = least;
  }
}

std::size_t FittingJobs::Range::first(std::size_t from, double seconds) const {
  if (least_[1] > seconds) return kNone;
  const auto next = std::ranges::lower_bound(jobs_, from);
  auto place = leaves_ + static_cast<std::size_t>(next - jobs_.begin());
  if (place == 2 * leaves_) return kNone;
  while (least_[place] > seconds) {
    while (place & 1) place /= 2;  // up, as long as nothing is to the right below the same parent
    if (place == 0) return kNone;
    ++place;
  }
  while (place < leaves_) place = 2 * place + (least_[2 * place] > seconds ? 1 : 0);
  return jobs_[place - leaves_];
}

FittingJobs::FittingJobs(std::span<const Job> jobs) : jobs_(jobs) {
  for (const auto& job : jobs) widths_.push_back(job.nodes);
  std::ranges::sort(widths_);
  widths_.erase(std::unique(widths_.begin(), widths_.end()), widths_.end());
  ranges_.resize(widths_.size() + 1);
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    begins_.push_back(numbers_.size());
    for (auto i = rank(jobs[job].nodes); i < ranges_.size(); i += i & -i)
      numbers_.push_back(ranges_[i].append(job));
  }
  for (auto& range : ranges_) range.build();
}

/// How many widths are at most `nodes`.
std::size_t FittingJobs::rank(std::uint32_t nodes) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(widths_, nodes) - widths_.begin());
}

void FittingJobs::set(std::size_t job, double estimate) {
  auto number = begins_[job];
  for (auto i = rank(jobs_[job].nodes); i < ranges_.size(); i += i & -i)
    ranges_[i].set(numbers_[number++], estimate);
}

std::size_t FittingJobs::first(std::size_t from, std::uint32_t nodes, double seconds) const {
  // Even an unlimited time is shorter than that of what does not wait.
  const double limit = std::min(seconds, std::numeric_limits<double>::max());
  auto best = kNone;
  for (auto i = rank(nodes); i > 0; i -= i & -i)
    best = std::min(best, ranges_[i].first(from, limit));
  return best;
}

}  // namespace spare_plan::standby
