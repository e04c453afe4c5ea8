// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/select.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/error.hpp"
#include "core/number.hpp"

namespace mpisel {
namespace {

using Positions = std::unordered_map<std::string_view, std::size_t>;

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

Positions positions_of(const std::vector<std::string>& hosts) {
  Positions positions;
  for (std::size_t i = 0; i < hosts.size(); ++i) positions.emplace(hosts[i], i);
  return positions;
}

std::size_t position(const Positions& positions, const std::string& host) {
  const auto found = positions.find(host);
  return found == positions.end() ? kNowhere : found->second;
}

/// Rows arrive in any order, so a table without an allocation line may have the hosts in another
/// order than the job.
void sort_by_allocation(std::vector<core::HostScore>& hosts, const Positions& positions) {
  std::ranges::stable_sort(
      hosts, {}, [&](const core::HostScore& host) { return position(positions, host.host); });
}

class Judge {
 public:
  explicit Judge(const Request& request)
      : request_(request), excluded_(request.exclude.begin(), request.exclude.end()) {
    if (request.allocation) allocated_ = positions_of(*request.allocation);
  }

  const Positions& allocated() const { return allocated_; }

  Verdict operator()(const core::HostScore& host) const {
    if (request_.allocation && !allocated_.contains(host.host)) return Verdict::not_allocated;
    if (excluded_.contains(host.host)) return Verdict::excluded;
    if (!host.usable) return Verdict::unusable;
    if (request_.max_ratio && host.ratio > *request_.max_ratio) return Verdict::above_ratio;
    return Verdict::usable;
  }

 private:
  const Request& request_;
  std::unordered_set<std::string_view> excluded_;
  Positions allocated_;
};

std::vector<std::size_t> selectable_by_score(const std::vector<Decision>& hosts) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < hosts.size(); ++i)
    if (hosts[i].verdict == Verdict::usable) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return hosts[i].score.score; });
  return order;
}

/// Settles the verdicts of `order`, fastest first, and returns those kept.
std::vector<std::size_t> keep_of(Selection& selection, const std::vector<std::size_t>& order) {
  std::vector<Candidate> candidates;
  for (const std::size_t i : order) {
    selection.hosts[i].verdict = Verdict::slower;
    candidates.push_back({selection.hosts[i].score.host, selection.hosts[i].score.ratio});
  }
  const Kept result = keep(candidates, selection.network.slow, selection.asked);
  for (const auto& [left, partner] : result.for_link) {
    selection.hosts[order[left]].verdict = Verdict::slow_link;
    selection.hosts[order[left]].partner = selection.hosts[order[partner]].score.host;
  }
  std::vector<std::size_t> kept;
  for (const std::size_t i : result.kept) {
    selection.hosts[order[i]].verdict = Verdict::kept;
    kept.push_back(order[i]);
  }
  return kept;
}

std::string_view unusable_reason(const core::HostScore& host) {
  return host.worst == core::RowStatus::ok ? "not measured" : core::to_string(host.worst);
}

/// Why a host that was not selectable is not, in words that can follow a count.
std::string obstacle(const Selection& selection, const Decision& decision) {
  switch (decision.verdict) {
    case Verdict::above_ratio:
      return "above --max-ratio " + core::print_number(selection.max_ratio.value_or(0));
    case Verdict::excluded:
      return "excluded";
    case Verdict::not_allocated:
      return "not in this allocation";
    default:
      return std::string(unusable_reason(decision.score));
  }
}

std::string counted_obstacles(const Selection& selection) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  for (const Decision& decision : selection.hosts) {
    if (decision.verdict == Verdict::usable) continue;
    const std::string text = obstacle(selection, decision);
    const auto known = std::ranges::find(counts, text, &std::pair<std::string, std::size_t>::first);
    if (known == counts.end())
      counts.emplace_back(text, 1);
    else
      ++known->second;
  }
  std::vector<std::string> parts;
  for (const auto& [text, count] : counts) parts.push_back(fmt::format("{} {}", count, text));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

Selection select(core::Scores scores, const Request& request) {
  const Judge judge(request);
  if (request.allocation) sort_by_allocation(scores.hosts, judge.allocated());
  Selection selection;
  selection.asked = request.count;
  selection.tolerance = request.tolerance;
  selection.max_ratio = request.max_ratio;
  selection.network = request.network;
  selection.benches = std::move(scores.benches);
  selection.measures = std::move(scores.measures);
  selection.hosts.reserve(scores.hosts.size());
  for (core::HostScore& host : scores.hosts) {
    const Verdict verdict = judge(host);
    selection.hosts.push_back({std::move(host), verdict});
  }
  std::vector<std::size_t> order = selectable_by_score(selection.hosts);
  selection.selectable = order.size();
  if (order.size() < request.count) return selection;

  order = keep_of(selection, order);
  if (request.order == Order::allocation) std::ranges::sort(order);
  selection.chosen = std::move(order);
  return selection;
}

std::string reason(const Selection& selection, const Decision& decision) {
  switch (decision.verdict) {
    case Verdict::kept:
      return "kept";
    case Verdict::usable:
      return "usable";
    case Verdict::slower:
      return fmt::format("slower than the {} kept", selection.asked);
    case Verdict::slow_link:
      return "slow link to " + decision.partner;
    case Verdict::apart:
      return "as fast, but at another switch";
    default:
      return obstacle(selection, decision);
  }
}

void require_enough(const Selection& selection) {
  if (selection.selectable >= selection.asked) return;
  const std::string obstacles = counted_obstacles(selection);
  throw core::Error(fmt::format("asked for {} host{}, {} usable{}", selection.asked,
                                selection.asked == 1 ? "" : "s", selection.selectable,
                                obstacles.empty() ? ", the table has no more" : ": " + obstacles),
                    core::ExitStatus::unmet);
}

}  // namespace mpisel
