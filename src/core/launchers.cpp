// SPDX-License-Identifier: BSD-3-Clause
#include "core/launchers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "core/error.hpp"
#include "core/number.hpp"
#include "core/process.hpp"

namespace core {
namespace {

using Names = std::vector<std::string_view>;

std::string_view file_name(std::string_view program) {
  return program.substr(program.rfind('/') + 1);
}

/// The words of a text literal.
Names words(std::string_view text) {
  Names names;
  for (auto blank = text.find(' '); blank != text.npos; blank = text.find(' ')) {
    names.push_back(text.substr(0, blank));
    text.remove_prefix(blank + 1);
  }
  names.push_back(text);
  return names;
}

bool contains(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Open MPI 4 and 5 (PRRTE): options with one dash or two are the same.
Launcher open_mpi() {
  return {
      .kind = LauncherKind::openmpi,
      .name = "Open MPI",
      .programs = {"mpirun", "mpiexec", "orterun", "prterun", "mpirun.openmpi", "mpiexec.openmpi"},
      .version_marks = {"(Open MPI)", "(OpenRTE)", "(PRRTE)", "prterun"},
      .format = HostfileFormat::openmpi,
      .hostfile_option = "--hostfile",
      .one_per_host = {"--map-by", "ppr:1:node"},
      .unbound = {"--bind-to", "none"},
      .host_options = {"--host", "-H", "--hostfile", "--machinefile", "--default-hostfile",
                       "--rankfile", "-rf", "--add-host", "--add-hostfile"},
      .one_word =
          words("N max-vm-size hnp cpu-set c n np npersocket npernode map-by cpu-list rank-by "
                "bind-to cpus-per-proc cpus-per-rank output-filename output stdin xml-file "
                "xterm path prefix preload-files wd wdir x am tune debugger timeout app cf "
                "cartofile max-restarts ompi-server personality ppr report-events report-pid "
                "report-uri launch-agent display runtime-options dvm dvm-uri namespace pset"),
      .two_words = {"mca", "gmca", "pmixmca", "gpmixmca", "prtemca", "omca"},
  };
}

/// Options that Hydra and Intel's Hydra share.
Names hydra_one_word() {
  return words(
      "n np ppn perhost genvlist wdir configfile envlist launcher bootstrap "
      "launcher-exec bootstrap-exec rmk topolib bind-to map-by membind demux iface "
      "prepend-pattern outfile-pattern errfile-pattern nameserver order-nodes "
      "localhost usize gpus-per-proc grr umask path l-pattern");
}

Launcher mpich() {
  return {
      .kind = LauncherKind::mpich,
      .name = "MPICH",
      .programs = {"mpiexec", "mpirun", "mpiexec.hydra", "mpirun.mpich", "mpiexec.mpich"},
      .version_marks = {"HYDRA build details"},
      .format = HostfileFormat::mpich,
      .hostfile_option = "-f",
      .one_per_host = {"-ppn", "1"},
      .unbound = {"-bind-to", "none"},
      .host_options = {"-f", "-hosts", "-host", "-hostfile", "-machine", "-machinefile",
                       "-machines"},
      .one_word = hydra_one_word(),
      .two_words = {"genv", "env"},
  };
}

Launcher intel_mpi() {
  return {
      .kind = LauncherKind::intel,
      .name = "Intel MPI",
      .programs = {"mpiexec", "mpirun", "mpiexec.hydra"},
      .version_marks = {"Intel(R) MPI Library"},
      .format = HostfileFormat::mpich,
      // With -f a host that is repeated or has a count is used once.
      .hostfile_option = "-machinefile",
      .one_per_host = {"-ppn", "1"},
      .unbound = {"-genv", "I_MPI_PIN", "0"},
      .host_options = {"-f", "-hosts", "-host", "-hostfile", "-machine", "-machinefile",
                       "-hosts-group"},
      .one_word = hydra_one_word(),
      .two_words = {"genv", "env"},
  };
}

/// One dash: letters, the last of which may have its value glued on. Two: long options.
Launcher srun() {
  return {
      .kind = LauncherKind::srun,
      .name = "srun",
      .programs = {"srun"},
      .version_marks = {"slurm "},
      .format = HostfileFormat::slurm_nodelist,
      .hostfile_option = "-w",
      .one_per_host = {"--ntasks-per-node=1"},
      .unbound = {"--cpu-bind=none"},
      .host_options = {"-w", "--nodelist", "-x", "--exclude", "-F", "--nodefile"},
      .one_word =
          words("A b D M C S c d m e B G i J L N n o p q r T t W accel-bind account "
                "acctg-freq bb bbf bcast-exclude begin chdir cluster-constraint clusters "
                "comment constraint container core-spec cores-per-socket cpu-bind cpu-freq "
                "cpus-per-gpu cpus-per-task deadline delay-boot dependency distribution "
                "epilog error export extra-node-info gid gpu-bind gpu-freq gpus gpus-per-node "
                "gpus-per-socket gpus-per-task gres gres-flags het-group hint input job-name "
                "jobid licenses mail-type mail-user mcs-label mem mem-bind mem-per-cpu "
                "mem-per-gpu mincpus mpi msg-timeout network nodes ntasks ntasks-per-core "
                "ntasks-per-gpu ntasks-per-node ntasks-per-socket open-mode output partition "
                "power prefer priority profile prolog qos relative reservation signal "
                "slurmd-debug sockets-per-node switches task-epilog task-prolog thread-spec "
                "threads threads-per-core time time-min tmp tres-per-task uid wait wckey"),
      .two_words = {},
  };
}

}  // namespace

std::span<const Launcher> launchers() {
  static const std::vector<Launcher> kTable{open_mpi(), intel_mpi(), mpich(), srun()};
  return kTable;
}

const Launcher& launcher(LauncherKind kind) {
  const auto table = launchers();
  const auto found = std::ranges::find(table, kind, &Launcher::kind);
  assert(found != table.end());
  return *found;
}

bool is_launcher_program(std::string_view program) {
  return std::ranges::any_of(launchers(), [program](const Launcher& known) {
    return contains(known.programs, file_name(program));
  });
}

const Launcher* launcher_of_version(std::string_view version_output) {
  constexpr int kLines = 5;
  for (int i = 0; i < kLines && !version_output.empty(); ++i) {
    const std::string_view line = version_output.substr(0, version_output.find('\n'));
    for (const Launcher& known : launchers())
      for (const std::string_view mark : known.version_marks)
        if (line.find(mark) != line.npos) return &known;
    version_output.remove_prefix(std::min(line.size() + 1, version_output.size()));
  }
  return nullptr;
}

const Launcher& recognise_launcher(const std::string& program) {
  constexpr double kTimeoutSeconds = 10;
  if (file_name(program) == "srun") return launcher(LauncherKind::srun);
  const Captured captured = capture({program, "--version"}, kTimeoutSeconds);
  if (const Launcher* const found = launcher_of_version(captured.out)) return *found;
  const std::string_view output = captured.out;
  throw Error(
      fmt::format("cannot tell which launcher {} is: '{} --version' says {} (status {}), "
                  "want Open MPI, MPICH, Intel MPI or srun",
                  program, program, quoted(output.substr(0, output.find('\n'))), captured.status));
}

std::span<const std::string_view> rank_variables() {
  static constexpr std::array<std::string_view, 4> kNames{"OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                                          "PMI_RANK", "SLURM_PROCID"};
  return kNames;
}

std::span<const std::string_view> size_variables() {
  static constexpr std::array<std::string_view, 4> kNames{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                                          "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"};
  return kNames;
}

}  // namespace core
