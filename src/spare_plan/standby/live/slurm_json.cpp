// SPDX-License-Identifier: BSD-3-Clause
// sinfo --json and squeue --json. Slurm 22.05 tells a node's state as a string and its flags beside
// it, later versions all in one array; numbers may be objects that say whether they are set.
#include <fmt/format.h>

#include <algorithm>

#include "core/host_name.hpp"
#include "spare_plan/standby/live/json_value.hpp"
#include "spare_plan/standby/live/parts.hpp"

namespace spare_plan::standby::live {
namespace {

Node slurm_node(const JsonValue& from, const std::string& name) {
  Node node{from.text("name").value_or("")};
  core::check_host_name(node.name, name);
  auto words = from.words("state");
  words.merge(from.words("state_flags"));
  set_slurm_state(node, words);
  node.booted = from.time("boot_time");
  node.idle_since = from.time("last_busy");
  return node;
}

WaitingJob waiting_job(const JsonValue& from) {
  const std::uint64_t all = std::uint64_t{job_nodes(from, "node_count")} *
                            array_tasks(from.text("array_task_string").value_or(""));
  return {static_cast<std::uint32_t>(std::min<std::uint64_t>(all, kMostJobNodes)),
          from.number("priority").value_or(0)};
}

void add_slurm_job(Cluster& cluster, const JsonValue& from) {
  const auto states = from.words("job_state");
  if (states.contains("PENDING") && waits_for_nodes(from.text("state_reason").value_or("")))
    cluster.waiting.push_back(waiting_job(from));
  if (states.contains("RUNNING"))
    cluster.running.push_back(
        {job_nodes(from, "node_count"),
         from.time("end_time").value_or(std::numeric_limits<double>::infinity())});
}

}  // namespace

void read_slurm_nodes(Cluster& cluster, const JsonValue& nodes, const std::string& name) {
  nodes.each([&](const std::string& index, const JsonValue& node) {
    cluster.nodes.push_back(slurm_node(node, fmt::format("{}: nodes[{}].name", name, index)));
  });
}

void read_slurm_jobs(Cluster& cluster, const JsonValue& jobs) {
  jobs.each([&](const std::string&, const JsonValue& job) { add_slurm_job(cluster, job); });
}

}  // namespace spare_plan::standby::live
