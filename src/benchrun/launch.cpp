// SPDX-License-Identifier: BSD-3-Clause
// How each launcher is told hosts, numbers of ranks and binding. Everything is said explicitly:
// what the environment (SLURM_*, OMPI_MCA_*) would have set must not change a measurement.
#include "benchrun/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "core/hostlist.hpp"

namespace benchrun {

namespace {

using Words = std::vector<std::string>;
using Environment = std::vector<std::pair<std::string, std::optional<std::string>>>;

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string hostfile_path() { return fmt::format("/proc/self/fd/{}", kHostfileFd); }

std::string hostfile_of(const Placement& placement, core::HostfileFormat format) {
  std::ostringstream text;
  core::write_hostfile(text, placement.hosts, format);
  return text.str();
}

std::vector<std::size_t> every_host(const Placement& placement) {
  std::vector<std::size_t> all(placement.hosts.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

bool equal_ranks(const Placement& placement) {
  return std::ranges::adjacent_find(placement.hosts, [](const auto& a, const auto& b) {
           return a.slots != b.slots;
         }) == placement.hosts.end();
}

/// Defaults that a batch job hands to srun, also to the one inside Open MPI and MPICH. Those that
/// describe the allocation (SLURM_NODELIST, SLURM_TASKS_PER_NODE, ...) stay.
Environment without_srun_defaults() {
  Environment changes;
  for (const char* name :
       {"SLURM_NTASKS",           "SLURM_NPROCS",    "SLURM_NTASKS_PER_NODE", "SLURM_DISTRIBUTION",
        "SLURM_HOSTFILE",         "SLURM_CPU_BIND",  "SLURM_CPU_BIND_TYPE",   "SLURM_CPU_BIND_LIST",
        "SLURM_CPU_BIND_VERBOSE", "SLURM_MEM_BIND",  "SLURM_EXCLUSIVE",       "SLURM_EXACT",
        "SLURM_OVERCOMMIT",       "SLURM_LABELIO",   "SLURM_KILL_BAD_EXIT",   "SLURM_WAIT",
        "SLURM_TIMELIMIT",        "SLURM_OPEN_MODE", "SLURM_STDOUTMODE",      "SLURM_STDERRMODE"})
    changes.emplace_back(name, std::nullopt);
  // Else the srun inside mpirun waits for a step that hangs, and so does every probe.
  changes.emplace_back("SLURM_OVERLAP", "1");
  return changes;
}

class OpenMpi : public Launcher {
 public:
  explicit OpenMpi(std::string program) : program_(std::move(program)) {}
  std::string name() const override { return "Open MPI"; }

  std::vector<CommandLine> all_hosts(const Placement& placement, const Words& rank) const override {
    Words argv{program_, "--hostfile", hostfile_path(), "-np", fmt::to_string(placement.ranks())};
    // Slots limit what ppr places; we count ranks ourselves.
    if (placement.per == Per::host)
      argv = argv + Words{"--map-by", "ppr:1:node:OVERSUBSCRIBE"};
    else if (placement.per != Per::slot)
      argv = argv + Words{"--map-by",
                          fmt::format("ppr:{}:node:OVERSUBSCRIBE", placement.hosts.front().slots)};
    else
      argv = argv + Words{"--map-by", "slot"};
    if (placement.per != Per::slot || placement.bind == Bind::none)
      argv = argv + Words{"--bind-to", "none"};
    return {{argv + rank, hostfile_of(placement, core::HostfileFormat::openmpi),
             without_srun_defaults(), every_host(placement)}};
  }

  CommandLine one_host(const std::string& host, const Words& rank) const override {
    return {
        Words{program_, "--host", host, "-np", "1", "--map-by", "slot", "--bind-to", "none"} + rank,
        "",
        without_srun_defaults(),
        {0}};
  }

 private:
  std::string program_;
};

/// MPICH's and Intel MPI's mpiexec.
class Hydra : public Launcher {
 public:
  Hydra(const core::Launcher& kind, std::string program)
      : kind_(kind), program_(std::move(program)) {}
  std::string name() const override { return std::string(kind_.name); }

  std::vector<CommandLine> all_hosts(const Placement& placement, const Words& rank) const override {
    Words argv{program_, std::string(kind_.hostfile_option), hostfile_path(), "-n",
               fmt::to_string(placement.ranks())};
    if (equal_ranks(placement))
      argv = argv + Words{"-ppn", fmt::to_string(placement.hosts.front().slots)};
    if (placement.per != Per::slot || placement.bind == Bind::none) argv = argv + unbound();
    return {{argv + rank, hostfile_of(placement, kind_.format), without_srun_defaults(),
             every_host(placement)}};
  }

  CommandLine one_host(const std::string& host, const Words& rank) const override {
    return {Words{program_, "-hosts", host, "-n", "1"} + rank, "", without_srun_defaults(), {0}};
  }

 private:
  Words unbound() const { return {kind_.unbound.begin(), kind_.unbound.end()}; }

  const core::Launcher& kind_;
  std::string program_;
};

/// The allocation comes to srun by the job's number; a step takes all processors of its nodes.
Environment for_srun() {
  Environment changes = without_srun_defaults();
  changes.emplace_back("SLURM_CPUS_PER_TASK", std::nullopt);
  return changes;
}

class Srun : public Launcher {
 public:
  std::string name() const override { return "srun"; }

  std::vector<CommandLine> all_hosts(const Placement& placement, const Words& rank) const override {
    Words hosts;
    for (const core::HostSlots& host : placement.hosts) hosts.push_back(host.host);
    Words argv = start(core::print_hostlist(hosts), hosts.size(), placement.ranks());
    if (equal_ranks(placement))
      argv.push_back(fmt::format("--ntasks-per-node={}", placement.hosts.front().slots));
    if (placement.per != Per::slot || placement.bind == Bind::none)
      argv.push_back("--cpu-bind=none");
    return {{argv + rank, "", for_srun(), every_host(placement)}};
  }

  CommandLine one_host(const std::string& host, const Words& rank) const override {
    return {start(host, 1, 1) + Words{"--cpu-bind=none"} + rank, "", for_srun(), {0}};
  }

 private:
  /// --overlap: beside a step that hangs; -K0 -W0: a dead task does not end the others.
  static Words start(const std::string& hosts, std::size_t nodes, std::size_t tasks) {
    return {"srun",
            "--overlap",
            "--kill-on-bad-exit=0",
            "--wait=0",
            "--distribution=block",
            "--nodelist=" + hosts,
            fmt::format("--nodes={}", nodes),
            fmt::format("--ntasks={}", tasks)};
  }
};

/// One program for each rank, which is told its number on its command line.
class RankByRank : public Launcher {
 public:
  bool runs_mpi() const override { return false; }

  std::vector<CommandLine> all_hosts(const Placement& placement, const Words& rank) const override {
    std::vector<CommandLine> lines;
    const std::uint32_t size = placement.ranks();
    for (std::size_t i = 0; i < placement.hosts.size(); ++i)
      for (std::uint32_t local = 0; local < placement.hosts[i].slots; ++local) {
        const Words identity{"--rank",  fmt::to_string(lines.size()),
                             "--size",  fmt::to_string(size),
                             "--local", fmt::to_string(local)};
        Words with_identity{rank.front()};
        with_identity = with_identity + identity;
        with_identity.insert(with_identity.end(), rank.begin() + 1, rank.end());
        lines.push_back({reach(placement.hosts[i].host, with_identity), "", {}, {i}});
      }
    return lines;
  }

  CommandLine one_host(const std::string& host, const Words& rank) const override {
    Words with_identity{rank.front(), "--rank", "0", "--size", "1"};
    with_identity.insert(with_identity.end(), rank.begin() + 1, rank.end());
    return {reach(host, with_identity), "", {}, {0}};
  }

 private:
  virtual Words reach(const std::string& host, const Words& argv) const = 0;
};

class Ssh : public RankByRank {
 public:
  std::string name() const override { return "ssh"; }

 private:
  Words reach(const std::string& host, const Words& argv) const override {
    std::string remote = "exec";
    for (const std::string& word : argv) remote += " " + shell_word(word);
    return {"ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-n", "--", host, remote};
  }
};

class Local : public RankByRank {
 public:
  std::string name() const override { return "local"; }

 private:
  Words reach(const std::string&, const Words& argv) const override { return argv; }
};

}  // namespace

std::uint32_t Placement::ranks() const {
  return std::accumulate(
      hosts.begin(), hosts.end(), std::uint32_t{0},
      [](std::uint32_t sum, const core::HostSlots& host) { return sum + host.slots; });
}

std::unique_ptr<Launcher> open_mpi_launcher(std::string program) {
  return std::make_unique<OpenMpi>(std::move(program));
}
std::unique_ptr<Launcher> hydra_launcher(const core::Launcher& kind, std::string program) {
  return std::make_unique<Hydra>(kind, std::move(program));
}
std::unique_ptr<Launcher> srun_launcher() { return std::make_unique<Srun>(); }
std::unique_ptr<Launcher> ssh_launcher() { return std::make_unique<Ssh>(); }
std::unique_ptr<Launcher> local_launcher() { return std::make_unique<Local>(); }

std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace benchrun
