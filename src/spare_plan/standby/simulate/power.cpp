// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/simulate/power.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace spare_plan::standby {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

PowerStates::PowerStates(const Machine& machine, std::uint32_t idle, double now)
    : machine_(machine), now_(now), idle_(0), off_(machine.nodes - idle) {
  add_idle(idle);
}

void PowerStates::add_idle(std::uint32_t nodes) {
  if (nodes == 0) return;
  idle_ += nodes;
  if (!idle_groups_.empty() && idle_groups_.back().at == now_)
    idle_groups_.back().nodes += nodes;
  else
    idle_groups_.push_back({now_, nodes});
}

void PowerStates::advance(double now) {
  const double passed = now - now_;
  seconds_.busy += busy_ * passed;
  seconds_.idle += idle_ * passed;
  seconds_.boot += booting_ * passed;
  seconds_.shutdown += shutting_ * passed;
  now_ = now;
}

void PowerStates::settle() {
  for (; !boots_.empty() && boots_.front().at <= now_; boots_.pop_front()) {
    booting_ -= boots_.front().nodes;
    add_idle(boots_.front().nodes);
  }
  for (; !shutdowns_.empty() && shutdowns_.front().at <= now_; shutdowns_.pop_front()) {
    shutting_ -= shutdowns_.front().nodes;
    off_ += shutdowns_.front().nodes;
  }
}

double PowerStates::next_change() const {
  return std::min(boots_.empty() ? kNever : boots_.front().at,
                  shutdowns_.empty() ? kNever : shutdowns_.front().at);
}

void PowerStates::occupy(std::uint32_t nodes) {
  assert(nodes <= idle_);
  idle_ -= nodes;
  busy_ += nodes;
  while (nodes > 0) {
    auto& group = idle_groups_.back();
    const auto taken = std::min(nodes, group.nodes);
    nodes -= taken;
    group.nodes -= taken;
    if (group.nodes == 0) idle_groups_.pop_back();
  }
}

void PowerStates::release(std::uint32_t nodes) {
  busy_ -= nodes;
  add_idle(nodes);
}

std::uint32_t PowerStates::wake(std::uint64_t nodes) {
  const auto woken = static_cast<std::uint32_t>(std::min<std::uint64_t>(nodes, off_));
  if (woken == 0) return 0;
  off_ -= woken;
  booting_ += woken;
  wakes_ += woken;
  boots_.push_back({now_ + machine_.boot, woken});
  return woken;
}

std::uint32_t PowerStates::shut(std::uint64_t nodes, double least_idle) {
  std::uint32_t shut = 0;
  while (shut < nodes && !idle_groups_.empty()) {
    auto& group = idle_groups_.front();
    if (group.at + least_idle > now_) break;
    const auto taken =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(nodes - shut, group.nodes));
    shut += taken;
    group.nodes -= taken;
    if (group.nodes == 0) idle_groups_.pop_front();
  }
  if (shut == 0) return 0;
  idle_ -= shut;
  shutting_ += shut;
  shuts_ += shut;
  shutdowns_.push_back({now_ + machine_.shutdown, shut});
  return shut;
}

double PowerStates::next_idle_for(double seconds) const {
  const auto later = [&](double now, const Group& group) { return now < group.at + seconds; };
  const auto next = std::upper_bound(idle_groups_.begin(), idle_groups_.end(), now_, later);
  return next == idle_groups_.end() ? kNever : next->at + seconds;
}

}  // namespace spare_plan::standby
