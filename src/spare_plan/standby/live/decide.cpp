// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/live/decide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/duration.hpp"
#include "spare_plan/standby/live/ledger.hpp"

namespace spare_plan::standby::live {
namespace {

constexpr double kAlways = -std::numeric_limits<double>::infinity();

std::int64_t count(const Cluster& cluster, NodeState state) {
  return std::ranges::count(cluster.nodes, state, &Node::state);
}

std::vector<const Node*> nodes_in(const Cluster& cluster, NodeState state) {
  std::vector<const Node*> nodes;
  for (const auto& node : cluster.nodes)
    if (node.state == state) nodes.push_back(&node);
  return nodes;
}

/// Nodes that could be given to waiting jobs within one boot time.
std::int64_t within_a_boot(const Cluster& cluster, double until) {
  std::int64_t nodes = 0;
  for (const auto state : {NodeState::idle, NodeState::planned, NodeState::booting, NodeState::off})
    nodes += count(cluster, state);
  for (const auto& job : cluster.running)
    if (job.ends <= until) nodes += job.nodes;
  return nodes;
}

std::int64_t asked_for(const Cluster& cluster, const Rule& rule, double now) {
  auto waiting = cluster.waiting;
  std::ranges::stable_sort(waiting, std::ranges::greater(), &WaitingJob::priority);
  const auto most = rule.queue == Queue::all ? std::numeric_limits<std::int64_t>::max()
                                             : within_a_boot(cluster, now + rule.boot);
  std::int64_t nodes = 0;
  for (const auto& job : waiting) {
    if (job.nodes > most - nodes) break;
    nodes += job.nodes;
  }
  return nodes;
}

Counts counts_of(const Cluster& cluster, const Rule& rule, double now) {
  const auto planned = count(cluster, NodeState::planned), busy = count(cluster, NodeState::busy);
  Counts counts;
  counts.used = busy + planned;
  counts.on = counts.used + count(cluster, NodeState::idle) + count(cluster, NodeState::booting);
  counts.required = std::max<std::int64_t>(asked_for(cluster, rule, now) - planned, 0);
  return counts;
}

std::string since(const std::optional<double>& time, double now, const char* what) {
  if (!time) return fmt::format("{} for an unknown time", what);
  return fmt::format("{} for {}", what, core::human_duration(std::max(now - *time, 0.0)));
}

/// Why a node beyond N is not switched off now, or nothing.
std::string reason_to_stay(const Node& node, const Rule& rule, double now) {
  if (node.booted && is_recent(*node.booted, now, rule.min_up))
    return since(node.booted, now, "on") + ", less than --min-up " +
           core::human_duration(rule.min_up);
  if (rule.idle_timeout <= 0) return "";
  if (!node.idle_since)
    return "idle for an unknown time: what was read does not tell, --idle-timeout 0 ignores it";
  if (now - *node.idle_since < rule.idle_timeout)
    return since(node.idle_since, now, "idle") + ", less than --idle-timeout " +
           core::human_duration(rule.idle_timeout);
  return "";
}

void wake(Decision& decision, const Cluster& cluster, std::int64_t nodes, const Rule& rule,
          double now) {
  auto candidates = nodes_in(cluster, NodeState::off);
  std::ranges::stable_sort(candidates, {}, [](const Node* node) {
    return std::pair(node->late, node->off_since.value_or(kAlways));
  });
  for (const auto* node : candidates) {
    if (nodes == 0) return;
    --nodes;
    if (decision.wake.size() == rule.max_change) {
      ++decision.later;
      continue;
    }
    const auto* const late = node->late ? ", did not come up last time, but no other is left" : "";
    decision.wake.push_back({node->name, since(node->off_since, now, "off") + late});
  }
  decision.missing = nodes;
}

void switch_off(Decision& decision, const Cluster& cluster, std::int64_t nodes, const Rule& rule,
                double now) {
  auto candidates = nodes_in(cluster, NodeState::idle);
  std::ranges::stable_sort(candidates, {}, [](const Node* node) {
    return std::pair(node->booted.value_or(kAlways), node->idle_since.value_or(kAlways));
  });
  for (const auto* node : candidates) {
    if (nodes == 0) return;
    if (const auto why = reason_to_stay(*node, rule, now); !why.empty()) {
      decision.stay.push_back({node->name, why});
      continue;
    }
    --nodes;
    if (decision.off.size() == rule.max_change)
      ++decision.later;
    else
      decision.off.push_back({node->name, since(node->booted, now, "on") + ", " +
                                              since(node->idle_since, now, "idle")});
  }
}

}  // namespace

Decision decide(const Cluster& cluster, const Rule& rule, double now) {
  Decision decision;
  decision.counts = counts_of(cluster, rule, now);
  const auto free = decision.counts.free();
  const std::int64_t keep = rule.keep, at_least = std::max(rule.keep, rule.keep_at_least);
  if (free < keep) wake(decision, cluster, keep - free, rule, now);
  if (free > at_least) switch_off(decision, cluster, free - at_least, rule, now);
  return decision;
}

}  // namespace spare_plan::standby::live
