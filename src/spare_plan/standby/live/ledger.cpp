// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/live/ledger.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/host_name.hpp"
#include "core/number.hpp"

namespace spare_plan::standby::live {
namespace {

constexpr Deed kDeeds[] = {Deed::stopping, Deed::off, Deed::waking, Deed::up, Deed::late};

std::optional<Deed> deed_of(std::string_view word) {
  for (const Deed deed : kDeeds)
    if (word == name_of(deed)) return deed;
  return std::nullopt;
}

/// The word up to the next blank, which is taken away with it.
std::string_view next_word(std::string_view& line) {
  const auto blank = line.find(' ');
  const auto word = line.substr(0, blank);
  line.remove_prefix(blank == line.npos ? line.size() : blank + 1);
  return word;
}

[[noreturn]] void wrong(const std::string& where, std::string_view line) {
  throw core::Error(fmt::format(
      "{}: {} is no line of a ledger, want TIME stopping|off|waking|up|late NODE or TIME keep N; "
      "repair or remove the file",
      where, core::quoted(line)));
}

[[noreturn]] void no_ledger(const std::string& where) {
  throw core::Error(where + ": no ledger, the first line is not '# launchwise-ledger: 1'");
}

std::string stamp(double time) { return fmt::format("{:.3f}", time); }

}  // namespace

const char* name_of(Deed deed) {
  switch (deed) {
    case Deed::stopping:
      return "stopping";
    case Deed::off:
      return "off";
    case Deed::waking:
      return "waking";
    case Deed::up:
      return "up";
    case Deed::late:
      return "late";
  }
  return "";
}

Ledger::Ledger(std::string_view text, const std::string& name) {
  std::size_t number = 0;
  for (std::size_t end = 0; (end = text.find('\n', whole_bytes_)) != text.npos;
       whole_bytes_ = end + 1) {
    const auto line = text.substr(whole_bytes_, end - whole_bytes_);
    const auto where = fmt::format("{}:{}", name, ++number);
    if (number == 1 && line != kLedgerTitle.substr(0, kLedgerTitle.size() - 1)) no_ledger(where);
    if (number > 1 && !line.empty()) take(line, where);
  }
  if (number == 0 && !kLedgerTitle.starts_with(text)) no_ledger(name + ":1");
}

void Ledger::take(std::string_view line, const std::string& where) {
  auto rest = line;
  const auto time = core::parse_number(next_word(rest));
  const auto word = next_word(rest);
  if (!time) wrong(where, line);
  if (word == "keep") {
    const auto nodes = core::parse_count(rest, UINT32_MAX);
    if (!nodes) wrong(where, line);
    return note_keep(*time, static_cast<std::uint32_t>(*nodes));
  }
  const auto deed = deed_of(word);
  if (!deed || !core::valid_host_name(rest)) wrong(where, line);
  note(*time, *deed, std::string(rest));
}

void Ledger::note(double time, Deed deed, const std::string& node) {
  last_.insert_or_assign(node, Entry{deed, time});
  if (deed == Deed::stopping || deed == Deed::waking) orders_.emplace_back(time, node);
}

void Ledger::note_keep(double time, std::uint32_t nodes) { keeps_.emplace_back(time, nodes); }

std::optional<Ledger::Entry> Ledger::last(const std::string& node) const {
  const auto found = last_.find(node);
  return found == last_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> Ledger::nodes() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : last_) names.push_back(name);
  return names;
}

std::optional<std::uint32_t> Ledger::largest_keep(double now, double hold) const {
  std::optional<std::uint32_t> largest;
  for (std::size_t i = 0; i < keeps_.size(); ++i)
    if (i + 1 == keeps_.size() || is_recent(keeps_[i + 1].first, now, hold))  // it held until then
      largest = std::max(largest.value_or(0), keeps_[i].second);
  return largest;
}

std::optional<std::uint32_t> Ledger::last_keep() const {
  return keeps_.empty() ? std::nullopt : std::optional(keeps_.back().second);
}

std::size_t Ledger::orders_within(double now, double seconds) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      orders_, [&](const auto& order) { return is_recent(order.first, now, seconds); }));
}

std::string Ledger::text_since(double recent) const {
  std::string text(kLedgerTitle);
  for (std::size_t i = 0; i < keeps_.size(); ++i)
    if (i + 1 == keeps_.size() || keeps_[i + 1].first >= recent)
      text += ledger_line(keeps_[i].first, keeps_[i].second);
  for (const auto& [time, node] : orders_)
    if (time >= recent) text += ledger_line(time, Deed::waking, node);
  for (const auto& [node, entry] : last_) text += ledger_line(entry.time, entry.deed, node);
  return text;
}

std::string ledger_line(double time, Deed deed, const std::string& node) {
  return fmt::format("{} {} {}\n", stamp(time), name_of(deed), node);
}

std::string ledger_line(double time, std::uint32_t keep) {
  return fmt::format("{} keep {}\n", stamp(time), keep);
}

namespace {

bool without_power(const Node& node) {
  return node.state == NodeState::off || node.state == NodeState::down;
}

void add_entry(Node& node, const Ledger::Entry& entry, double now, double boot_limit) {
  const bool boots = entry.deed == Deed::waking && is_recent(entry.time, now, boot_limit);
  const bool late = entry.deed == Deed::late || (entry.deed == Deed::waking && !boots);
  if (without_power(node)) {
    node.late = late;
    if (entry.deed != Deed::up) node.state = boots ? NodeState::booting : NodeState::off;
    if (!node.off_since && entry.deed != Deed::up) node.off_since = entry.time;
  } else if (node.state == NodeState::booting && late) {
    node.state = NodeState::down;
    node.why = "did not come up in time";
  }
  if (!node.booted && (entry.deed == Deed::waking || entry.deed == Deed::up))
    node.booted = entry.time;
}

}  // namespace

void add_ledger(Cluster& cluster, const Ledger& ledger, double now, double boot_limit) {
  for (auto& node : cluster.nodes)
    if (const auto entry = ledger.last(node.name)) add_entry(node, *entry, now, boot_limit);
}

}  // namespace spare_plan::standby::live
