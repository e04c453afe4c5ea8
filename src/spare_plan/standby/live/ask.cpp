// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/live/ask.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <set>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "core/hostlist.hpp"
#include "core/number.hpp"
#include "spare_plan/standby/live/read.hpp"

namespace spare_plan::standby::live {
namespace {

/// The JSON of sinfo tells since when a node is idle, but needs a plugin that may not be there.
void ask_slurm_nodes(Cluster& cluster, const Commands& commands, double clock) {
  const auto json = commands.run({"sinfo", "--json"});
  if (json.status == 0 && json.out.starts_with('{'))
    return read_state(cluster, json.out, "sinfo --json", clock);
  spdlog::warn("sinfo --json does not work here, so it is not known since when nodes are idle");
  read_state(cluster, commands.output({"sinfo", "-N", "-h", "-o", "%N|%T"}), "sinfo", clock);
}

void ask_slurm(Cluster& cluster, const Commands& commands, double clock) {
  ask_slurm_nodes(cluster, commands, clock);
  const auto jobs = commands.output(
      {"squeue", "-h", "-r", "-t", "PENDING,RUNNING", "-S", "-p,i", "-o", "%i|%T|%r|%D|%L"});
  read_state(cluster, jobs, "squeue", clock);
}

void ask_pbs(Cluster& cluster, const Commands& commands, double clock) {
  read_state(cluster, commands.output({"pbsnodes", "-a", "-F", "json"}), "pbsnodes", clock);
  read_state(cluster, commands.output({"qstat", "-f", "-F", "json"}), "qstat", clock);
}

void ask_scheduler(Cluster& cluster, const Given& given, const Commands& commands, double clock) {
  const auto named = given.scheduler.value_or(commands.has("sinfo")      ? "slurm"
                                              : commands.has("pbsnodes") ? "pbs"
                                                                         : "");
  if (named == "slurm") return ask_slurm(cluster, commands, clock);
  if (named == "pbs") return ask_pbs(cluster, commands, clock);
  if (!given.scheduler)
    throw core::Error("neither sinfo nor pbsnodes is in the search path: give --path or --state");
  throw core::Error(
      fmt::format("--scheduler: {} is neither slurm nor pbs", core::quoted(*given.scheduler)),
      core::ExitStatus::usage);
}

std::vector<std::string> hosts_of(const std::string& list) {
  try {
    return core::parse_hostlist(list, "--hosts");
  } catch (const core::Error& error) {
    throw core::Error(error.what(), core::ExitStatus::usage);
  }
}

/// --hosts in their order, each once; a host that the scheduler does not know is told.
void keep_hosts(Cluster& cluster, const std::string& list) {
  std::map<std::string_view, const Node*> known;
  for (const auto& node : cluster.nodes) known[node.name] = &node;
  std::vector<Node> kept;
  std::set<std::string> seen;
  for (const auto& host : hosts_of(list)) {
    const auto found = known.find(host);
    if (found == known.end())
      throw core::Error(fmt::format("--hosts: the scheduler knows no node {}", core::quoted(host)));
    if (seen.insert(host).second) kept.push_back(*found->second);
  }
  cluster.nodes = std::move(kept);
}

}  // namespace

Cluster ask(const Given& given, const Commands& commands, double clock) {
  Cluster cluster;
  for (const auto& file : given.state)
    read_state(cluster, core::read_file(file), file == "-" ? "standard input" : file,
               given.time.value_or(clock));
  if (given.state.empty()) ask_scheduler(cluster, given, commands, clock);
  check_cluster(cluster);
  if (given.hosts) keep_hosts(cluster, *given.hosts);
  return cluster;
}

void check_ledger_file(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode))
    throw core::Error(path + ": no ledger, since it is no regular file");
}

Ledger read_ledger(const Given& given, Missing missing) {
  const auto path = given.ledger.value_or(kDefaultLedger);
  const bool allowed = missing == Missing::allowed || !given.ledger;
  check_ledger_file(path);
  if (allowed && ::access(path.c_str(), F_OK) != 0) return {};
  return Ledger(core::read_file(path), path);
}

double clock_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace spare_plan::standby::live
