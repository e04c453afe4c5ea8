// SPDX-License-Identifier: BSD-3-Clause
#include "live_properties.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/error.hpp"
#include "core/host_name.hpp"
#include "spare_plan/standby/live/decide.hpp"
#include "spare_plan/standby/live/ledger.hpp"
#include "spare_plan/standby/live/plan_report.hpp"
#include "spare_plan/standby/live/read.hpp"

namespace properties {
namespace {

using namespace spare_plan::standby::live;

constexpr double kNow = 1796144732;

void require(bool condition, const char* claim) {
  if (!condition) throw std::logic_error(claim);
}

NodeState state_of(const Cluster& cluster, const std::string& name) {
  return std::ranges::find(cluster.nodes, name, &Node::name)->state;
}

void check_decision(const Cluster& cluster, std::uint32_t keep) {
  Rule rule;
  rule.keep = keep;
  rule.idle_timeout = 0;
  const auto decision = decide(cluster, rule, kNow);
  require(decision.wake.empty() || decision.off.empty(), "nodes are woken or switched off");
  for (const auto& choice : decision.wake)
    require(state_of(cluster, choice.node) == NodeState::off, "what is woken is off");
  for (const auto& choice : decision.off)
    require(state_of(cluster, choice.node) == NodeState::idle, "what is switched off is idle");
  plan_text(decision, rule);
  plan_json(decision, rule, kNow);
}

}  // namespace

void cluster_state(std::string_view text) {
  try {
    Cluster cluster;
    read_state(cluster, text, "input", kNow);
    check_cluster(cluster);
    for (const auto& node : cluster.nodes)
      require(core::valid_host_name(node.name), "every node has a host's name");
    for (const std::uint32_t keep : {0U, 1U, 1000U}) check_decision(cluster, keep);
  } catch (const core::Error&) {
  }
}

void ledger(std::string_view text) {
  try {
    const Ledger read(text, "input");
    require(read.whole_bytes() <= text.size(), "no more bytes than there are");
    std::string again(kLedgerTitle);
    for (const auto& node : read.nodes())
      again += ledger_line(read.last(node)->time, read.last(node)->deed, node);
    const Ledger twice(again, "again");
    for (const auto& node : read.nodes())
      require(twice.last(node)->deed == read.last(node)->deed, "a deed is kept");
  } catch (const core::Error&) {
  }
}

}  // namespace properties
