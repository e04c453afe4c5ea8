// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A host and how many ranks it takes. slots = 0: unknown.
struct HostSlots {
  std::string host;
  unsigned slots = 0;
  bool operator==(const HostSlots&) const = default;
};

inline constexpr std::uint64_t kMaxSlots = std::uint64_t{1} << 20;

/// A number of slots, 1 to kMaxSlots. Throws Error naming `where` (FILE:LINE, a variable).
unsigned parse_slots(std::string_view text, std::string_view where);

/// openmpi `HOST slots=K`; mpich (and intel) `HOST:K`; rankfile `rank R=HOST slot=C`, ranks host by
/// host, C = 0..K-1; slurm_hostfile the host K times, one a line; slurm_nodelist one line in
/// bracket notation; plain `HOST`.
enum class HostfileFormat { openmpi, mpich, rankfile, slurm_hostfile, slurm_nodelist, plain };

/// The names of --format: openmpi mpich intel rankfile slurm-hostfile slurm-nodelist plain.
std::optional<HostfileFormat> hostfile_format(std::string_view name);
std::vector<std::string> hostfile_format_names();

/// Whether the launcher that reads this format runs the ranks in the file's order of hosts
/// (rankfile, slurm-hostfile).
bool keeps_order(HostfileFormat format);

/// Reads what people have: Open MPI's `HOST [slots=K] [max_slots=K] [user@]`, MPICH's `HOST:K`, or
/// bare hosts; `#` and `//` comments, blank lines; a host repeated on several lines adds up (bare
/// line = 1 slot only when some host is repeated, else unknown). Order of first appearance. Throws
/// Error with `name`:line on anything else, a bad host name, slots = 0 or > 1 Mi, more than
/// kMaxHosts hosts, or no host at all.
std::vector<HostSlots> read_hostfile(std::istream& in, std::string_view name);

/// Writes the file: LF, final newline. hosts must not be empty; slots 0 is written as 1.
void write_hostfile(std::ostream& out, std::span<const HostSlots> hosts, HostfileFormat format);

}  // namespace core
