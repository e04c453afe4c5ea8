// SPDX-License-Identifier: BSD-3-Clause
// Our own description of a cluster, for schedulers that we do not know: launchwise-formats(7).
// Since it is written for us, what is wrong in it is an error.
#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "core/host_name.hpp"
#include "core/number.hpp"
#include "spare_plan/standby/live/json_value.hpp"
#include "spare_plan/standby/live/parts.hpp"

namespace spare_plan::standby::live {
namespace {

NodeState state_of(const JsonValue& from, const std::string& where) {
  const auto text = from.text("state").value_or("");
  for (int i = 0; i <= static_cast<int>(NodeState::held); ++i)
    if (text == name_of(static_cast<NodeState>(i))) return static_cast<NodeState>(i);
  throw core::Error(fmt::format(
      "{}.state: {} is none of idle, planned, busy, booting, off, stopping, down and held", where,
      core::quoted(text)));
}

Node own_node(const JsonValue& from, const std::string& where) {
  Node node{from.text("name").value_or("")};
  core::check_host_name(node.name, where + ".name");
  node.state = state_of(from, where);
  node.why = from.text("why").value_or(name_of(node.state));
  node.booted = from.time("booted");
  node.idle_since = from.time("idle_since");
  node.off_since = from.time("off_since");
  return node;
}

void add_own_job(Cluster& cluster, const JsonValue& from, const std::string& where) {
  const auto state = from.text("state");
  const auto nodes = from.number("nodes");
  if (!nodes || *nodes < 0 || *nodes > kMostJobNodes || *nodes != std::floor(*nodes))
    throw core::Error(where + ".nodes is not a number of nodes");
  const auto count = static_cast<std::uint32_t>(*nodes);
  if (state == "waiting")
    cluster.waiting.push_back({count, from.number("priority").value_or(0)});
  else if (state == "running")
    cluster.running.push_back(
        {count, from.time("ends").value_or(std::numeric_limits<double>::infinity())});
  else
    throw core::Error(where + ".state is neither waiting nor running");
}

}  // namespace

void read_own(Cluster& cluster, const JsonValue& state, const std::string& name) {
  if (state.number("launchwise_cluster") != 1)
    throw core::Error(name + ": launchwise_cluster is not 1, the version that is known here");
  state.at("nodes").each([&](const std::string& index, const JsonValue& node) {
    cluster.nodes.push_back(own_node(node, fmt::format("{}: nodes[{}]", name, index)));
  });
  state.at("jobs").each([&](const std::string& index, const JsonValue& job) {
    add_own_job(cluster, job, fmt::format("{}: jobs[{}]", name, index));
  });
}

}  // namespace spare_plan::standby::live
