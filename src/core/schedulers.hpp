// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// What is known about a resource manager: one row of one table, used by allocation (benchrun,
/// mpisel), by --give-back of mpisel and by the submit form of spare-plan.
struct Scheduler {
  std::string_view name;    ///< "Slurm", "PBS", "LSF", "SGE", "Flux"
  std::string_view job_id;  ///< variable that holds the job's id
  /// Programs that submit and can be given a node count: sbatch, salloc, qsub, bsub. SGE's qsub
  /// cannot (its -pe counts slots) and Flux's are subcommands, so they have none.
  std::vector<std::string_view> submitters;
  /// How `n` nodes are asked for on the submitter's command line, e.g. {"-N", "{n}"}.
  std::vector<std::string_view> node_request;
  /// Options of a submitter that already hold a node count; a short one also matches glued ("-N4"),
  /// a long one also with "=". An entry with a space ("-l select") matches the value's start too.
  std::vector<std::string_view> node_options;
  /// The command that gives nodes of a running job back, empty when there is none: {job} is its id,
  /// {kept} the nodes that it keeps as one host list, the word {given} the others, a word each.
  std::vector<std::string_view> give_back;
};

std::span<const Scheduler> schedulers();

/// The scheduler of that name, which must be one of the table.
const Scheduler& scheduler(std::string_view name);

/// The scheduler whose submitter `program` (its file name) is, or nullptr.
const Scheduler* scheduler_of_submitter(std::string_view program);

}  // namespace core
