// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace spare_plan::standby::live {

enum class NodeState {
  idle,      ///< on, a job could start at once
  planned,   ///< idle, but the scheduler keeps it for a waiting job
  busy,      ///< has a job or is given to one, maybe booting
  booting,   ///< will be idle soon
  off,       ///< without power, could be woken
  stopping,  ///< shutting down, cannot be woken before it is off
  down,      ///< does not answer: broken, or off without the scheduler knowing
  held,      ///< an administrator, a reservation or something unknown keeps it
};
const char* name_of(NodeState state);

/// Times are seconds since 1970, where the scheduler or the ledger tells them.
struct Node {
  std::string name;
  NodeState state = NodeState::held;
  std::string why{};  ///< of down and held: in the scheduler's word
  std::optional<double> booted{}, idle_since{}, off_since{};
  bool late = false;  ///< off; did not come up when it was woken last
};

struct WaitingJob {
  std::uint32_t nodes = 1;
  double priority = 0;  ///< the larger is first, then the order of the list
};

struct RunningJob {
  std::uint32_t nodes = 1;
  double ends = std::numeric_limits<double>::infinity();  ///< at the latest, by its limit
};

/// What a scheduler tells about the nodes and jobs of one instant.
struct Cluster {
  std::optional<double> time{};  ///< of the instant, where it is told
  std::vector<Node> nodes{};
  std::vector<WaitingJob> waiting{};
  std::vector<RunningJob> running{};
};

}  // namespace spare_plan::standby::live
