// SPDX-License-Identifier: BSD-3-Clause
#include "core/duration.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/error.hpp"
#include "core/number.hpp"

namespace core {
namespace {

struct Unit {
  std::string_view name;
  double seconds;
};
// Descending; "ms" after "m" is told apart by the longest match.
constexpr std::array<Unit, 5> kUnits{
    {{"d", 86400}, {"h", 3600}, {"m", 60}, {"s", 1}, {"ms", 1e-3}}};

/// The rank in kUnits of the unit that begins `text`, or nothing.
std::optional<std::size_t> leading_unit(std::string_view text) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < kUnits.size(); ++i)
    if (text.starts_with(kUnits[i].name) &&
        (!found || kUnits[i].name.size() > kUnits[*found].name.size()))
      found = i;
  return found;
}

bool begins_number(std::string_view text) {
  return !text.empty() && ((text[0] >= '0' && text[0] <= '9') || text[0] == '.');
}

std::optional<double> parse_units(std::string_view text) {
  double seconds = 0;
  std::size_t smallest_allowed = 0;
  while (!text.empty()) {
    if (!begins_number(text)) return std::nullopt;
    double number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    const auto unit = leading_unit(text);
    if (!unit || *unit < smallest_allowed) return std::nullopt;
    smallest_allowed = *unit + 1;
    text.remove_prefix(kUnits[*unit].name.size());
    // Dividing keeps "100ms" the same double as 0.1.
    seconds += kUnits[*unit].name == "ms" ? number / 1000 : number * kUnits[*unit].seconds;
  }
  return seconds;
}

/// A field of a clock: digits; but for the leading one, at most two of them and below `limit`.
std::optional<double> clock_field(std::string_view text, bool leading, std::uint64_t limit) {
  constexpr std::uint64_t kMostLeading = 1'000'000'000;
  if (!leading && text.size() > 2) return std::nullopt;
  const auto value = parse_count(text, leading ? kMostLeading : limit - 1);
  if (!value) return std::nullopt;
  return static_cast<double>(*value);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (auto at = text.find(separator); at != text.npos; at = text.find(separator)) {
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + 1);
  }
  parts.push_back(text);
  return parts;
}

/// MM:SS | HH:MM:SS | D-HH | D-HH:MM | D-HH:MM:SS
std::optional<double> parse_clock(std::string_view text) {
  double seconds = 0;
  const auto dash = text.find('-');
  const bool has_days = dash != text.npos;
  if (has_days) {
    const auto days = clock_field(text.substr(0, dash), true, 0);
    if (!days) return std::nullopt;
    seconds = *days * 86400;
    text.remove_prefix(dash + 1);
  }
  const auto fields = split(text, ':');
  if (fields.size() > 3 || (fields.size() < 2 && !has_days)) return std::nullopt;
  const std::size_t first_unit = has_days ? 1 : 4 - fields.size();  // in kUnits: h, m, s
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Unit& unit = kUnits[first_unit + i];
    const auto value = clock_field(fields[i], i == 0 && !has_days, unit.name == "h" ? 24 : 60);
    if (!value) return std::nullopt;
    seconds += *value * unit.seconds;
  }
  return seconds;
}

}  // namespace

double parse_duration(std::string_view text, std::string_view what, BareNumber bare) {
  std::optional<double> seconds;
  if (begins_number(text)) {
    seconds = parse_number(text);
    if (seconds && bare == BareNumber::refused)
      throw Error(
          fmt::format("{}: {} is minutes in Slurm: write {}m or {}s", what, text, text, text));
    if (!seconds) seconds = parse_units(text);
    if (!seconds) seconds = parse_clock(text);
  }
  if (!seconds || !std::isfinite(*seconds))
    throw Error(
        fmt::format("{}: {} is not a duration such as 90s, 1.5h, 2m30s, 10:00 (MM:SS), "
                    "1:30:00 (HH:MM:SS) or 1-12 (days-hours)",
                    what, quoted(text)));
  return *seconds;
}

std::string human_duration(double seconds) {
  if (!std::isfinite(seconds)) return fmt::format("{} s", seconds);
  if (seconds < 0) return "-" + human_duration(-seconds);
  // Each border is where the smaller notation would round up to the larger unit.
  if (seconds == 0) return "0 s";
  if (seconds < 999.5e-6) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 0.9995) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 59.95) return fmt::format("{:.3g} s", seconds);
  const double whole = std::round(seconds);
  if (whole < 3600)
    return fmt::format("{:.0f}m{:02.0f}s", std::floor(whole / 60), std::fmod(whole, 60));
  const double minutes = std::round(seconds / 60);
  if (minutes < 24 * 60)
    return fmt::format("{:.0f}h{:02.0f}m", std::floor(minutes / 60), std::fmod(minutes, 60));
  const double hours = std::round(seconds / 3600);
  return fmt::format("{:.0f}d{:02.0f}h", std::floor(hours / 24), std::fmod(hours, 24));
}

}  // namespace core
