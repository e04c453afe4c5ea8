// SPDX-License-Identifier: BSD-3-Clause
#include "core/hostfile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <istream>
#include <ostream>
#include <unordered_map>
#include <utility>

#include "core/error.hpp"
#include "core/host_name.hpp"
#include "core/hostlist.hpp"
#include "core/number.hpp"

namespace core {
namespace {

constexpr std::array<std::pair<std::string_view, HostfileFormat>, 7> kFormats{{
    {"openmpi", HostfileFormat::openmpi},
    {"mpich", HostfileFormat::mpich},
    {"intel", HostfileFormat::mpich},
    {"rankfile", HostfileFormat::rankfile},
    {"slurm-hostfile", HostfileFormat::slurm_hostfile},
    {"slurm-nodelist", HostfileFormat::slurm_nodelist},
    {"plain", HostfileFormat::plain},
}};

/// The line up to a comment.
std::string_view without_comment(std::string_view line) {
  return line.substr(0, std::min(line.find('#'), line.find("//")));
}

/// Words between blanks; '=' is a word of its own.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  constexpr std::string_view kEnds = " \t=";
  while (!line.empty()) {
    if (line[0] == ' ' || line[0] == '\t') {
      line.remove_prefix(1);
      continue;
    }
    const std::size_t size = line[0] == '=' ? 1 : std::min(line.find_first_of(kEnds), line.size());
    words.push_back(line.substr(0, size));
    line.remove_prefix(size);
  }
  return words;
}

/// One line's host; slots 0 where it tells none.
HostSlots parse_line(std::span<const std::string_view> words, const std::string& where) {
  HostSlots entry;
  std::string_view host = words[0];
  if (const auto at = host.find('@'); at != host.npos) {
    check_host_name(host.substr(0, at), where + ": user before @");
    host.remove_prefix(at + 1);
  }
  if (const auto colon = host.find(':'); colon != host.npos) {
    entry.slots = parse_slots(host.substr(colon + 1), where);
    host = host.substr(0, colon);
  }
  check_host_name(host, where);
  entry.host = host;
  for (std::size_t i = 1; i < words.size(); i += 3) {
    const bool is_slots = words[i] == "slots";
    if ((!is_slots && words[i] != "max_slots" && words[i] != "max-slots") ||
        i + 2 >= words.size() || words[i + 1] != "=")
      throw Error(
          fmt::format("{}: {} after the host, want slots=K or max_slots=K, or the line to "
                      "be HOST or HOST:K",
                      where, quoted(words[i])));
    const unsigned slots = parse_slots(words[i + 2], where);
    if (!is_slots) continue;
    if (entry.slots != 0) throw Error(fmt::format("{}: the slots are given twice", where));
    entry.slots = slots;
  }
  return entry;
}

/// Collects lines; a host's lines add up.
class Collector {
 public:
  void add(HostSlots entry, const std::string& where) {
    const auto [found, is_new] = index_.try_emplace(entry.host, entries_.size());
    if (is_new) {
      if (entries_.size() == kMaxHosts)
        throw Error(fmt::format("{}: more than {} hosts", where, kMaxHosts));
      entries_.push_back({std::move(entry.host), entry.slots});
      bare_lines_.push_back(entry.slots == 0 ? 1 : 0);
      return;
    }
    repeated_ = true;
    HostSlots& sum = entries_[found->second];
    sum.slots += entry.slots;
    bare_lines_[found->second] += entry.slots == 0 ? 1 : 0;
    if (std::uint64_t{sum.slots} + bare_lines_[found->second] > kMaxSlots)
      throw Error(fmt::format("{}: {} has more than {} slots", where, sum.host, kMaxSlots));
  }

  std::vector<HostSlots> finish(std::string_view name) {
    if (entries_.empty()) throw Error(fmt::format("{}: there is no host in it", name));
    if (repeated_)
      for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i].slots += bare_lines_[i];
    return std::move(entries_);
  }

 private:
  std::vector<HostSlots> entries_;
  std::vector<unsigned> bare_lines_;
  std::unordered_map<std::string, std::size_t> index_;
  bool repeated_ = false;
};

}  // namespace

unsigned parse_slots(std::string_view text, std::string_view where) {
  const auto slots = parse_count(text, kMaxSlots);
  if (!slots || *slots == 0)
    throw Error(
        fmt::format("{}: {} is not a number of slots (1 to {})", where, quoted(text), kMaxSlots));
  return static_cast<unsigned>(*slots);
}

std::optional<HostfileFormat> hostfile_format(std::string_view name) {
  const auto* const found =
      std::ranges::find(kFormats, name, &std::pair<std::string_view, HostfileFormat>::first);
  if (found == kFormats.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> hostfile_format_names() {
  std::vector<std::string> names;
  for (const auto& [name, format] : kFormats) names.emplace_back(name);
  return names;
}

bool keeps_order(HostfileFormat format) {
  return format == HostfileFormat::rankfile || format == HostfileFormat::slurm_hostfile;
}

std::vector<HostSlots> read_hostfile(std::istream& in, std::string_view name) {
  Collector collector;
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    const std::string where = fmt::format("{}:{}", name, number);
    if (line.find('\r') != line.npos)
      throw Error(
          fmt::format("{}: a carriage return (Windows line ends): remove them with "
                      "sed -i 's/\\r$//'",
                      where));
    const auto words = words_of(without_comment(line));
    if (!words.empty()) collector.add(parse_line(words, where), where);
  }
  if (in.bad()) throw Error(fmt::format("{}: cannot be read", name));
  return collector.finish(name);
}

void write_hostfile(std::ostream& out, std::span<const HostSlots> hosts, HostfileFormat format) {
  assert(!hosts.empty());
  if (format == HostfileFormat::slurm_nodelist) {
    std::vector<std::string> names;
    for (const HostSlots& entry : hosts) names.push_back(entry.host);
    out << print_hostlist(names) << '\n';
    return;
  }
  std::size_t rank = 0;
  for (const auto& [host, known_slots] : hosts) {
    const unsigned slots = std::max(known_slots, 1U);
    switch (format) {
      case HostfileFormat::openmpi:
        out << host << " slots=" << slots << '\n';
        break;
      case HostfileFormat::mpich:
        out << host << ':' << slots << '\n';
        break;
      case HostfileFormat::rankfile:
        for (unsigned slot = 0; slot < slots; ++slot)
          out << "rank " << rank++ << '=' << host << " slot=" << slot << '\n';
        break;
      case HostfileFormat::slurm_hostfile:
        for (unsigned slot = 0; slot < slots; ++slot) out << host << '\n';
        break;
      case HostfileFormat::slurm_nodelist:
      case HostfileFormat::plain:
        out << host << '\n';
        break;
    }
  }
}

}  // namespace core
