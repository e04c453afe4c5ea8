// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <unordered_map>

#include "core/slow_hosts.hpp"
#include "mpisel/select.hpp"

namespace mpisel {
namespace {

constexpr std::size_t kMostNamed = 10;

/// A slow link between two candidates.
struct Edge {
  std::size_t a = 0, b = 0;
  double excess = 0;
};

std::vector<Edge> edges_of(std::span<const Candidate> candidates, std::span<const SlowLink> links) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < candidates.size(); ++i) places.emplace(candidates[i].host, i);
  std::vector<Edge> edges;
  for (const SlowLink& link : links) {
    const auto a = places.find(link.a), b = places.find(link.b);
    if (a != places.end() && b != places.end())
      edges.push_back({a->second, b->second, link.judged.excess});
  }
  std::ranges::stable_sort(edges, std::greater(), &Edge::excess);
  return edges;
}

class Remaining {
 public:
  Remaining(std::span<const Candidate> candidates, std::vector<Edge> edges)
      : candidates_(candidates), edges_(std::move(edges)), left_(candidates.size(), true) {}

  Kept keep(std::size_t count) {
    Kept result;
    for (std::size_t size = candidates_.size(); size > count; --size)
      if (const auto pair = worst_link()) {
        result.for_link.push_back(*pair);
        remove(pair->first);
      } else {
        remove(slowest());
      }
    for (std::size_t i = 0; i < left_.size(); ++i)
      if (left_[i]) result.kept.push_back(i);
    return result;
  }

 private:
  std::size_t slowest() {
    while (!left_[end_ - 1]) --end_;
    return end_ - 1;
  }

  /// Whom to leave out, and whom the link leads to; nothing where a host is worse than any link.
  std::optional<std::pair<std::size_t, std::size_t>> worst_link() {
    if (edges_.empty() || edges_.front().excess <= candidates_[slowest()].ratio)
      return std::nullopt;
    const auto [a, b, excess] = edges_.front();
    const std::size_t of_a = links_of(a), of_b = links_of(b);
    const bool first = of_a != of_b ? of_a > of_b : a > b;
    return first ? std::pair(a, b) : std::pair(b, a);
  }

  std::size_t links_of(std::size_t host) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        edges_, [host](const Edge& edge) { return edge.a == host || edge.b == host; }));
  }

  void remove(std::size_t host) {
    left_[host] = false;
    std::erase_if(edges_, [host](const Edge& edge) { return edge.a == host || edge.b == host; });
  }

  std::span<const Candidate> candidates_;
  std::vector<Edge> edges_;  ///< between those left, worst first
  std::vector<bool> left_;
  std::size_t end_ = left_.size();  ///< none is left from here on
};

/// What became of one end of a link, and of both together.
std::string outcome(const Selection& selection, const SlowLink& link) {
  std::vector<const Decision*> ends;
  for (const Decision& decision : selection.hosts)
    if (decision.score.host == link.a || decision.score.host == link.b) ends.push_back(&decision);
  if (ends.size() != 2) return "";
  for (const Decision* end : ends)
    if (end->verdict == Verdict::slow_link)
      return fmt::format("; {} is left out for it", end->score.host);
  if (ends[0]->verdict == Verdict::kept && ends[1]->verdict == Verdict::kept)
    return "; both hosts are kept, there is none to spare";
  return "";
}

/// The hosts as if there were this benchmark alone.
std::vector<core::Judged> judge_in(const Selection& selection, std::size_t bench) {
  std::vector<core::HostScore> hosts;
  for (const Decision& decision : selection.hosts) {
    core::HostScore host = decision.score;
    host.times = {host.times[bench]};
    host.repetitions = {std::move(host.repetitions[bench])};
    hosts.push_back(std::move(host));
  }
  const std::vector<core::HostTimes> series = core::series_of(hosts, core::Within::kind);
  return core::judge_hosts(series, {selection.tolerance, core::looks_at(series)});
}

std::size_t explain_hosts(std::ostream& out, const Selection& selection, std::size_t bench) {
  const std::vector<core::Judged> judged = judge_in(selection, bench);
  std::size_t slow = 0;
  for (std::size_t i = 0; i < judged.size(); ++i)
    if (judged[i].pace == core::Pace::slow && ++slow <= kMostNamed)
      out << fmt::format(
          "{}: slow with all its partners, so the host or its own link: {} takes {:.3g} times the "
          "median of the others, between {:.3g} and {:.3g} after {} runs\n",
          selection.hosts[i].score.host, selection.benches[bench], judged[i].ratio,
          judged[i].interval.low, judged[i].interval.high, judged[i].runs);
  if (slow > kMostNamed) out << fmt::format("... and {} more hosts\n", slow - kMostNamed);
  return slow;
}

}  // namespace

Network network_of(std::span<const core::TimesBlock> blocks) {
  const core::Links links = core::links_of(blocks);
  const std::vector<core::JudgedLink> judged = core::judge_links(links);
  Network network{core::count_links(links, judged).all, links.benches, {}};
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const core::LinkTimes& link = links.times[i];
    if (judged[i].pace == core::Pace::slow)
      network.slow.push_back({links.hosts[link.a], links.hosts[link.b], links.benches[link.bench],
                              judged[i], core::describe(links, i, judged[i])});
  }
  return network;
}

Kept keep(std::span<const Candidate> candidates, std::span<const SlowLink> links,
          std::size_t count) {
  return Remaining(candidates, edges_of(candidates, links)).keep(count);
}

void explain_network(std::ostream& out, const Selection& selection) {
  const Network& network = selection.network;
  if (network.pairs == 0) return;
  for (std::size_t i = 0; i < std::min(network.slow.size(), kMostNamed); ++i)
    out << network.slow[i].sentence << outcome(selection, network.slow[i]) << '\n';
  if (network.slow.size() > kMostNamed)
    out << fmt::format("... and {} more links\n", network.slow.size() - kMostNamed);
  std::size_t slow_hosts = 0;
  for (std::size_t bench = 0; bench < selection.benches.size(); ++bench)
    if (std::ranges::find(network.benches, selection.benches[bench]) != network.benches.end())
      slow_hosts += explain_hosts(out, selection, bench);
  if (network.pairs == 1)
    out << core::kOnePairAlone << '\n';
  else if (network.slow.empty() && slow_hosts == 0)
    out << fmt::format("the network: neither a host nor one of {} links is known to be slow\n",
                       network.pairs);
}

std::string network_warning(const Selection& selection) {
  for (const SlowLink& link : selection.network.slow) {
    const auto kept = [&](const std::string& name) {
      return std::ranges::any_of(selection.hosts, [&](const Decision& decision) {
        return decision.score.host == name && decision.verdict == Verdict::kept;
      });
    };
    if (kept(link.a) && kept(link.b))
      return fmt::format(
          "{} and {} are both chosen, although the link between them is slow: there "
          "is no host to spare",
          link.a, link.b);
  }
  return "";
}

}  // namespace mpisel
