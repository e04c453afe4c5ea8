// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spare_plan {

/// The variable that tells mpisel in the job how many nodes the application uses.
inline constexpr std::string_view kNodeVariable = "LAUNCHWISE_N_NODE";

/// A job script: its name and its text.
struct JobScript {
  std::string name;
  std::string text;
};

/// What to become.
struct Submission {
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::optional<std::string>>> environment;
  std::vector<std::string> notes;     ///< worth saying
  std::vector<std::string> warnings;  ///< worth acting on
};

/// Checks `sbatch|salloc|qsub|bsub ARGS`. Throws core::Error (usage) when the program is no known
/// submitter or ARGS hold a node count already.
void check_submission(const std::vector<std::string>& command);

/// The command with `nodes` inserted right after the program and kNodeVariable = n_node exported.
Submission submission(const std::vector<std::string>& command, std::uint64_t n_node,
                      std::uint64_t nodes, const std::optional<JobScript>& script);

/// The job script among the words of `command`: the first word that is no option and names a
/// readable regular file starting with "#!".
std::optional<JobScript> find_job_script(const std::vector<std::string>& command);

}  // namespace spare_plan
