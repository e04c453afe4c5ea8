// SPDX-License-Identifier: BSD-3-Clause
#include "core/number.hpp"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>

namespace core {

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_count(std::string_view text, std::uint64_t most) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value > most) return std::nullopt;
  return value;
}

std::string print_number(double x) {
  assert(std::isfinite(x));
  std::array<char, 32> text;
  const auto [stop, error] = std::to_chars(text.data(), text.data() + text.size(), x);
  assert(error == std::errc{});
  return {text.data(), stop};
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kMostBytes = 60;
  std::string out = "'";
  for (const char c : text.substr(0, kMostBytes)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\'' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte >= 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + (text.size() > kMostBytes ? "'..." : "'");
}

}  // namespace core
