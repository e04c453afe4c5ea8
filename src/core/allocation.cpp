// SPDX-License-Identifier: BSD-3-Clause
#include "core/allocation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "core/host_name.hpp"
#include "core/hostlist.hpp"
#include "core/number.hpp"
#include "core/process.hpp"
#include "core/schedulers.hpp"

namespace core {
namespace {

/// Hosts in order of first appearance; a host's slots add up.
class Hosts {
 public:
  void add(std::string_view host, unsigned slots, std::string_view where) {
    check_host_name(host, where);
    const auto [found, is_new] = index_.try_emplace(std::string{host}, hosts_.size());
    if (is_new) hosts_.push_back({std::string{host}, 0});
    HostSlots& entry = hosts_[found->second];
    if (hosts_.size() > kMaxHosts || entry.slots + std::uint64_t{slots} > kMaxSlots)
      throw Error(fmt::format("{}: more than {} hosts, or slots of one host", where, kMaxHosts));
    entry.slots += slots;
  }
  std::vector<HostSlots> finish(std::string_view source) {
    if (hosts_.empty()) throw Error(fmt::format("{}: there is no host in it", source));
    return std::move(hosts_);
  }

 private:
  std::vector<HostSlots> hosts_;
  std::unordered_map<std::string, std::size_t> index_;
};

std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<std::string_view> words;
  for (auto begin = text.find_first_not_of(kBlanks); begin != text.npos;
       begin = text.find_first_not_of(kBlanks)) {
    text.remove_prefix(begin);
    words.push_back(text.substr(0, text.find_first_of(kBlanks)));
    text.remove_prefix(words.back().size());
  }
  return words;
}

/// Calls visit(words, "VARIABLE (FILE:LINE)") for each line of the variable's file that has words.
template <typename Visit>
void for_each_line(std::string_view variable, const std::string& path, Visit visit) {
  std::string text;
  try {
    text = read_file(path);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", variable, error.what()));
  }
  std::size_t number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    ++number;
    const auto words = words_of(line);
    if (!words.empty()) visit(words, fmt::format("{} ({}:{})", variable, path, number));
  }
}

/// A file with a line per slot (PBS, LSF).
std::vector<HostSlots> read_slot_lines(std::string_view variable, const std::string& path) {
  Hosts hosts;
  for_each_line(variable, path,
                [&](std::span<const std::string_view> words, const std::string& where) {
                  if (words.size() != 1)
                    throw Error(fmt::format("{}: {} words, want one host", where, words.size()));
                  hosts.add(words[0], 1, where);
                });
  return hosts.finish(fmt::format("{} ({})", variable, path));
}

/// Slurm's "2(x3),1": one number a host, for the first `count` hosts.
std::vector<unsigned> parse_per_node(std::string_view text, std::string_view where,
                                     std::size_t count) {
  std::vector<unsigned> values;
  for (std::string_view rest = text; values.size() < count;) {
    std::string_view item = rest.substr(0, rest.find(','));
    const bool is_last = item.size() == rest.size();
    rest.remove_prefix(std::min(item.size() + 1, rest.size()));
    std::size_t repeat = 1;
    if (const auto open = item.find("(x"); open != item.npos && item.ends_with(')')) {
      const auto times = parse_count(item.substr(open + 2, item.size() - open - 3));
      if (!times || *times == 0)
        throw Error(fmt::format("{}: {} is not NUMBER or NUMBER(xTIMES)", where, quoted(item)));
      repeat = std::min<std::uint64_t>(*times, count - values.size());
      item = item.substr(0, open);
    }
    values.insert(values.end(), repeat, parse_slots(item, where));
    if (is_last && values.size() < count)
      throw Error(fmt::format("{}: {} tells about {} of {} hosts", where, quoted(text),
                              values.size(), count));
  }
  return values;
}

/// The variable's value unless it is not set or empty.
std::optional<std::string> value_of(const Environment& environment, const std::string& name) {
  auto value = environment(name);
  if (value && value->empty()) value.reset();
  return value;
}

Allocation allocation_from(std::string source, std::vector<HostSlots> hosts) {
  Allocation found;
  found.source = std::move(source);
  found.hosts = std::move(hosts);
  return found;
}

std::optional<Allocation> from_slurm(const Environment& environment) {
  const auto list = value_of(environment, "SLURM_JOB_NODELIST");
  if (!value_of(environment, "SLURM_JOB_ID") || !list) return std::nullopt;
  Allocation found = allocation_from("SLURM_JOB_NODELIST", {});
  for (std::string& host : parse_hostlist(*list, found.source))
    found.hosts.push_back({std::move(host), 0});
  const std::size_t count = found.hosts.size();
  if (const auto cpus = value_of(environment, "SLURM_JOB_CPUS_PER_NODE"))
    found.cpus = parse_per_node(*cpus, "SLURM_JOB_CPUS_PER_NODE", count);
  if (const auto tasks = value_of(environment, "SLURM_TASKS_PER_NODE")) {
    const auto slots = parse_per_node(*tasks, "SLURM_TASKS_PER_NODE", count);
    for (std::size_t i = 0; i < count; ++i) found.hosts[i].slots = slots[i];
  } else if (!found.cpus.empty()) {
    const auto per_task = value_of(environment, "SLURM_CPUS_PER_TASK");
    const unsigned cpus = per_task ? parse_slots(*per_task, "SLURM_CPUS_PER_TASK") : 1;
    for (std::size_t i = 0; i < count; ++i)
      found.hosts[i].slots = std::max(found.cpus[i] / cpus, 1U);
  }
  return found;
}

std::optional<Allocation> from_pbs(const Environment& environment) {
  const auto path = value_of(environment, "PBS_NODEFILE");
  if (!path) return std::nullopt;
  return allocation_from("PBS_NODEFILE", read_slot_lines("PBS_NODEFILE", *path));
}

std::optional<Allocation> from_lsf(const Environment& environment) {
  if (!value_of(environment, "LSB_JOBID")) return std::nullopt;
  if (const auto path = value_of(environment, "LSB_DJOB_HOSTFILE"))
    return allocation_from("LSB_DJOB_HOSTFILE", read_slot_lines("LSB_DJOB_HOSTFILE", *path));
  Hosts hosts;
  if (const auto text = value_of(environment, "LSB_MCPU_HOSTS")) {
    const auto words = words_of(*text);
    if (words.size() % 2 != 0)
      throw Error(
          fmt::format("LSB_MCPU_HOSTS: {} lacks the slots of the last host", quoted(*text)));
    for (std::size_t i = 0; i < words.size(); i += 2)
      hosts.add(words[i], parse_slots(words[i + 1], "LSB_MCPU_HOSTS"), "LSB_MCPU_HOSTS");
    return allocation_from("LSB_MCPU_HOSTS", hosts.finish("LSB_MCPU_HOSTS"));
  }
  if (const auto text = value_of(environment, "LSB_HOSTS")) {
    for (const std::string_view host : words_of(*text)) hosts.add(host, 1, "LSB_HOSTS");
    return allocation_from("LSB_HOSTS", hosts.finish("LSB_HOSTS"));
  }
  return std::nullopt;
}

std::optional<Allocation> from_sge(const Environment& environment) {
  const auto path = value_of(environment, "PE_HOSTFILE");
  if (!path) return std::nullopt;
  Hosts hosts;
  for_each_line("PE_HOSTFILE", *path,
                [&](std::span<const std::string_view> words, const std::string& where) {
                  if (words.size() < 2)
                    throw Error(fmt::format("{}: one word, want HOST SLOTS QUEUE RANGE", where));
                  hosts.add(words[0], parse_slots(words[1], where), where);
                });
  return allocation_from("PE_HOSTFILE", hosts.finish(fmt::format("PE_HOSTFILE ({})", *path)));
}

/// A batch script of Flux is no task of a job but the first program of an instance of its own,
/// where FLUX_JOB_ID is not set: flux-environment(7).
std::optional<Allocation> from_flux(const Environment& environment) {
  constexpr double kTimeoutSeconds = 10;
  const auto job = value_of(environment, "FLUX_JOB_ID");
  const auto instance = value_of(environment, "FLUX_ENCLOSING_ID");
  if (!job && !instance) return std::nullopt;
  const std::vector<std::string> asked =
      job ? std::vector<std::string>{"flux", "hostlist", "local"}
          : std::vector<std::string>{"flux", "getattr", "hostlist"};
  const std::string command = fmt::format("{}", fmt::join(asked, " "));
  const Captured captured = capture(asked, kTimeoutSeconds, 64 << 20);
  if (captured.status != 0)
    throw Error(fmt::format("{} is set, but '{}' ended with status {}",
                            job ? "FLUX_JOB_ID" : "FLUX_ENCLOSING_ID", command, captured.status));
  const std::string_view out = captured.out;
  Hosts hosts;
  for (const std::string& host : parse_hostlist(out.substr(0, out.find('\n')), command))
    hosts.add(host, 0, command);
  Allocation found = allocation_from(command, hosts.finish(command));
  found.job_id = job ? *job : *instance;
  return found;
}

bool is_ipv4(std::string_view host) {
  return host.find_first_not_of("0123456789.") == host.npos && std::ranges::count(host, '.') == 3;
}

}  // namespace

std::optional<Allocation> find_allocation(const Environment& environment) {
  using Finder = std::optional<Allocation> (*)(const Environment&);
  // In the order of schedulers().
  constexpr Finder kFinders[] = {from_slurm, from_pbs, from_lsf, from_sge, from_flux};
  for (std::size_t i = 0; i < std::size(kFinders); ++i) {
    auto found = kFinders[i](environment);
    if (!found) continue;
    found->scheduler = schedulers()[i].name;
    if (found->job_id.empty())
      found->job_id = environment(std::string{schedulers()[i].job_id}).value_or("");
    return found;
  }
  return std::nullopt;
}

void check_first_labels(const std::vector<HostSlots>& hosts) {
  std::unordered_map<std::string_view, std::string_view> host_of_label;
  for (const HostSlots& entry : hosts) {
    if (is_ipv4(entry.host)) continue;
    const auto [found, is_new] = host_of_label.try_emplace(first_label(entry.host), entry.host);
    if (!is_new && found->second != entry.host)
      throw Error(
          fmt::format("{} and {} begin with the same label, Open MPI 4 takes them for one "
                      "node: leave one of them out, or use names that differ before the "
                      "first dot",
                      found->second, entry.host));
  }
}

}  // namespace core
