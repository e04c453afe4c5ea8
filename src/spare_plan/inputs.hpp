// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "spare_plan/app_profile.hpp"
#include "spare_plan/fit.hpp"
#include "spare_plan/model.hpp"
#include "spare_plan/slowdowns.hpp"

namespace spare_plan {

/// The options as given on the command line; times in seconds.
struct Given {
  std::optional<std::uint64_t> n_node, max_nodes, otherwise;
  std::optional<double> p_abn, alpha_abn, t_bench, t_cmpt, t_comm, t_fix;
  std::optional<double> abnormal_interval, failure_interval, walltime, compute_share;
  bool give_back = false;
  bool from = false;                    ///< --from is there, perhaps without a path
  std::vector<std::string> from_paths;  ///< empty: the default history
  std::optional<std::string> bench, slowdowns;
  std::optional<std::string> app_profile;  ///< a times table, "-": standard input
  std::optional<double> scale;
};

/// The parameters of the plan and where they came from.
struct Inputs {
  Parameters parameters;
  std::optional<double> p_abn,
      alpha_abn;                 ///< none with slowdowns; alpha also when p = 0 needs none
  std::optional<Ratios> ratios;  ///< of --slowdowns
  std::optional<Fit> fit;        ///< of --from
  bool p_from_fit = false;
  std::optional<std::uint64_t> max_nodes;
  std::optional<double> walltime, compute_share;  ///< when t_cmpt comes from them
  std::optional<AppProfile> profile;              ///< when t_cmpt and t_comm are `scale` times its
  double scale = 1;
};

/// The share of the wall time that a slow node stretches, where nothing else is known.
inline constexpr double kComputeShare = 0.8;

/// Everything that can be told from the options alone: ranges, options that exclude each other, and
/// which missing one nothing else supplies. Throws core::Error (usage).
void check(const Given& given);

/// Reads what --from, --slowdowns and --app-profile name and puts the parameters together; an
/// option given by hand wins over --from. Throws core::Error: usage for a missing parameter,
/// failure when the tables cannot be read or tell nothing.
Inputs settle(const Given& given, const core::Environment& environment, const Talk& talk);

/// The fit of tables and folders; no path: the default history. `cure` is what helps, besides
/// running benchrun, where there are no times. Throws core::Error: usage for an empty name of a
/// benchmark, failure as fit() and when the tables cannot be read.
Fit fit_paths(const std::vector<std::string>& paths, const std::optional<std::string>& bench,
              const std::string& cure, const core::Environment& environment, const Talk& talk);

}  // namespace spare_plan
