// SPDX-License-Identifier: BSD-3-Clause
#include "core/times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <ostream>
#include <unordered_set>

#include "core/error.hpp"
#include "core/host_name.hpp"
#include "core/number.hpp"

namespace core {
namespace {

constexpr std::array<std::string_view, 5> kStatusNames{"ok", "timeout", "unreachable", "failed",
                                                       "wrong"};

std::string one_line(std::string_view text) {
  std::string out{text};
  std::ranges::replace_if(
      out, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return out;
}

std::string number_or_nothing(double x) { return std::isnan(x) ? "" : print_number(x); }

HostSlots parse_allocation_item(std::string_view item, const std::string& where) {
  const auto colon = item.find(':');
  HostSlots entry{std::string{item.substr(0, colon)}, 0};
  check_host_name(entry.host, where);
  if (colon == item.npos) return entry;
  entry.slots = parse_slots(item.substr(colon + 1), where + ": the allocation");
  return entry;
}

}  // namespace

std::string_view to_string(RowStatus status) {
  return kStatusNames[static_cast<std::size_t>(status)];
}

std::optional<RowStatus> row_status(std::string_view text) {
  const auto* const found = std::ranges::find(kStatusNames, text);
  if (found == kStatusNames.end()) return std::nullopt;
  return static_cast<RowStatus>(found - kStatusNames.begin());
}

std::optional<std::string_view> TimesBlock::value(std::string_view key) const {
  const auto found = std::ranges::find(metadata, key, &std::pair<std::string, std::string>::first);
  if (found == metadata.end()) return std::nullopt;
  return found->second;
}

std::vector<HostSlots> TimesBlock::allocation() const {
  auto text = value("allocation");
  std::vector<HostSlots> entries;
  if (!text || text->empty()) return entries;
  const std::string where = fmt::format("{}:{}", file, first_line);
  std::unordered_set<std::string> seen;
  for (std::string_view rest = *text;;) {
    const auto comma = rest.find(',');
    entries.push_back(parse_allocation_item(rest.substr(0, comma), where));
    if (!seen.insert(entries.back().host).second)
      throw Error(fmt::format("{}: the allocation holds {} twice", where, entries.back().host));
    if (entries.size() > kMaxHosts)
      throw Error(fmt::format("{}: the allocation holds more than {} hosts", where, kMaxHosts));
    if (comma == rest.npos) return entries;
    rest.remove_prefix(comma + 1);
  }
}

std::string_view TimesBlock::hardware_of(std::size_t host) const {
  return host < hardware.size() ? std::string_view(hardware[host]) : std::string_view();
}

void TimesBlock::set_hardware(std::size_t host, std::string_view text) {
  if (host >= hardware.size()) hardware.resize(std::max(hosts.size(), host + 1));
  hardware[host] = text;
}

void check_complete(std::span<const TimesBlock> blocks, const std::string& file) {
  for (const TimesBlock& block : blocks)
    if (block.incomplete())
      throw Error(fmt::format(
          "{}:{}: the table that begins here lacks its '# complete' line, so benchrun did not "
          "finish it; measure again, or remove these lines",
          block.file, block.first_line));
  if (std::ranges::all_of(blocks, [](const auto& block) { return block.rows.empty(); }))
    throw Error(fmt::format("{}: the table has no rows, so no host was measured", file));
}

void TimesWriter::begin(const std::vector<std::pair<std::string, std::string>>& metadata) {
  fmt::memory_buffer text;
  fmt::format_to(fmt::appender(text), "# launchwise-times: 1\n");
  for (const auto& [key, value] : metadata)
    fmt::format_to(fmt::appender(text), "# {}: {}\n", one_line(key), one_line(value));
  fmt::format_to(fmt::appender(text), "host,rank,run,bench,seconds,status{}{}{}\n",
                 columns_.split ? ",compute_seconds,mpi_seconds" : "", columns_.peer ? ",peer" : "",
                 columns_.hardware ? ",hardware" : "");
  out_.write(text.data(), static_cast<std::streamsize>(text.size())).flush();
  rows_ = 0;
}

void TimesWriter::hardware(std::string_view host, std::string_view text) {
  std::string field(text);
  std::ranges::replace_if(
      field,
      [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == ',' || c == '"';
      },
      ' ');
  hardware_.insert_or_assign(std::string(host), std::move(field));
}

std::string TimesWriter::take_hardware(std::string_view host) {
  const auto found = hardware_.find(host);
  return found == hardware_.end() ? "" : std::move(hardware_.extract(found).mapped());
}

void TimesWriter::row(std::string_view host, std::optional<std::uint32_t> rank, std::uint32_t run,
                      std::string_view bench, RowStatus status, double seconds, const Split& split,
                      std::string_view peer) {
  assert(valid_host_name(host) && !bench.empty());
  assert(status != RowStatus::ok || (rank && std::isfinite(seconds) && !std::signbit(seconds)));
  fmt::memory_buffer text;
  fmt::format_to(fmt::appender(text), "{},{},{},{},{},{}", host, rank ? std::to_string(*rank) : "",
                 run, bench, status == RowStatus::ok ? print_number(seconds) : "",
                 to_string(status));
  if (columns_.split)
    fmt::format_to(fmt::appender(text), ",{},{}", number_or_nothing(split.compute),
                   number_or_nothing(split.mpi));
  if (columns_.peer) fmt::format_to(fmt::appender(text), ",{}", peer);
  if (columns_.hardware) fmt::format_to(fmt::appender(text), ",{}", take_hardware(host));
  text.push_back('\n');
  out_.write(text.data(), static_cast<std::streamsize>(text.size()));
  ++rows_;
}

void TimesWriter::flush() { out_.flush(); }

void TimesWriter::end(double elapsed_seconds) {
  out_ << "# complete: rows=" << rows_ << " elapsed=" << print_number(elapsed_seconds) << '\n';
  out_.flush();
}

std::string print_allocation(const std::vector<HostSlots>& hosts) {
  std::string out;
  for (const auto& [host, slots] : hosts) {
    if (!out.empty()) out += ',';
    out += host;
    if (slots != 0) out += fmt::format(":{}", slots);
  }
  return out;
}

}  // namespace core
