// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace spare_plan::standby {
namespace {

using Jobs = std::span<const Job>;
using Counts = std::map<std::uint32_t, std::size_t>;  ///< nodes -> jobs

Counts counts_of(Jobs jobs) {
  Counts counts;
  for (const auto& job : jobs) ++counts[job.nodes];
  return counts;
}

Demand demand_of(const Counts& counts) {
  Demand demand(counts.rbegin()->first);
  for (const auto& [nodes, jobs] : counts) demand.add(nodes, jobs);
  return demand;
}

std::vector<DemandStep> steps_of(const Counts& counts, std::size_t total) {
  std::vector<DemandStep> steps;
  std::size_t sum = 0;
  for (const auto& [nodes, jobs] : counts) {
    sum += jobs;
    steps.push_back({nodes, static_cast<double>(sum) / static_cast<double>(total)});
  }
  return steps;
}

double powers_of_two(const Counts& counts, std::size_t total) {
  std::size_t sum = 0;
  for (const auto& [nodes, jobs] : counts)
    if ((nodes & (nodes - 1)) == 0) sum += jobs;
  return static_cast<double>(sum) / static_cast<double>(total);
}

/// The jobs in equal shares by number, none of them empty.
std::vector<Jobs> equal_parts(Jobs jobs, std::size_t parts) {
  parts = std::min(parts, jobs.size());
  std::vector<Jobs> result;
  for (std::size_t i = 0; i < parts; ++i) {
    const auto begin = i * jobs.size() / parts, end = (i + 1) * jobs.size() / parts;
    result.push_back(jobs.subspan(begin, end - begin));
  }
  return result;
}

/// Windows one before the other, the last one first found; those without jobs are left out.
std::vector<Jobs> windows_of(Jobs jobs, const Window& window) {
  std::vector<Jobs> windows;
  if (!window.jobs && !window.seconds) return equal_parts(jobs, 10);
  while (!jobs.empty() && windows.size() < kMostParts) {
    windows.push_back(last_window(jobs, window));
    jobs = jobs.first(jobs.size() - windows.back().size());
  }
  std::ranges::reverse(windows);
  return windows;
}

std::vector<PartNodes> parts_of(Jobs jobs, const Window& window, double p0) {
  std::vector<PartNodes> parts;
  for (const auto part : windows_of(jobs, window))
    parts.push_back(
        {part.front().submit, part.back().submit, part.size(), standby_nodes(part, p0)});
  return parts;
}

/// Days from the first submit on, as far as they have jobs, or equal parts.
std::vector<Jobs> blocks_of(Jobs jobs) {
  constexpr double kDay = 86400;
  if (jobs.back().submit - jobs.front().submit < kFewestDays * kDay) return equal_parts(jobs, 20);
  std::vector<Jobs> blocks;
  for (std::size_t begin = 0, end = 0; begin < jobs.size(); begin = end) {
    const auto day = std::floor((jobs[begin].submit - jobs.front().submit) / kDay);
    while (end < jobs.size() && std::floor((jobs[end].submit - jobs.front().submit) / kDay) == day)
      ++end;
    blocks.push_back(jobs.subspan(begin, end - begin));
  }
  return blocks;
}

/// The middle 95 % of N over draws of as many blocks as there are.
class Bootstrap {
 public:
  Bootstrap(const std::vector<Jobs>& blocks, const Counts& all) {
    for (const auto& [nodes, jobs] : all) sizes_.push_back(nodes);
    for (const auto block : blocks) {
      auto& counts = blocks_.emplace_back();
      for (const auto& [nodes, jobs] : counts_of(block))
        counts.emplace_back(std::ranges::lower_bound(sizes_, nodes) - sizes_.begin(), jobs);
    }
  }

  std::pair<std::uint32_t, std::uint32_t> band(double p0) {
    constexpr std::size_t kDraws = 1000;
    std::vector<std::uint32_t> nodes;
    for (std::size_t i = 0; i < kDraws; ++i) nodes.push_back(draw(p0));
    std::ranges::sort(nodes);
    return {nodes[kDraws / 40], nodes[kDraws - 1 - kDraws / 40]};
  }

 private:
  std::uint32_t draw(double p0) {
    Demand demand(static_cast<std::uint32_t>(sizes_.size()));
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      for (const auto& [size, jobs] : blocks_[random_() % blocks_.size()])
        demand.add(static_cast<std::uint32_t>(size), jobs);
    return sizes_[demand.quantile(p0)];
  }

  std::vector<std::uint32_t> sizes_;                                         ///< that occur
  std::vector<std::vector<std::pair<std::ptrdiff_t, std::size_t>>> blocks_;  ///< (its place, jobs)
  std::mt19937_64 random_{1};
};

}  // namespace

std::uint32_t standby_nodes(Jobs jobs, double p0) {
  return demand_of(counts_of(jobs)).quantile(p0);
}

std::vector<GroupNodes> standby_nodes_by_group(const JobHistory& history, Jobs jobs, double p0) {
  std::vector<Counts> counts(history.groups.size());
  for (const auto& job : jobs) ++counts[job.group][job.nodes];
  std::vector<GroupNodes> groups;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i].empty()) continue;
    const auto demand = demand_of(counts[i]);
    groups.push_back({history.groups[i], demand.total(), demand.quantile(p0)});
  }
  std::ranges::sort(groups, {}, &GroupNodes::name);
  return groups;
}

Analysis analyse(const JobHistory& history, const Window& window, double p0) {
  const auto jobs = last_window(history.jobs, window);
  const auto counts = counts_of(jobs);
  const auto demand = demand_of(counts);
  Analysis analysis;
  analysis.p0 = p0;
  analysis.jobs = jobs.size();
  analysis.nodes = demand.quantile(p0);
  for (const double share : {0.8, 0.85, 0.9})
    analysis.at_share.push_back({demand.quantile(share), share});
  analysis.steps = steps_of(counts, jobs.size());
  analysis.powers_of_two = powers_of_two(counts, jobs.size());
  analysis.parts = parts_of(history.jobs, window, p0);
  const auto blocks = blocks_of(jobs);
  analysis.blocks = blocks.size();
  analysis.band_95 = Bootstrap(blocks, counts).band(p0);
  analysis.groups = standby_nodes_by_group(history, jobs, p0);
  return analysis;
}

}  // namespace spare_plan::standby
