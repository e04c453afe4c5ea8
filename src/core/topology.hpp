// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace core {

/// The machine as this process may use it (hwloc; the only file that includes it).
class Topology {
 public:
  /// This machine, or hwloc's synthetic notation ("pack:2 core:4 pu:1") for tests.
  static Topology here();
  static Topology synthetic(const std::string& description);
  Topology(Topology&&) noexcept;
  ~Topology();

  /// Physical cores with at least one allowed processing unit.
  std::size_t cores() const;
  /// NUMA nodes with at least one allowed core.
  std::size_t numa_nodes() const;
  /// Bytes of all last-level caches together; 0 when hwloc knows none.
  std::size_t last_level_cache_bytes() const;
  /// Bytes of memory of the NUMA nodes above; 0 when hwloc knows none.
  std::size_t memory_bytes() const;
  /// Operating-system numbers of the allowed processing units, one per core (the first), ascending
  /// by logical order.
  std::vector<unsigned> core_units() const;
  /// The allowed processing units of a core or NUMA node (numbered from 0 in logical order),
  /// ascending: for bind_to. Empty when there is no such core or node.
  std::vector<unsigned> core_cpuset(std::size_t core) const;
  std::vector<unsigned> numa_cpuset(std::size_t numa_node) const;

  /// The processing units of a list such as "0-3,8", ascending. Throws Error (usage) naming `what`
  /// (an option) when it is no such list or holds one that is not allowed.
  std::vector<unsigned> units_in(const std::string& what, const std::string& list) const;

 private:
  struct State;
  explicit Topology(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Binds the calling thread (and threads it makes later) to these processing units, which are in
/// ascending order. Throws Error.
void bind_to(const std::vector<unsigned>& processing_units);

}  // namespace core
