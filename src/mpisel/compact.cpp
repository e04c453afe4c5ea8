// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/compact.hpp"

#include <algorithm>
#include <compare>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/slow_hosts.hpp"

namespace mpisel {
namespace {

struct Cost {
  std::size_t switches = 0;
  double score = 0;
  auto operator<=>(const Cost&) const = default;  // NOLINT(modernize-use-nullptr)
  Cost operator+(const Cost& other) const {
    return {switches + other.switches, score + other.score};
  }
};
constexpr Cost kImpossible{std::numeric_limits<std::size_t>::max() / 4, 0};

/// What is known of a switch: `best[k]` for k free hosts taken at or below it.
struct Below {
  std::vector<std::size_t> own;  ///< free candidates here, fastest first
  std::size_t bound = 0;         ///< bound candidates at or below it
  std::vector<Cost> best;
  std::vector<std::vector<std::size_t>> taken;  ///< child by child: of k, so many from it
};

class Program {
 public:
  Program(const SwitchTree& tree, std::span<const PlacedHost> candidates, std::size_t free)
      : tree_(tree), candidates_(candidates), free_(free), below_(tree.switches().size()) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      Below& place = below_[candidates[i].place];
      if (candidates[i].bound)
        ++place.bound;
      else
        place.own.push_back(i);
    }
    for (Below& place : below_)
      std::ranges::stable_sort(place.own, {}, [&](std::size_t i) { return candidates[i].score; });
    solve(tree.root());
  }

  std::vector<std::size_t> chosen() const {
    const std::size_t bound = below_[tree_.root()].bound;
    std::size_t top = tree_.root();
    for (std::size_t i = 0; i < below_.size(); ++i)
      if (below_[i].bound == bound && cost(i) < cost(top)) top = i;
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      if (candidates_[i].bound) indices.push_back(i);
    collect(top, free_, indices);
    std::ranges::sort(indices);
    return indices;
  }

 private:
  Cost cost(std::size_t at) const {
    return below_[at].best.size() > free_ ? below_[at].best[free_] : kImpossible;
  }

  void solve(std::size_t at) {
    Below& here = below_[at];
    here.best = {{}};
    for (const std::size_t i : here.own)
      if (here.best.size() <= free_)
        here.best.push_back(here.best.back() + Cost{0, candidates_[i].score});
    for (const std::size_t child : tree_.switches()[at].children) {
      solve(child);
      add_child(here, below_[child]);
    }
    for (std::size_t k = 0; k < here.best.size(); ++k)
      if (k + here.bound > 0) ++here.best[k].switches;
  }

  void add_child(Below& here, const Below& child) const {
    here.bound += child.bound;
    const std::size_t most = std::min(here.best.size() + child.best.size() - 2, free_);
    std::vector<Cost> merged(most + 1, kImpossible);
    std::vector<std::size_t> taken(most + 1, 0);
    for (std::size_t i = 0; i < here.best.size(); ++i)
      for (std::size_t k = 0; k < child.best.size() && i + k <= most; ++k)
        if (const Cost cost = here.best[i] + child.best[k]; cost < merged[i + k]) {
          merged[i + k] = cost;
          taken[i + k] = k;
        }
    here.best = std::move(merged);
    here.taken.push_back(std::move(taken));
  }

  void collect(std::size_t at, std::size_t count, std::vector<std::size_t>& indices) const {
    const Below& here = below_[at];
    const auto& children = tree_.switches()[at].children;
    for (std::size_t i = children.size(); i-- > 0;) {
      const std::size_t from_child = here.taken[i][count];
      collect(children[i], from_child, indices);
      count -= from_child;
    }
    indices.insert(indices.end(), here.own.begin(),
                   here.own.begin() + static_cast<std::ptrdiff_t>(count));
  }

  const SwitchTree& tree_;
  std::span<const PlacedHost> candidates_;
  std::size_t free_;
  std::vector<Below> below_;
};

std::size_t slowest_kept(const Selection& selection) {
  return *std::ranges::max_element(selection.chosen, {},
                                   [&](std::size_t i) { return selection.hosts[i].score.score; });
}

/// Per host of the selection: as good as the slowest that is kept.
std::vector<bool> equally_good(const Selection& selection) {
  std::vector<core::HostScore> scores;
  for (const Decision& decision : selection.hosts) scores.push_back(decision.score);
  const auto times = core::series_of(scores, core::Within::all);
  const std::size_t slowest = slowest_kept(selection);
  const double most = scores[slowest].score * (1 + selection.tolerance);
  std::vector<bool> good(scores.size(), false);
  for (const std::size_t i : core::alike(times, slowest, core::looks_at(times)))
    good[i] = scores[i].score <= most;
  return good;
}

/// Names of hosts at one end of a slow link.
std::unordered_set<std::string_view> at_slow_links(const Network& network) {
  std::unordered_set<std::string_view> names;
  for (const SlowLink& link : network.slow) names.insert({link.a, link.b});
  return names;
}

std::vector<std::size_t> places_of(const std::vector<std::size_t>& hosts,
                                   const std::vector<std::size_t>& places) {
  std::vector<std::size_t> some;
  for (const std::size_t host : hosts) some.push_back(places[host]);
  return some;
}

}  // namespace

std::vector<std::size_t> fewest_switches(const SwitchTree& tree,
                                         std::span<const PlacedHost> candidates,
                                         std::size_t count) {
  const auto bound =
      static_cast<std::size_t>(std::ranges::count(candidates, true, &PlacedHost::bound));
  return Program(tree, candidates, count - bound).chosen();
}

void compact(Selection& selection, SwitchTree& tree, Order order) {
  if (selection.chosen.empty()) return;
  std::vector<std::string> names;
  for (const Decision& decision : selection.hosts) names.push_back(decision.score.host);
  const std::vector<std::size_t> places = tree.places_of(names);
  const std::vector<bool> good = equally_good(selection);
  const auto doubtful = at_slow_links(selection.network);
  std::vector<PlacedHost> candidates;
  std::vector<std::size_t> hosts;
  for (std::size_t i = 0; i < selection.hosts.size(); ++i) {
    const Decision& decision = selection.hosts[i];
    const bool kept = decision.verdict == Verdict::kept;
    if (!kept && (decision.verdict != Verdict::slower || !good[i] || doubtful.contains(names[i])))
      continue;
    candidates.push_back({places[i], decision.score.score, kept && !good[i]});
    hosts.push_back(i);
  }
  const std::size_t plain = switches_between(tree, places_of(selection.chosen, places));
  std::vector<std::size_t> chosen;
  for (const std::size_t i : fewest_switches(tree, candidates, selection.chosen.size()))
    chosen.push_back(hosts[i]);
  const std::size_t switches = switches_between(tree, places_of(chosen, places));
  selection.compacted = Compacted{std::min(switches, plain), plain};
  if (switches >= plain) return;
  for (const std::size_t i : selection.chosen) selection.hosts[i].verdict = Verdict::apart;
  for (const std::size_t i : chosen) selection.hosts[i].verdict = Verdict::kept;
  if (order == Order::speed)
    std::ranges::stable_sort(chosen, {},
                             [&](std::size_t i) { return selection.hosts[i].score.score; });
  selection.chosen = std::move(chosen);
}

}  // namespace mpisel
