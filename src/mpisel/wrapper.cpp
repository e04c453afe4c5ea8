// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/wrapper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "core/error.hpp"
#include "core/hostlist.hpp"

namespace mpisel {
namespace {

bool has_parts(const core::Launcher& launcher) {
  return launcher.kind == core::LauncherKind::openmpi;
}

[[noreturn]] void usage(const std::string& sentence) {
  throw core::Error(sentence, core::ExitStatus::usage);
}

std::string_view format_name(core::HostfileFormat format) {
  switch (format) {
    case core::HostfileFormat::openmpi:
      return "openmpi";
    case core::HostfileFormat::mpich:
      return "mpich";
    case core::HostfileFormat::rankfile:
      return "rankfile";
    case core::HostfileFormat::slurm_hostfile:
      return "slurm-hostfile";
    case core::HostfileFormat::slurm_nodelist:
      return "slurm-nodelist";
    case core::HostfileFormat::plain:
      break;
  }
  return "plain";
}

Words srun_with_hosts(const Words& command, std::span<const core::HostSlots> chosen) {
  Words names;
  for (const core::HostSlots& host : chosen) names.push_back(host.host);
  Words words{command.front(), "-N", std::to_string(chosen.size()), "-w",
              core::print_hostlist(names)};
  words.insert(words.end(), command.begin() + 1, command.end());
  return words;
}

}  // namespace

void check_no_hosts(const core::Launcher& launcher, const Words& command) {
  const Words arguments(command.begin() + 1, command.end());
  if (const auto option = core::host_option_in(launcher, arguments))
    usage(fmt::format("{} of {} names hosts, which mpisel is to choose: leave it out", *option,
                      command.front()));
}

void check_node_count(const core::Launcher& launcher, const Words& command, std::size_t count) {
  if (launcher.kind != core::LauncherKind::srun) return;
  core::Launcher counting = launcher;
  counting.host_options = {"-N", "--nodes"};
  std::erase(counting.one_word, "nodes");
  const Words arguments(command.begin() + 1, command.end());
  const auto option = core::host_option_in(counting, arguments);
  if (!option) return;
  const auto word = std::ranges::find(arguments, *option);
  const bool glued = *option != "-N" && *option != "--nodes";
  const bool same =
      glued ? *option == fmt::format("-N{}", count) || *option == fmt::format("--nodes={}", count)
            : word + 1 != arguments.end() && word[1] == std::to_string(count);
  if (!same)
    usage(
        fmt::format("{} of {} asks for another number of nodes than the {} that mpisel is to "
                    "choose: leave it out",
                    *option, command.front(), count));
}

core::HostfileFormat format_for(const core::Launcher& launcher,
                                std::optional<core::HostfileFormat> asked) {
  if (!asked || *asked == launcher.format) return launcher.format;
  const bool open_mpi = launcher.kind == core::LauncherKind::openmpi;
  if (open_mpi && *asked == core::HostfileFormat::rankfile) return *asked;
  usage(fmt::format("--format {} is not what {} reads: leave it out, or use {}",
                    format_name(*asked), launcher.name,
                    open_mpi ? "openmpi or rankfile" : format_name(launcher.format)));
}

Words with_hosts(const core::Launcher& launcher, const Words& command, core::HostfileFormat format,
                 const std::string& path, std::span<const core::HostSlots> chosen) {
  if (launcher.kind == core::LauncherKind::srun) return srun_with_hosts(command, chosen);
  const std::string option = format == core::HostfileFormat::rankfile
                                 ? "--rankfile"
                                 : std::string(launcher.hostfile_option);
  Words words{command.front(), option, path};
  for (auto word = command.begin() + 1; word != command.end(); ++word) {
    words.push_back(*word);
    if (has_parts(launcher) && *word == ":") words.insert(words.end(), {option, path});
  }
  return words;
}

std::vector<std::pair<std::string, std::optional<std::string>>> task_counts(
    const core::Environment& environment, const std::optional<core::Allocation>& job,
    std::span<const core::HostSlots> chosen) {
  if (!job || job->scheduler != "Slurm") return {};
  std::unordered_map<std::string_view, unsigned> tasks;
  for (const core::HostSlots& host : job->hosts) tasks[host.host] = host.slots;
  std::uint64_t sum = 0;
  for (const core::HostSlots& host : chosen) {
    const unsigned slots = tasks[host.host];
    if (slots == 0) return {};
    sum += slots;
  }
  std::vector<std::pair<std::string, std::optional<std::string>>> changes;
  for (const char* name : {"SLURM_NTASKS", "SLURM_NPROCS"})
    if (environment(name)) changes.emplace_back(name, std::to_string(sum));
  return changes;
}

}  // namespace mpisel
