// SPDX-License-Identifier: BSD-3-Clause
// sinfo -N -h -o '%N|%T':                     NAME|STATE, a node as often as it has partitions
// squeue -h -r -S -p,i -o '%i|%T|%r|%D|%L':   JOB|STATE|REASON|NODES|TIME LEFT
#include <fmt/format.h>

#include <algorithm>

#include "core/duration.hpp"
#include "core/error.hpp"
#include "core/host_name.hpp"
#include "core/number.hpp"
#include "spare_plan/standby/live/parts.hpp"

namespace spare_plan::standby::live {
namespace {

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const auto bar = line.find('|');
    fields.push_back(line.substr(0, bar));
    if (bar == line.npos) return fields;
    line.remove_prefix(bar + 1);
  }
}

/// A node of several partitions is named by each of them, one line after the other or not.
void add_node(Cluster& cluster, const std::vector<std::string_view>& fields,
              const std::string& where) {
  core::check_host_name(fields[0], where);
  Node node{std::string(fields[0])};
  set_slurm_state(node, slurm_words(fields[1]));
  cluster.nodes.push_back(std::move(node));
}

double ends_at(std::string_view left, const std::string& where, double now) {
  if (left.empty() || (left.front() >= 'A' && left.front() <= 'Z'))  // UNLIMITED, NOT_SET, INVALID
    return std::numeric_limits<double>::infinity();
  return now + core::parse_duration(left, where);
}

void add_job(Cluster& cluster, const std::vector<std::string_view>& fields,
             const std::string& where, double now) {
  const auto nodes = core::parse_count(fields[3], kMostJobNodes);
  if (!nodes)
    throw core::Error(
        fmt::format("{}: {} is not a number of nodes", where, core::quoted(fields[3])));
  const auto count = static_cast<std::uint32_t>(*nodes);
  if (fields[1] == "RUNNING") cluster.running.push_back({count, ends_at(fields[4], where, now)});
  if (fields[1] == "PENDING" && waits_for_nodes(fields[2])) cluster.waiting.push_back({count});
}

void drop_repeated(std::vector<Node>& nodes) {
  std::set<std::string> seen;
  std::erase_if(nodes, [&](const Node& node) { return !seen.insert(node.name).second; });
}

}  // namespace

void read_slurm_text(Cluster& cluster, std::string_view text, const std::string& name, double now) {
  std::size_t number = 0;
  while (!text.empty()) {
    const auto end = text.find('\n');
    auto line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    const auto where = fmt::format("{}:{}", name, ++number);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const auto fields = split(line);
    if (fields.size() == 2)
      add_node(cluster, fields, where);
    else if (fields.size() == 5)
      add_job(cluster, fields, where, now);
    else
      throw core::Error(fmt::format(
          "{}: {} is neither JSON nor a line of sinfo -o '%N|%T' or squeue -o '%i|%T|%r|%D|%L'",
          where, core::quoted(line)));
  }
  drop_repeated(cluster.nodes);
}

}  // namespace spare_plan::standby::live
