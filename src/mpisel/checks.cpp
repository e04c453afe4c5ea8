// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/error.hpp"
#include "core/host_name.hpp"
#include "core/number.hpp"

namespace mpisel {
namespace {

using SlotMap = std::unordered_map<std::string_view, unsigned>;

/// Later entries win; a host with unknown slots has no entry.
SlotMap slot_map(std::span<const core::HostSlots> hosts) {
  SlotMap map;
  for (const core::HostSlots& host : hosts)
    if (host.slots > 0) map[host.host] = host.slots;
  return map;
}

std::optional<unsigned> find(const SlotMap& map, std::string_view host) {
  const auto found = map.find(host);
  if (found == map.end()) return std::nullopt;
  return found->second;
}

SlotMap job_slots(const std::optional<core::Allocation>& job) {
  return job ? slot_map(job->hosts) : SlotMap{};
}

bool read_by_open_mpi(core::HostfileFormat format) {
  return format == core::HostfileFormat::openmpi || format == core::HostfileFormat::rankfile;
}

std::optional<std::string> slots_warning(std::span<const core::HostSlots> chosen,
                                         const std::optional<core::Allocation>& job) {
  const SlotMap allowed = job_slots(job);
  const core::HostSlots* first = nullptr;
  std::size_t count = 0;
  for (const core::HostSlots& host : chosen) {
    if (host.slots <= find(allowed, host.host).value_or(host.slots)) continue;
    if (first == nullptr) first = &host;
    ++count;
  }
  if (first == nullptr) return std::nullopt;
  return fmt::format(
      "{} has {} slots in this job ({}) but gets {} in the hostfile{}; Open MPI will not use more "
      "than the job has",
      first->host, *find(allowed, first->host), job->source, first->slots,
      count == 1 ? "" : fmt::format(" (and {} more)", count - 1));
}

std::optional<std::string> other_job_warning(std::span<const core::TimesBlock> blocks,
                                             const std::optional<core::Allocation>& job) {
  if (!job || job->job_id.empty()) return std::nullopt;
  for (const core::TimesBlock& block : blocks) {
    const auto measured = block.value("job");
    if (measured && !measured->empty() && *measured != job->job_id)
      return fmt::format("{} was measured in job {}, this is job {}", block.file,
                         core::quoted(*measured), core::quoted(job->job_id));
  }
  return std::nullopt;
}

}  // namespace

std::vector<core::HostSlots> table_allocation(std::span<const core::TimesBlock> blocks) {
  std::vector<core::HostSlots> all;
  for (const core::TimesBlock& block : blocks) {
    const std::vector<core::HostSlots> hosts = block.allocation();
    all.insert(all.end(), hosts.begin(), hosts.end());
  }
  return all;
}

std::vector<core::HostSlots> with_slots(const Selection& selection, const SlotSources& sources) {
  const SlotMap table = slot_map(sources.table);
  const SlotMap job = job_slots(sources.job);
  std::vector<core::HostSlots> chosen;
  chosen.reserve(selection.chosen.size());
  for (const std::size_t index : selection.chosen) {
    const core::HostScore& score = selection.hosts[index].score;
    std::optional<unsigned> slots = sources.fixed;
    if (!slots) slots = find(table, score.host);
    if (!slots) slots = find(job, score.host);
    const auto ranks = static_cast<unsigned>(std::max<std::size_t>(score.ranks, 1));
    chosen.push_back({score.host, slots.value_or(ranks)});
  }
  return chosen;
}

void check_labels(std::span<const core::HostSlots> chosen,
                  const std::optional<core::Allocation>& job, core::HostfileFormat format) {
  if (!read_by_open_mpi(format)) return;
  std::vector<core::HostSlots> together(chosen.begin(), chosen.end());
  if (job) {
    std::unordered_set<std::string_view> names, labels;
    for (const core::HostSlots& host : chosen) {
      names.insert(host.host);
      labels.insert(core::first_label(host.host));
    }
    for (const core::HostSlots& host : job->hosts)
      if (!names.contains(host.host) && labels.contains(core::first_label(host.host)))
        together.push_back(host);
  }
  core::check_first_labels(together);
}

std::vector<std::string> warnings(std::span<const core::HostSlots> chosen,
                                  std::span<const core::TimesBlock> blocks,
                                  const std::optional<core::Allocation>& job,
                                  core::HostfileFormat format, Order order) {
  std::vector<std::string> sentences;
  if (const auto other = other_job_warning(blocks, job)) sentences.push_back(*other);
  if (read_by_open_mpi(format))
    if (const auto slots = slots_warning(chosen, job)) sentences.push_back(*slots);
  if (order == Order::speed && !core::keeps_order(format))
    sentences.push_back(
        "a launcher need not keep the order of --order speed with this format, only with rankfile "
        "and slurm-hostfile");
  return sentences;
}

std::optional<std::string> spelling_hint(const Selection& selection,
                                         const std::optional<core::Allocation>& job) {
  if (!job) return std::nullopt;
  std::unordered_map<std::string_view, std::string_view> by_label;
  for (const core::HostSlots& host : job->hosts)
    by_label.emplace(core::first_label(host.host), host.host);
  for (const Decision& decision : selection.hosts) {
    if (decision.verdict != Verdict::not_allocated) continue;
    const std::string& host = decision.score.host;
    const auto same = by_label.find(core::first_label(host));
    if (same != by_label.end())
      return fmt::format("the table says {}, this job ({}) says {}: write hosts as the job does",
                         host, job->source, same->second);
  }
  return std::nullopt;
}

}  // namespace mpisel
