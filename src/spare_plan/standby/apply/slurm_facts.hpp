// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spare_plan::standby::apply {

constexpr int kUpdatesExcNodes = 2302;  ///< from here on scontrol update SuspendExcNodes works
constexpr int kCountsUsedNodes = 2405;  ///< from here on its count includes nodes in use

/// "slurm-wlm 22.05.8" -> 2205. Throws Error for anything else.
int parse_slurm_version(std::string_view text);

/// What scontrol show config tells about power saving; "" for (null).
struct SlurmConfig {
  std::string suspend_program, suspend_time, resume_program, suspend_exc_nodes;
};
SlurmConfig parse_slurm_config(std::string_view text);

/// Throws Error unless Slurm switches nodes off and on: with SuspendTime INFINITE it ignores even
/// an order to.
void require_power_saving(const SlurmConfig& config);

/// The value of SuspendExcNodes that keeps `keep` idle ones of the nodes on; "" for none. Up to
/// 22.05 the count is for the whole list before it; later versions first split at commas, even
/// those in brackets: throws Error then unless the nodes are one range.
std::string exc_nodes(const std::vector<std::string>& nodes, std::uint32_t keep, std::uint64_t used,
                      int version);
/// A file for slurm.conf to include.
std::string fragment_text(const std::string& exc_nodes);

}  // namespace spare_plan::standby::apply
