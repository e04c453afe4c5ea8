// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/allocation.hpp"
#include "core/hostfile.hpp"
#include "core/times.hpp"
#include "mpisel/select.hpp"

namespace mpisel {

/// Where the ranks of a host come from, first hit wins: --slots, the table's allocation line (the
/// last block that names the host), the job's allocation, the ranks that the host had in the table.
struct SlotSources {
  std::optional<unsigned> fixed;
  std::vector<core::HostSlots> table;
  std::optional<core::Allocation> job;
};

/// The hosts and slots of all blocks' allocation lines, one after the other. Throws Error
/// (FILE:LINE), also when one line names a host twice.
std::vector<core::HostSlots> table_allocation(std::span<const core::TimesBlock> blocks);

/// The chosen hosts with their slots (at least 1), in the order chosen.
std::vector<core::HostSlots> with_slots(const Selection& selection, const SlotSources& sources);

/// Open MPI 4 takes two hosts with one first label for one node: throws Error naming both when a
/// chosen host shares its label with another chosen host or with any host of the job.
void check_labels(std::span<const core::HostSlots> chosen,
                  const std::optional<core::Allocation>& job, core::HostfileFormat format);

/// What the user should know although an answer is possible: slots above what the job has (Open
/// MPI caps them silently), an order that the launcher will not keep, a table from another job.
std::vector<std::string> warnings(std::span<const core::HostSlots> chosen,
                                  std::span<const core::TimesBlock> blocks,
                                  const std::optional<core::Allocation>& job,
                                  core::HostfileFormat format, Order order);

/// A sentence for hosts that the table and the job spell differently (n1.cluster and n1), or
/// nothing. Only for a selection that failed.
std::optional<std::string> spelling_hint(const Selection& selection,
                                         const std::optional<core::Allocation>& job);

}  // namespace mpisel
