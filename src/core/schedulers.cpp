// SPDX-License-Identifier: BSD-3-Clause
#include "core/schedulers.hpp"

#include <algorithm>
#include <cassert>

namespace core {

std::span<const Scheduler> schedulers() {
  static const std::vector<Scheduler> kTable{
      {"Slurm",
       "SLURM_JOB_ID",
       {"sbatch", "salloc"},
       {"-N", "{n}"},
       {"-N", "--nodes"},
       {"scontrol", "update", "JobId={job}", "NodeList={kept}"}},
      {"PBS",
       "PBS_JOBID",
       {"qsub"},
       {"-l", "select={n}"},
       {"-l select", "-l nodes"},
       {"pbs_release_nodes", "-j", "{job}", "{given}"}},
      {"LSF", "LSB_JOBID", {"bsub"}, {"-nnodes", "{n}"}, {"-nnodes", "-n"}, {}},
      {"SGE", "JOB_ID", {}, {}, {}, {}},
      {"Flux", "FLUX_JOB_ID", {}, {}, {}, {}},
  };
  return kTable;
}

const Scheduler& scheduler(std::string_view name) {
  const auto table = schedulers();
  const auto found = std::ranges::find(table, name, &Scheduler::name);
  assert(found != table.end());
  return *found;
}

const Scheduler* scheduler_of_submitter(std::string_view program) {
  const std::string_view file = program.substr(program.rfind('/') + 1);
  for (const Scheduler& scheduler : schedulers())
    if (std::ranges::find(scheduler.submitters, file) != scheduler.submitters.end())
      return &scheduler;
  return nullptr;
}

}  // namespace core
