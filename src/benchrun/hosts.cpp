// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/hosts.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <unordered_map>

#include "benchrun/host_match.hpp"
#include "core/error.hpp"
#include "core/fd.hpp"
#include "core/host_name.hpp"
#include "core/hostfile.hpp"
#include "core/hostlist.hpp"
#include "core/process.hpp"

namespace benchrun {

namespace {

std::vector<std::string> expanded(const std::string& list) {
  try {
    return core::parse_hostlist(list, "--hosts");
  } catch (const core::Error& e) {
    throw core::Error(e.what(), core::ExitStatus::usage);
  }
}

/// A host that is named several times gets as many slots.
std::vector<core::HostSlots> hosts_of_list(const std::string& list) {
  std::vector<core::HostSlots> hosts;
  std::unordered_map<std::string, std::size_t> index;
  bool repeated = false;
  for (const std::string& host : expanded(list)) {
    const auto [found, is_new] = index.try_emplace(host, hosts.size());
    if (is_new) hosts.push_back({host, 0});
    ++hosts[found->second].slots;
    repeated = repeated || !is_new;
  }
  if (!repeated)
    for (core::HostSlots& host : hosts) host.slots = 0;
  return hosts;
}

std::optional<core::Allocation> named_by_hand(const Options& options) {
  core::Allocation named;
  if (options.hosts && options.hostfile)
    throw core::Error("give either --hosts or --hostfile, not both", core::ExitStatus::usage);
  if (options.hosts) {
    named.source = "--hosts";
    named.hosts = hosts_of_list(*options.hosts);
  } else if (options.hostfile) {
    named.source = *options.hostfile;
    std::istringstream text(core::read_file(*options.hostfile));
    named.hosts = core::read_hostfile(text, *options.hostfile);
  } else {
    return std::nullopt;
  }
  return named;
}

bool in_path(const std::string& program, const core::Environment& environment) {
  const auto places = core::places_in_path(program, environment("PATH").value_or("/usr/bin:/bin"));
  return std::any_of(places.begin(), places.end(),
                     [](const std::string& file) { return ::access(file.c_str(), X_OK) == 0; });
}

void check_root(const core::Environment& environment) {
  if (::geteuid() != 0) return;
  for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"})
    if (environment(name) != "1")
      throw core::Error(fmt::format(
          "Open MPI does not run as root: be an ordinary user, or set OMPI_ALLOW_RUN_AS_ROOT=1 "
          "and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ({} is not)",
          name));
}

std::unique_ptr<Launcher> mpi_launcher(const std::string& program,
                                       const core::Allocation& allocation,
                                       const core::Environment& environment) {
  const core::Launcher& kind = core::recognise_launcher(program);
  if (kind.kind != core::LauncherKind::openmpi) return hydra_launcher(kind, program);
  check_root(environment);
  core::check_first_labels(allocation.hosts);
  return open_mpi_launcher(program);
}

bool only_this_host(const core::Allocation& allocation) {
  const std::string& host = allocation.hosts.front().host;
  return allocation.hosts.size() == 1 && (host == core::own_host_name() || host == "localhost");
}

std::unique_ptr<Launcher> automatic(const core::Allocation& allocation,
                                    const core::Environment& environment) {
  if (in_path("mpirun", environment)) return mpi_launcher("mpirun", allocation, environment);
  if (allocation.scheduler == "Slurm" && in_path("srun", environment)) return srun_launcher();
  if (only_this_host(allocation)) return local_launcher();
  return ssh_launcher();
}

}  // namespace

core::Allocation part_of(const core::Allocation& whole, const core::Allocation& wanted) {
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < whole.hosts.size(); ++i) index.emplace(whole.hosts[i].host, i);
  core::Allocation part = whole;
  part.source = wanted.source;
  part.hosts.clear();
  part.cpus.clear();
  for (const core::HostSlots& host : wanted.hosts) {
    const auto found = index.find(host.host);
    if (found == index.end())
      throw core::Error(fmt::format("{}: {} is not in the allocation ({})", wanted.source,
                                    host.host, whole.source),
                        core::ExitStatus::usage);
    const core::HostSlots& own = whole.hosts[found->second];
    part.hosts.push_back({own.host, host.slots != 0 ? host.slots : own.slots});
    if (!whole.cpus.empty()) part.cpus.push_back(whole.cpus[found->second]);
  }
  return part;
}

core::Allocation find_hosts(const Options& options, const core::Environment& environment) {
  const std::optional<core::Allocation> named = named_by_hand(options);
  const std::optional<core::Allocation> allocation = core::find_allocation(environment);
  if (named && allocation) return part_of(*allocation, *named);
  if (named) return *named;
  if (allocation) return *allocation;
  core::Allocation here;
  here.source = "this host";
  here.hosts = {{core::own_host_name(), 0}};
  return here;
}

std::unique_ptr<Launcher> choose_launcher(const Options& options,
                                          const core::Allocation& allocation,
                                          const core::Environment& environment) {
  const std::string& name = options.launcher;
  if (name == "auto") return automatic(allocation, environment);
  if (name == "mpirun" || name == "mpiexec") return mpi_launcher(name, allocation, environment);
  if (name == "srun") {
    if (allocation.scheduler != "Slurm")
      throw core::Error("--launcher srun works inside a Slurm allocation only");
    return srun_launcher();
  }
  if (name == "ssh") return ssh_launcher();
  if (allocation.hosts.size() > 1)
    throw core::Error(fmt::format("--launcher local measures this host only, not {} hosts",
                                  allocation.hosts.size()),
                      core::ExitStatus::usage);
  return local_launcher();
}

}  // namespace benchrun
