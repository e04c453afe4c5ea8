// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/demand.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace spare_plan::standby {

Demand::Demand(std::uint32_t largest)
    : sums_(std::size_t{largest} + 2), highest_bit_(std::bit_floor(sums_.size() - 1)) {}

void Demand::change(std::uint32_t value, std::ptrdiff_t by) {
  assert(std::size_t{value} + 1 < sums_.size());
  for (std::size_t i = std::size_t{value} + 1; i < sums_.size(); i += i & -i)
    sums_[i] = static_cast<std::uint32_t>(sums_[i] + by);
  total_ = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(total_) + by);
}

std::size_t Demand::at_most(std::uint32_t x) const {
  std::size_t count = 0;
  for (std::size_t i = std::min(std::size_t{x} + 1, sums_.size() - 1); i > 0; i -= i & -i)
    count += sums_[i];
  return count;
}

std::uint32_t Demand::quantile(double p0) const {
  assert(total_ > 0 && p0 > 0 && p0 <= 1);
  std::size_t below = 0, count = 0;  // the largest index whose values are too few, and their count
  for (auto step = highest_bit_; step > 0; step /= 2) {
    const auto next = below + step;
    if (next >= sums_.size()) continue;
    const auto with_next = count + sums_[next];
    if (static_cast<double>(with_next) / static_cast<double>(total_) >= p0) continue;
    below = next;
    count = with_next;
  }
  return static_cast<std::uint32_t>(below);
}

std::span<const Job> last_window(std::span<const Job> jobs, const Window& window) {
  assert(!jobs.empty());
  if (window.jobs && *window.jobs < jobs.size()) return jobs.last(*window.jobs);
  if (!window.seconds) return jobs;
  const auto first =
      std::ranges::lower_bound(jobs, jobs.back().submit - *window.seconds, {}, &Job::submit);
  return jobs.subspan(static_cast<std::size_t>(first - jobs.begin()));
}

}  // namespace spare_plan::standby
