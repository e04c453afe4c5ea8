// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/app_profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/node_times.hpp"
#include "core/stats.hpp"

namespace spare_plan {
namespace {

using Blocks = std::span<const core::TimesBlock>;

constexpr const char* kCure = "give --t-cmpt and --t-comm, or --walltime, instead";

/// Calls visit(block's number, block, row) for the ok rows that are split.
template <typename Visit>
void for_each_split_row(Blocks blocks, Visit visit) {
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (const auto& row : blocks[i].rows)
      if (row.status == core::RowStatus::ok && row.split.known()) visit(i, blocks[i], row);
}

/// The benchmark that is split; its blocks must be of one command.
std::string split_bench(Blocks blocks, const std::string& table) {
  std::set<std::string> benches;
  std::set<std::string_view> commands;
  for_each_split_row(blocks, [&](std::size_t, const core::TimesBlock& block, const auto& row) {
    benches.insert(block.benches[row.bench]);
    commands.insert(block.value("command").value_or(""));
  });
  if (benches.empty())
    throw core::Error(
        fmt::format("{} does not tell computing from MPI, as 'benchrun -- APP' does of an MPI "
                    "program that ends well; {}",
                    table, kCure));
  if (benches.size() > 1)
    throw core::Error(fmt::format("{} holds several programs ({}), want the table of one", table,
                                  fmt::join(benches, ", ")));
  if (commands.size() > 1)
    throw core::Error(fmt::format("{} holds several commands ({}), want the table of one", table,
                                  fmt::join(commands, "; ")));
  return *benches.begin();
}

std::vector<double> node_times(const core::Scores& scores) {
  std::vector<double> times;
  for (const auto& host : scores.hosts)
    if (host.usable) times.push_back(host.times.front());
  return times;
}

/// Of each run the MPI time of the rank, on a usable host, that computed longest. The others wait
/// for it inside MPI, it waits for nobody.
std::vector<double> communication(Blocks blocks, const core::Scores& scores) {
  std::set<std::string_view> usable;
  for (const auto& host : scores.hosts)
    if (host.usable) usable.insert(host.host);
  std::map<std::pair<std::size_t, std::uint32_t>, core::Split> longest;
  for_each_split_row(blocks, [&](std::size_t number, const auto& block, const auto& row) {
    if (!usable.contains(block.hosts[row.host])) return;
    const auto at = longest.try_emplace({number, row.run}, row.split).first;
    if (row.split.compute > at->second.compute) at->second = row.split;
  });
  std::vector<double> seconds;
  for (const auto& [run, split] : longest) seconds.push_back(split.mpi);
  return seconds;
}

}  // namespace

AppProfile app_profile(Blocks blocks, const std::string& table) {
  core::check_complete(blocks, table);
  const auto bench = split_bench(blocks, table);
  const auto refuse = [&](const char* why) {
    throw core::Error(fmt::format("{}: {} {}, {}", table, bench, why, kCure));
  };
  const auto scores = core::score_hosts(blocks, core::By::median, bench);
  if (scores.measures.front() != core::Measure::computing)
    refuse("has rows without compute_seconds; measure again with benchrun");
  if (scores.usable == 0) refuse("ended well on no host");
  const auto mpi = communication(blocks, scores);
  const AppProfile profile{
      table, bench, scores.usable, mpi.size(), core::median(node_times(scores)), core::median(mpi)};
  if (!(profile.t_cmpt > 0)) refuse("did not compute");
  return profile;
}

}  // namespace spare_plan
