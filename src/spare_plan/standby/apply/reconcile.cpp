// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/apply/reconcile.hpp"

namespace spare_plan::standby::apply {
namespace {

using live::Deed;
using live::Node;
using live::NodeState;

struct Case {
  const Node& node;
  live::Ledger::Entry entry;
  bool scheduler_knows, recent;
};

bool without_power(NodeState state) {
  return state == NodeState::off || state == NodeState::stopping || state == NodeState::down;
}
bool in_use(NodeState state) { return state == NodeState::busy || state == NodeState::planned; }

/// Orders to switch it off were about to be given: none, some or all of them were.
void after_stopping(const Case& c, Reconciled& to_do) {
  if (without_power(c.node.state))
    to_do.off.push_back(c.node.name);
  else if (c.scheduler_knows || in_use(c.node.state))
    to_do.up.push_back(c.node.name);
  else
    to_do.finish_off.push_back(c.node.name);
}

void after_off(const Case& c, Reconciled& to_do) {
  const bool idle = c.node.state == NodeState::idle;
  const bool on = idle || in_use(c.node.state) || c.node.state == NodeState::booting;
  const bool unnoticed = idle && !c.scheduler_knows && c.recent;
  if (on && !unnoticed) to_do.up.push_back(c.node.name);
}

void after_waking(const Case& c, Reconciled& to_do) {
  const auto state = c.node.state;
  const bool offline_but_up = state == NodeState::held && !c.scheduler_knows;
  if (state == NodeState::idle || in_use(state) || offline_but_up)
    to_do.up.push_back(c.node.name);
  else if (c.entry.deed == Deed::late)
    return;
  else if (!c.recent && (without_power(state) || state == NodeState::booting))
    to_do.late.push_back(c.node.name);
  else if (state == NodeState::off || state == NodeState::down)
    to_do.wake_again.push_back(c.node.name);
}

}  // namespace

Reconciled reconcile(const live::Cluster& cluster, const live::Ledger& ledger, bool scheduler_knows,
                     double now, double boot_limit) {
  Reconciled to_do;
  for (const auto& node : cluster.nodes) {
    const auto entry = ledger.last(node.name);
    if (!entry) continue;
    const Case c{node, *entry, scheduler_knows, live::is_recent(entry->time, now, boot_limit)};
    if (entry->deed == Deed::stopping) after_stopping(c, to_do);
    if (entry->deed == Deed::off) after_off(c, to_do);
    if (entry->deed == Deed::waking || entry->deed == Deed::late) after_waking(c, to_do);
  }
  return to_do;
}

void mark_stopping(live::Cluster& cluster, const live::Ledger& ledger, double now,
                   double boot_limit) {
  for (auto& node : cluster.nodes) {
    const auto entry = ledger.last(node.name);
    const bool unnoticed = entry && (entry->deed == Deed::off || entry->deed == Deed::stopping) &&
                           live::is_recent(entry->time, now, boot_limit);
    if (unnoticed && node.state == NodeState::idle) node.state = NodeState::stopping;
  }
}

}  // namespace spare_plan::standby::apply
