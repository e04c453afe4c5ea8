// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/give_back.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/host_name.hpp"
#include "core/hostlist.hpp"

namespace mpisel {
namespace {

std::string replaced(std::string word, std::string_view mark, const std::string& text) {
  const auto place = word.find(mark);
  return place == word.npos ? word : word.replace(place, mark.size(), text);
}

/// Slurm's notation for a number a node: "2(x3),1".
std::string print_per_node(std::span<const unsigned> values) {
  std::vector<std::string> items;
  for (auto first = values.begin(); first != values.end();) {
    const auto last = std::find_if(first, values.end(), [&](unsigned v) { return v != *first; });
    items.push_back(last - first == 1 ? fmt::to_string(*first)
                                      : fmt::format("{}(x{})", *first, last - first));
    first = last;
  }
  return fmt::format("{}", fmt::join(items, ","));
}

/// The numbers of the kept hosts, in their order; empty unless all are known.
std::vector<unsigned> numbers_of(std::span<const std::string> kept,
                                 const std::unordered_map<std::string_view, unsigned>& numbers) {
  std::vector<unsigned> values;
  for (const std::string& host : kept) {
    const auto found = numbers.find(host);
    if (found == numbers.end() || found->second == 0) return {};
    values.push_back(found->second);
  }
  return values;
}

}  // namespace

Shrink plan_shrink(std::span<const std::string> held, std::span<const core::HostSlots> chosen,
                   std::span<const std::string> launch) {
  std::unordered_set<std::string_view> wanted, bound;
  for (const core::HostSlots& host : chosen) wanted.insert(host.host);
  for (const std::string& host : launch) bound.insert(core::first_label(host));
  Shrink shrink;
  if (std::ranges::none_of(held, [&](const auto& host) { return wanted.contains(host); })) {
    shrink.kept.assign(held.begin(), held.end());
    return shrink;
  }
  for (const std::string& host : held) {
    const bool is_chosen = wanted.contains(host);
    const bool must_stay = !is_chosen && bound.contains(core::first_label(host));
    if (must_stay) shrink.stay.push_back(host);
    (is_chosen || must_stay ? shrink.kept : shrink.given).push_back(host);
  }
  return shrink;
}

std::vector<std::string> shrink_command(const core::Scheduler& scheduler, const std::string& job_id,
                                        const Shrink& shrink) {
  std::vector<std::string> command;
  for (const std::string_view word : scheduler.give_back) {
    if (word == "{given}")
      command.insert(command.end(), shrink.given.begin(), shrink.given.end());
    else
      command.push_back(replaced(replaced(std::string(word), "{job}", job_id), "{kept}",
                                 core::print_hostlist(shrink.kept)));
  }
  return command;
}

std::string as_shell_text(std::span<const std::string> command) {
  std::vector<std::string> words;
  for (const std::string& word : command)
    words.push_back(word.find('[') == word.npos ? word : fmt::format("'{}'", word));
  return fmt::format("{}", fmt::join(words, " "));
}

std::vector<std::pair<std::string, std::optional<std::string>>> shrunk_environment(
    const core::Environment& environment, const core::Allocation& job,
    std::span<const std::string> kept) {
  std::unordered_map<std::string_view, unsigned> slots, cpus;
  for (std::size_t i = 0; i < job.hosts.size(); ++i) {
    slots[job.hosts[i].host] = job.hosts[i].slots;
    if (!job.cpus.empty()) cpus[job.hosts[i].host] = job.cpus[i];
  }
  std::vector<std::pair<std::string, std::optional<std::string>>> changes;
  const auto change = [&](const char* name, const std::string& value) {
    if (environment(name) && !value.empty()) changes.emplace_back(name, value);
  };
  const std::string list = core::print_hostlist(kept);
  change("SLURM_JOB_NODELIST", list);
  change("SLURM_NODELIST", list);
  change("SLURM_JOB_NUM_NODES", fmt::to_string(kept.size()));
  change("SLURM_NNODES", fmt::to_string(kept.size()));
  change("SLURM_TASKS_PER_NODE", print_per_node(numbers_of(kept, slots)));
  change("SLURM_JOB_CPUS_PER_NODE", print_per_node(numbers_of(kept, cpus)));
  return changes;
}

}  // namespace mpisel
