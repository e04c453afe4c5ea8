// SPDX-License-Identifier: BSD-3-Clause
// pbsnodes -a -F json and qstat -f -F json of OpenPBS (its reference guide, "Node states"). A node
// that was switched off is only "down" there: the ledger tells which of them are off.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/duration.hpp"
#include "core/error.hpp"
#include "core/host_name.hpp"
#include "core/number.hpp"
#include "spare_plan/standby/live/json_value.hpp"
#include "spare_plan/standby/live/parts.hpp"

namespace spare_plan::standby::live {
namespace {

std::set<std::string> states_of(const std::string& list) {
  std::set<std::string> states;
  std::istringstream in(list);
  for (std::string one; std::getline(in, one, ',');) states.insert(one);
  return states;
}

/// The first of a node's states that holds it, in the order of what explains most.
std::optional<std::string> holding_state(const std::set<std::string>& states) {
  for (const char* word : {"offline", "maintenance", "resv-exclusive"})
    if (states.contains(word)) return word;
  for (const auto& word : states)
    if (word != "free" && word != "job-busy" && word != "job-exclusive" && word != "job-sharing")
      return word;
  return std::nullopt;
}

void set_state(Node& node, const std::set<std::string>& states, bool has_jobs) {
  const auto holding = holding_state(states);
  if (states.contains("down") || states.contains("sleep")) {
    node.state = states.contains("sleep") ? NodeState::off : NodeState::down;
    node.why = states.contains("offline") ? "down, offline" : "down";
  } else if (has_jobs || (!holding && !states.contains("free"))) {
    node.state = NodeState::busy;
  } else if (holding) {
    node.state = NodeState::held;
    node.why = *holding;
  } else {
    node.state = NodeState::idle;
  }
}

Node pbs_node(const std::string& key, const JsonValue& from, const std::string& name) {
  Node node{key};
  core::check_host_name(node.name, name + ": node");
  set_state(node, states_of(from.text("state").value_or("state-unknown")),
            from.at("jobs").is_array() && from.at("jobs").size() > 0);
  const auto changed = from.time("last_state_change_time"), used = from.time("last_used_time");
  if (changed || used) node.idle_since = std::max(changed.value_or(0), used.value_or(0));
  return node;
}

std::optional<double> duration_at(const JsonValue& object, const char* key) {
  try {
    const auto text = object.text(key);
    return text ? std::optional(core::parse_duration(*text, key)) : std::nullopt;
  } catch (const core::Error&) {
    return std::nullopt;  // a limit that cannot be read is no limit
  }
}

void add_pbs_job(Cluster& cluster, const JsonValue& from, double number) {
  const auto wanted = from.at("Resource_List");
  const auto nodes = job_nodes(wanted, "nodect");
  const auto state = from.text("job_state");
  if (state == "Q") cluster.waiting.push_back({nodes, -number});
  if (state != "R") return;
  const auto limit = duration_at(wanted, "walltime");
  const auto used = duration_at(from.at("resources_used"), "walltime").value_or(0);
  cluster.running.push_back({nodes});
  if (limit && cluster.time) cluster.running.back().ends = *cluster.time + *limit - used;
}

}  // namespace

void read_pbs_nodes(Cluster& cluster, const JsonValue& nodes, const std::string& name) {
  nodes.each([&](const std::string& key, const JsonValue& node) {
    cluster.nodes.push_back(pbs_node(key, node, name));
  });
}

/// The first submitted first: by the number of the id, "12.server", "7[].server".
void read_pbs_jobs(Cluster& cluster, const JsonValue& jobs) {
  jobs.each([&](const std::string& id, const JsonValue& job) {
    const auto digits = id.substr(0, id.find_first_not_of("0123456789"));
    add_pbs_job(cluster, job, core::parse_number(digits).value_or(0));
  });
}

}  // namespace spare_plan::standby::live
