// SPDX-License-Identifier: BSD-3-Clause
#include "core/topology.hpp"

#include <fmt/format.h>
#include <hwloc.h>
#include <sched.h>

#include <cerrno>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/number.hpp"

namespace core {

struct Topology::State {
  hwloc_topology_t handle = nullptr;

  State() {
    if (hwloc_topology_init(&handle) != 0) throw Error("hwloc cannot be initialised");
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { hwloc_topology_destroy(handle); }

  std::size_t count(hwloc_obj_type_t type) const {
    const int found = hwloc_get_nbobjs_by_type(handle, type);
    return found > 0 ? static_cast<std::size_t>(found) : 0;
  }

  std::vector<unsigned> units_of(hwloc_obj_type_t type, std::size_t index) const {
    const hwloc_obj_t object = hwloc_get_obj_by_type(handle, type, static_cast<unsigned>(index));
    std::vector<unsigned> units;
    if (object == nullptr || object->cpuset == nullptr) return units;
    for (int unit = hwloc_bitmap_first(object->cpuset); unit >= 0;
         unit = hwloc_bitmap_next(object->cpuset, unit))
      units.push_back(static_cast<unsigned>(unit));
    return units;
  }
};

namespace {

/// hwloc leaves out what the cgroup forbids; the affinity mask of this process may be narrower.
void restrict_to_affinity(hwloc_topology_t handle) {
  hwloc_bitmap_t mask = hwloc_bitmap_alloc();
  if (mask != nullptr && hwloc_get_cpubind(handle, mask, HWLOC_CPUBIND_PROCESS) == 0 &&
      hwloc_bitmap_weight(mask) > 0)
    hwloc_topology_restrict(handle, mask, HWLOC_RESTRICT_FLAG_REMOVE_CPULESS);
  hwloc_bitmap_free(mask);
}

void load(hwloc_topology_t handle) {
  for (const hwloc_obj_type_t type :
       {HWLOC_OBJ_MISC, HWLOC_OBJ_BRIDGE, HWLOC_OBJ_PCI_DEVICE, HWLOC_OBJ_OS_DEVICE})
    hwloc_topology_set_type_filter(handle, type, HWLOC_TYPE_FILTER_KEEP_NONE);
  if (hwloc_topology_load(handle) != 0)
    throw Error(fmt::format("hwloc cannot read the topology: {}", std::strerror(errno)));
}

/// Objects of data or unified caches below a node of the tree, those nearest to memory only.
std::size_t last_level_bytes(hwloc_topology_t handle) {
  for (const hwloc_obj_type_t type : {HWLOC_OBJ_L5CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE,
                                      HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L1CACHE}) {
    std::size_t bytes = 0;
    for (hwloc_obj_t cache = hwloc_get_next_obj_by_type(handle, type, nullptr); cache != nullptr;
         cache = hwloc_get_next_obj_by_type(handle, type, cache))
      bytes += static_cast<std::size_t>(cache->attr->cache.size);
    if (bytes > 0) return bytes;
  }
  return 0;
}

/// Not by hwloc, which takes "1,,2" and "-1".
std::vector<std::pair<unsigned, unsigned>> ranges_in(const std::string& what,
                                                     std::string_view list) {
  constexpr std::uint64_t kMost = 1 << 16;
  std::vector<std::pair<unsigned, unsigned>> ranges;
  for (bool more = true; more;) {
    const auto comma = list.find(',');
    const std::string_view item = list.substr(0, comma);
    const auto dash = item.find('-');
    const auto first = parse_count(item.substr(0, dash), kMost);
    const auto last = dash == item.npos ? first : parse_count(item.substr(dash + 1), kMost);
    if (!first || !last || *last < *first)
      throw Error(
          fmt::format("{}: {} is no list of processing units; write 0-3,8", what, quoted(item)),
          ExitStatus::usage);
    ranges.emplace_back(*first, *last);
    more = comma != list.npos;
    list.remove_prefix(more ? comma + 1 : 0);
  }
  return ranges;
}

}  // namespace

Topology::Topology(std::unique_ptr<State> state) : state_(std::move(state)) {}
Topology::Topology(Topology&&) noexcept = default;
Topology::~Topology() = default;

Topology Topology::here() {
  auto state = std::make_unique<State>();
  load(state->handle);
  restrict_to_affinity(state->handle);
  return Topology(std::move(state));
}

Topology Topology::synthetic(const std::string& description) {
  auto state = std::make_unique<State>();
  if (hwloc_topology_set_synthetic(state->handle, description.c_str()) != 0)
    throw Error(fmt::format("hwloc does not understand the topology '{}'", description));
  load(state->handle);
  return Topology(std::move(state));
}

std::size_t Topology::cores() const { return state_->count(HWLOC_OBJ_CORE); }

std::size_t Topology::numa_nodes() const { return state_->count(HWLOC_OBJ_NUMANODE); }

std::size_t Topology::last_level_cache_bytes() const { return last_level_bytes(state_->handle); }

std::size_t Topology::memory_bytes() const {
  const hwloc_obj_t machine = hwloc_get_root_obj(state_->handle);
  return static_cast<std::size_t>(machine->total_memory);
}

std::vector<unsigned> Topology::core_units() const {
  std::vector<unsigned> units;
  for (std::size_t core = 0; core < cores(); ++core) {
    const std::vector<unsigned> own = core_cpuset(core);
    if (!own.empty()) units.push_back(own.front());
  }
  return units;
}

std::vector<unsigned> Topology::core_cpuset(std::size_t core) const {
  return state_->units_of(HWLOC_OBJ_CORE, core);
}

std::vector<unsigned> Topology::numa_cpuset(std::size_t numa_node) const {
  return state_->units_of(HWLOC_OBJ_NUMANODE, numa_node);
}

std::vector<unsigned> Topology::units_in(const std::string& what, const std::string& list) const {
  const hwloc_const_bitmap_t allowed = hwloc_topology_get_topology_cpuset(state_->handle);
  std::set<unsigned> units;
  for (const auto& [first, last] : ranges_in(what, list))
    for (unsigned unit = first; unit <= last; ++unit) {
      if (hwloc_bitmap_isset(allowed, unit) == 0)
        throw Error(fmt::format("{}: processing unit {} is not here or not ours", what, unit),
                    ExitStatus::usage);
      units.insert(unit);
    }
  return {units.begin(), units.end()};
}

void bind_to(const std::vector<unsigned>& processing_units) {
  if (processing_units.empty()) throw Error("cannot bind to no processing unit");
  const unsigned most = processing_units.back() + 1;
  cpu_set_t* set = CPU_ALLOC(most);
  if (set == nullptr) throw Error("out of memory");
  const std::size_t bytes = CPU_ALLOC_SIZE(most);
  CPU_ZERO_S(bytes, set);
  for (const unsigned unit : processing_units) CPU_SET_S(unit, bytes, set);
  const int failed = ::sched_setaffinity(0, bytes, set);
  const int error = errno;
  CPU_FREE(set);
  if (failed != 0)
    throw Error(fmt::format("cannot bind to processing unit {}: {}", processing_units.front(),
                            std::strerror(error)));
}

}  // namespace core
