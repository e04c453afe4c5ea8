// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "spare_plan/standby/simulate/settings.hpp"

namespace spare_plan::standby {

/// Node-seconds by what the nodes did.
struct NodeSeconds {
  double busy = 0, idle = 0, boot = 0, shutdown = 0;
  double on() const { return busy + idle + boot + shutdown; }
};

/// The nodes of a machine, which differ only in their state: off -> booting -> idle <-> busy, idle
/// -> shutting down -> off. Keeps account of the time in each.
class PowerStates {
 public:
  PowerStates(const Machine& machine, std::uint32_t idle, double now);

  /// Lets time pass, at most up to next_change().
  void advance(double now);
  /// Ends the boots and shutdowns that are over now.
  void settle();
  /// When the next boot or shutdown ends; infinity: none is under way.
  double next_change() const;

  void occupy(std::uint32_t nodes);   ///< idle -> busy; those that became idle last
  void release(std::uint32_t nodes);  ///< busy -> idle
  /// off -> booting, at most those that are off; returns how many.
  std::uint32_t wake(std::uint64_t nodes);
  /// idle -> shutting down, those that have been idle for longest; only nodes that have been idle
  /// for `least_idle` seconds. Returns how many.
  std::uint32_t shut(std::uint64_t nodes, double least_idle);
  /// When the next of the idle nodes will have been idle for that long; infinity: none.
  double next_idle_for(double seconds) const;

  double now() const { return now_; }
  std::uint32_t idle() const { return idle_; }
  std::uint32_t off() const { return off_; }
  std::uint32_t busy() const { return busy_; }
  std::uint32_t booting() const { return booting_; }
  std::uint64_t wakes() const { return wakes_; }
  std::uint64_t shuts() const { return shuts_; }
  const NodeSeconds& seconds() const { return seconds_; }

  /// Nodes that change together.
  struct Group {
    double at;  ///< when they are ready, off, or became idle
    std::uint32_t nodes;
  };
  const std::deque<Group>& boots() const { return boots_; }

 private:
  void add_idle(std::uint32_t nodes);

  Machine machine_;
  double now_;
  std::uint32_t idle_, off_, busy_ = 0, booting_ = 0, shutting_ = 0;
  std::deque<Group> boots_, shutdowns_;  ///< by end, since all take equally long
  std::deque<Group> idle_groups_;        ///< by when they became idle
  NodeSeconds seconds_;
  std::uint64_t wakes_ = 0, shuts_ = 0;
};

}  // namespace spare_plan::standby
