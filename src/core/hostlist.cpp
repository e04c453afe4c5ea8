// SPDX-License-Identifier: BSD-3-Clause
#include "core/hostlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/error.hpp"
#include "core/host_name.hpp"
#include "core/number.hpp"

namespace core {
namespace {

struct Range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::size_t width = 0;
};

/// Literal text, then (unless at the item's end) a group of ranges.
struct Part {
  std::string_view text;
  std::vector<Range> ranges;
};

class Expander {
 public:
  Expander(std::string_view text, std::string_view where) : text_(text), where_(where) {}

  std::vector<std::string> expand() {
    if (text_.empty()) throw Error(fmt::format("{}: the host list is empty", where_));
    std::vector<std::vector<Part>> items;
    std::uint64_t hosts = 0;
    for (std::size_t begin = 0; begin <= text_.size();) {
      const std::size_t end = item_end(begin);
      items.push_back(parse_item(text_.substr(begin, end - begin)));
      hosts += count(items.back());
      if (hosts > kMaxHosts)
        fail(text_.substr(begin, end - begin),
             fmt::format("makes it more than {} hosts", kMaxHosts));
      begin = end + 1;
    }
    hosts_.reserve(hosts);
    std::string name;
    for (const auto& item : items) append_expanded(item, name);
    return std::move(hosts_);
  }

 private:
  [[noreturn]] void fail(std::string_view item, std::string_view what) const {
    throw Error(fmt::format("{}: {} in the host list {}", where_, quoted(item), what));
  }

  /// Where the item that begins at `begin` ends: at a comma outside of brackets.
  std::size_t item_end(std::size_t begin) const {
    bool inside = false;
    std::size_t at = begin;
    for (; at < text_.size() && (inside || text_[at] != ','); ++at) {
      if (text_[at] != '[' && text_[at] != ']') continue;
      const bool opens = text_[at] == '[';
      if (opens == inside)
        fail(text_.substr(begin, at + 1 - begin), opens ? "has nested brackets" : "lacks a [");
      inside = opens;
    }
    if (inside) fail(text_.substr(begin), "lacks a ]");
    return at;
  }

  Range parse_range(std::string_view item, std::string_view text) const {
    const auto dash = text.find('-');
    const auto low = text.substr(0, dash);
    const auto high = dash == text.npos ? low : text.substr(dash + 1);
    const auto first = parse_count(low);
    const auto last = parse_count(high);
    if (!first || !last)
      fail(item, fmt::format("has the range {}, want NUMBER or NUMBER-NUMBER", quoted(text)));
    if (*first > *last) fail(item, fmt::format("has the descending range {}", quoted(text)));
    return {*first, *last, low.size()};
  }

  std::vector<Part> parse_item(std::string_view item) const {
    if (item.empty())
      throw Error(fmt::format("{}: the host list {} has an empty item", where_, quoted(text_)));
    std::vector<Part> parts;
    std::string_view rest = item;
    for (auto open = rest.find('['); open != rest.npos; open = rest.find('[')) {
      Part part{rest.substr(0, open), {}};
      rest.remove_prefix(open + 1);
      std::string_view group = rest.substr(0, rest.find(']'));
      rest.remove_prefix(group.size() + 1);
      for (auto comma = group.find(','); comma != group.npos; comma = group.find(',')) {
        part.ranges.push_back(parse_range(item, group.substr(0, comma)));
        group.remove_prefix(comma + 1);
      }
      part.ranges.push_back(parse_range(item, group));
      parts.push_back(std::move(part));
    }
    if (!rest.empty()) parts.push_back({rest, {}});
    return parts;
  }

  /// Hosts that an item stands for, at most kMaxHosts + 1.
  static std::uint64_t count(std::span<const Part> item) {
    std::uint64_t product = 1;
    for (const Part& part : item) {
      std::uint64_t sum = part.ranges.empty() ? 1 : 0;
      for (const Range& range : part.ranges)
        sum = std::min<std::uint64_t>(
            sum + std::min<std::uint64_t>(range.last - range.first, kMaxHosts) + 1, kMaxHosts + 1);
      product = std::min<std::uint64_t>(product * sum, kMaxHosts + 1);
    }
    return product;
  }

  void append_expanded(std::span<const Part> parts, std::string& name) {
    // Too long is too long already here, which also bounds the recursion.
    if (parts.empty() || name.size() > kMaxHostNameBytes) check_host_name(name, where_);
    if (parts.empty()) {
      hosts_.push_back(name);
      return;
    }
    const std::size_t size_before = name.size();
    name += parts[0].text;
    if (parts[0].ranges.empty()) append_expanded(parts.subspan(1), name);
    const std::size_t size_with_text = name.size();
    for (const Range& range : parts[0].ranges) {
      if (range.width > kMaxHostNameBytes)
        fail(parts[0].text, fmt::format("is followed by a number of {} digits", range.width));
      for (std::uint64_t i = 0; i <= range.last - range.first; ++i) {
        fmt::format_to(std::back_inserter(name), "{:0{}}", range.first + i, range.width);
        append_expanded(parts.subspan(1), name);
        name.resize(size_with_text);
      }
    }
    name.resize(size_before);
  }

  std::string_view text_;
  std::string_view where_;
  std::vector<std::string> hosts_;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Host names prefix + number + suffix that differ in the number only.
struct Frame {
  std::string_view prefix;
  std::string_view suffix;

  /// The digits of `host` between prefix and suffix, or nothing when it does not fit.
  std::optional<std::string_view> number_in(std::string_view host) const {
    constexpr std::size_t kMostDigits = 18;
    if (host.size() <= prefix.size() + suffix.size() || !host.starts_with(prefix) ||
        !host.ends_with(suffix))
      return std::nullopt;
    const auto digits = host.substr(prefix.size(), host.size() - prefix.size() - suffix.size());
    if (digits.size() > kMostDigits || !std::ranges::all_of(digits, is_digit)) return std::nullopt;
    return digits;
  }
};

/// The frame in which a differs from b. Where nothing differs: around the last number.
std::optional<Frame> common_frame(std::string_view a, std::string_view b) {
  std::size_t begin = 0;
  std::size_t end = a.size();
  if (a == b) {
    while (end > 0 && !is_digit(a[end - 1])) --end;
    begin = end;
  } else {
    const std::size_t least = std::min(a.size(), b.size());
    while (begin < least && a[begin] == b[begin]) ++begin;
    std::size_t same_end = 0;
    while (same_end < least - begin && a[a.size() - 1 - same_end] == b[b.size() - 1 - same_end])
      ++same_end;
    end = a.size() - same_end;
    while (end < a.size() && is_digit(a[end])) ++end;
  }
  while (begin > 0 && is_digit(a[begin - 1])) --begin;
  if (begin >= end) return std::nullopt;
  const Frame frame{a.substr(0, begin), a.substr(end)};
  if (!frame.number_in(a) || !frame.number_in(b)) return std::nullopt;
  return frame;
}

/// "01-04,7" for the numbers of hosts in that frame.
std::string print_numbers(std::span<const std::string> hosts, const Frame& frame) {
  std::string out;
  for (std::size_t i = 0; i < hosts.size();) {
    const std::string_view first = *frame.number_in(hosts[i]);
    const std::uint64_t low = *parse_count(first);
    std::size_t next = i + 1;
    while (next < hosts.size() &&
           *frame.number_in(hosts[next]) == fmt::format("{:0{}}", low + (next - i), first.size()))
      ++next;
    if (!out.empty()) out += ',';
    out += first;
    if (next - i > 1) {
      out += '-';
      out += *frame.number_in(hosts[next - 1]);
    }
    i = next;
  }
  return out;
}

}  // namespace

std::vector<std::string> parse_hostlist(std::string_view text, std::string_view where) {
  return Expander(text, where).expand();
}

std::string print_hostlist(std::span<const std::string> hosts) {
  std::string out;
  for (std::size_t i = 0; i < hosts.size();) {
    if (!out.empty()) out += ',';
    const auto frame = i + 1 < hosts.size() ? common_frame(hosts[i], hosts[i + 1]) : std::nullopt;
    if (!frame) {
      out += hosts[i++];
      continue;
    }
    const std::size_t first = i;
    while (i < hosts.size() && frame->number_in(hosts[i])) ++i;
    out += fmt::format("{}[{}]{}", frame->prefix,
                       print_numbers(hosts.subspan(first, i - first), *frame), frame->suffix);
  }
  return out;
}

}  // namespace core
