// SPDX-License-Identifier: BSD-3-Clause
// What the readers of a cluster's state share. Included by them alone.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "spare_plan/standby/live/cluster.hpp"
#include "spare_plan/standby/live/json_value.hpp"

namespace spare_plan::standby::live {

/// The most nodes that a job is believed to ask for.
constexpr std::uint32_t kMostJobNodes = 1U << 24;

/// Words in capitals: a state of Slurm and its flags, "IDLE", "POWERED_DOWN". A flag that is not
/// known holds a node: it is neither free nor woken.
void set_slurm_state(Node& node, const std::set<std::string>& words);

/// Whether a job of Slurm waits for nodes alone; otherwise it is not counted.
bool waits_for_nodes(std::string_view reason);

/// "idle~" -> IDLE, POWERED_DOWN.
std::set<std::string> slurm_words(std::string_view compact);

void read_slurm_text(Cluster& cluster, std::string_view text, const std::string& name, double now);

void read_slurm_nodes(Cluster& cluster, const JsonValue& nodes, const std::string& name);
void read_slurm_jobs(Cluster& cluster, const JsonValue& jobs);
void read_pbs_nodes(Cluster& cluster, const JsonValue& nodes, const std::string& name);
void read_pbs_jobs(Cluster& cluster, const JsonValue& jobs);
void read_own(Cluster& cluster, const JsonValue& state, const std::string& name);

/// A number of nodes that a job asks for, else 1.
std::uint32_t job_nodes(const JsonValue& job, const char* key);

/// The tasks of an array that could run at once: "1-50", "1,3-9:2%4". 1 for what cannot be read.
std::uint32_t array_tasks(std::string_view text);

}  // namespace spare_plan::standby::live
