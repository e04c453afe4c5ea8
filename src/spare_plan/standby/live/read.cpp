// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/live/read.hpp"

#include <fmt/format.h>

#include <set>

#include "core/error.hpp"
#include "core/number.hpp"
#include "spare_plan/standby/live/parts.hpp"

namespace spare_plan::standby::live {
namespace {

/// The instant that a scheduler tells; of several answers the last one.
void take_time(Cluster& cluster, const JsonValue& state) {
  for (const char* key : {"time", "timestamp"})
    if (const auto time = state.time(key)) cluster.time = time;
}

bool read_known(Cluster& cluster, const JsonValue& state, const std::string& name) {
  const auto nodes = state.at("nodes"), jobs = state.at("jobs"), pbs_jobs = state.at("Jobs");
  if (state.has("launchwise_cluster")) return read_own(cluster, state, name), true;
  if (nodes.is_array()) read_slurm_nodes(cluster, nodes, name);
  if (jobs.is_array()) read_slurm_jobs(cluster, jobs);
  if (nodes.is_object()) read_pbs_nodes(cluster, nodes, name);
  if (pbs_jobs.is_object()) read_pbs_jobs(cluster, pbs_jobs);
  return nodes.is_array() || jobs.is_array() || nodes.is_object() || pbs_jobs.is_object() ||
         state.has("pbs_server");
}

void read_json(Cluster& cluster, std::string_view text, const std::string& name) {
  const JsonText json(text, name);
  take_time(cluster, json.value());
  if (!read_known(cluster, json.value(), name))
    throw core::Error(fmt::format(
        "{} has no nodes and no jobs that are known here: want the JSON of sinfo, squeue, pbsnodes "
        "or qstat, or launchwise_cluster",
        name));
}

}  // namespace

const char* name_of(NodeState state) {
  switch (state) {
    case NodeState::idle:
      return "idle";
    case NodeState::planned:
      return "planned";
    case NodeState::busy:
      return "busy";
    case NodeState::booting:
      return "booting";
    case NodeState::off:
      return "off";
    case NodeState::stopping:
      return "stopping";
    case NodeState::down:
      return "down";
    case NodeState::held:
      return "held";
  }
  return "";
}

void read_state(Cluster& cluster, std::string_view text, const std::string& name, double now) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first != text.npos && text[first] == '{')
    read_json(cluster, text, name);
  else
    read_slurm_text(cluster, text, name, now);
}

void check_cluster(const Cluster& cluster) {
  if (cluster.nodes.empty()) throw core::Error("the state of the cluster tells of no node");
  std::set<std::string_view> seen;
  for (const auto& node : cluster.nodes)
    if (!seen.insert(node.name).second)
      throw core::Error(
          fmt::format("the state of node {} is told twice, give one", core::quoted(node.name)));
}

}  // namespace spare_plan::standby::live
