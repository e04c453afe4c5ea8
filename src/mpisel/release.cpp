// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/release.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <string_view>

#include "core/error.hpp"
#include "core/hostlist.hpp"
#include "core/plural.hpp"
#include "core/process.hpp"
#include "core/schedulers.hpp"
#include "mpisel/give_back.hpp"

namespace mpisel {
namespace {

constexpr double kTimeoutSeconds = 60;  ///< six times as long as Slurm waits for an answer

using Words = std::vector<std::string>;

/// The command's standard output; what it complains of goes to our standard error. Throws Error
/// when it fails.
std::string output_of(const Words& command) {
  const core::Captured captured =
      core::capture(command, kTimeoutSeconds, 64 << 20, core::Stream::inherit);
  if (captured.status != 0)
    throw core::Error(
        fmt::format("{} ended with status {}", as_shell_text(command), captured.status));
  return captured.out;
}

/// What the scheduler's commands are to call the job. The last task of an array of Slurm has the
/// array's id, by which squeue tells of all its tasks and scontrol resizes none.
std::string name_of(const core::Allocation& job, const core::Environment& environment) {
  if (job.job_id.empty())
    throw core::Error(fmt::format("{} is not set, so it is not known which job this is",
                                  core::scheduler(job.scheduler).job_id));
  const auto task = environment("SLURM_ARRAY_TASK_ID");
  const bool is_array = environment("SLURM_ARRAY_JOB_ID") == job.job_id;
  return is_array && task ? fmt::format("{}_{}", job.job_id, *task) : job.job_id;
}

struct Job {
  Words held;
  Words launch;  ///< where its script runs, and where we do
};

/// Slurm is asked, since the environment is that of the job's begin and it may have been shrunk.
Job slurm_job(const std::string& id) {
  const std::string out = output_of({"squeue", "-h", "-j", id, "-o", "%N|%B"});
  const std::string_view line = std::string_view(out).substr(0, out.find('\n'));
  const auto bar = line.find('|');
  if (bar == line.npos || bar == 0)
    throw core::Error(fmt::format("squeue knows of no nodes of job {}", id));
  return {core::parse_hostlist(line.substr(0, bar), "squeue"), {std::string(line.substr(bar + 1))}};
}

/// Of other resource managers the first node is the one where the script runs.
Job job_now(const core::Allocation& job, const std::string& name) {
  Job now;
  if (job.scheduler == "Slurm") {
    now = slurm_job(name);
  } else {
    for (const core::HostSlots& host : job.hosts) now.held.push_back(host.host);
    now.launch.push_back(now.held.front());
  }
  now.launch.push_back(core::own_host_name());
  return now;
}

std::string nodes(const Words& hosts) {
  return fmt::format("{} ({})", core::counted(hosts.size(), "node"), core::print_hostlist(hosts));
}

/// Slurm leaves scripts in the working folder by which a shell learns of the new size.
std::string resize_script(const core::Allocation& job, std::string_view shell) {
  return fmt::format("slurm_job_{}_resize.{}", job.job_id, shell);
}

void tell_shell(const core::Allocation& job, const core::Environment& environment,
                const Words& kept) {
  std::string text = ". ./" + resize_script(job, "sh");
  for (const auto& [name, value] : shrunk_environment(environment, job, kept))
    if (name == "SLURM_TASKS_PER_NODE")  // which the script unsets, and Open MPI needs
      text += fmt::format("; export {}='{}'", name, *value);
  spdlog::info(
      "the variables of this shell still tell of all nodes; for an srun or mpirun without "
      "hosts: {}",
      text);
}

void act(const core::Allocation& job, const Words& command, const Shrink& shrink, Release how,
         const core::Environment& environment) {
  output_of(command);
  spdlog::info("gave back {}", nodes(shrink.given));
  if (job.scheduler != "Slurm") return;
  if (how == Release::act) return tell_shell(job, environment, shrink.kept);
  std::error_code ignored;
  for (const char* shell : {"sh", "csh"})
    std::filesystem::remove(resize_script(job, shell), ignored);
}

/// The nodes that the job has in the end.
Words release(const core::Allocation& job, std::span<const core::HostSlots> chosen, Release how,
              const core::Environment& environment) {
  const core::Scheduler& scheduler = core::scheduler(job.scheduler);
  if (scheduler.give_back.empty())
    throw core::Error(fmt::format("mpisel knows no way to give nodes of {} back", scheduler.name));
  const std::string name = name_of(job, environment);
  const Job now = job_now(job, name);
  const Shrink shrink = plan_shrink(now.held, chosen, now.launch);
  if (!shrink.stay.empty())
    spdlog::info("{} stays in the job although it is not chosen: the job's script runs there",
                 fmt::join(shrink.stay, " and "));
  if (shrink.given.empty()) {
    spdlog::info("there is no node to give back");
    return now.held;
  }
  const Words command = shrink_command(scheduler, name, shrink);
  if (how == Release::say) {
    spdlog::info("{} can be given back (--yes does it): {}", nodes(shrink.given),
                 as_shell_text(command));
    return now.held;
  }
  act(job, command, shrink, how, environment);
  return shrink.kept;
}

}  // namespace

std::vector<std::pair<std::string, std::optional<std::string>>> release_others(
    const core::Allocation& job, std::span<const core::HostSlots> chosen, Release how,
    const core::Environment& environment) {
  try {
    const Words held = release(job, chosen, how, environment);
    if (job.scheduler == "Slurm") return shrunk_environment(environment, job, held);
  } catch (const core::Error& e) {
    spdlog::warn("no node is given back, the job keeps what it has: {}", e.what());
  }
  return {};
}

}  // namespace mpisel
