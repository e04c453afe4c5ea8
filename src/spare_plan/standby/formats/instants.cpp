// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/formats/instants.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "core/duration.hpp"
#include "core/error.hpp"
#include "core/number.hpp"

namespace spare_plan::standby {
namespace {

struct Civil {
  std::uint64_t year, month, day, hour, minute, second;
};

std::optional<double> seconds_of(const Civil& civil) {
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(civil.year)),
                                         std::chrono::month(static_cast<unsigned>(civil.month)),
                                         std::chrono::day(static_cast<unsigned>(civil.day))};
  if (!date.ok() || civil.hour > 23 || civil.minute > 59 || civil.second > 60) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return static_cast<double>(days) * 86400 +
         static_cast<double>(civil.hour * 3600 + civil.minute * 60 + civil.second);
}

/// Takes a number of up to `width` digits off the front, and the character `end` behind it unless
/// that is NUL.
bool take(std::string_view& text, std::size_t width, char end, std::uint64_t& value) {
  auto size = std::min(text.find_first_not_of("0123456789"), text.size());
  if (size == 0 || size > width) return false;
  value = *core::parse_count(text.substr(0, size));
  if (end != '\0' && (size == text.size() || text[size] != end)) return false;
  if (end != '\0') ++size;
  text.remove_prefix(size);
  return true;
}

std::optional<double> parse_iso(std::string_view text) {
  Civil civil{};
  const bool whole = take(text, 4, '-', civil.year) && take(text, 2, '-', civil.month) &&
                     take(text, 2, 'T', civil.day) && take(text, 2, ':', civil.hour) &&
                     take(text, 2, ':', civil.minute) && take(text, 2, '\0', civil.second);
  return whole && text.empty() ? seconds_of(civil) : std::nullopt;
}

/// As ctime(3) writes it, with the day of the week or without.
std::optional<double> parse_ctime(std::string_view text) {
  constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (text.size() < 8) return std::nullopt;
  if (text[3] == ' ' && std::ranges::find(kMonths, text.substr(0, 3)) == kMonths.end())
    text.remove_prefix(4);
  const auto* const month = std::ranges::find(kMonths, text.substr(0, 3));
  if (month == kMonths.end()) return std::nullopt;
  text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  Civil civil{};
  civil.month = static_cast<std::uint64_t>(month - kMonths.begin()) + 1;
  const bool whole = take(text, 2, ' ', civil.day) && take(text, 2, ':', civil.hour) &&
                     take(text, 2, ':', civil.minute) && take(text, 2, ' ', civil.second) &&
                     take(text, 4, '\0', civil.year);
  return whole && text.empty() ? seconds_of(civil) : std::nullopt;
}

}  // namespace

std::optional<double> parse_instant(std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (const auto number = core::parse_number(text)) return number;
  if (const auto iso = parse_iso(text)) return iso;
  return parse_ctime(text);
}

std::optional<double> parse_clock(std::string_view text) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  try {
    return core::parse_duration(text, "");
  } catch (const core::Error&) {
    return std::nullopt;
  }
}

}  // namespace spare_plan::standby
