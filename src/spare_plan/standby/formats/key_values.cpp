// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/formats/key_values.hpp"

#include <algorithm>

namespace spare_plan::standby {
namespace {

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// What a scheduler names things; other words with '=' are a part of a value.
bool is_key(std::string_view word) {
  return !word.empty() && is_letter(word.front()) && std::ranges::all_of(word, [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
}

std::uint64_t bit_of(std::string_view key) {
  const auto first = static_cast<unsigned char>(key.front());
  const auto last = static_cast<unsigned char>(key.back());
  return std::uint64_t{1} << ((first * 7 + last * 13 + key.size() * 29) % 64);
}

}  // namespace

bool KeyValues::add(std::string_view key, std::string_view value) {
  const auto bit = bit_of(key);
  if ((seen_ & bit) != 0 && std::ranges::find(pairs_, key, &Pair::key) != pairs_.end())
    return false;
  seen_ |= bit;
  pairs_.push_back({key, value});
  return true;
}

bool KeyValues::parse(std::string_view line) {
  pairs_.clear();
  seen_ = 0;
  while (!line.empty()) {
    const auto size = std::min(line.find(' '), line.size());
    const auto word = line.substr(0, size);
    line.remove_prefix(std::min(size + 1, line.size()));
    const auto equals = word.find('=');
    if (equals == word.npos || !is_key(word.substr(0, equals))) continue;
    if (!add(word.substr(0, equals), word.substr(equals + 1))) return false;
  }
  return true;
}

std::string_view KeyValues::value(std::string_view key) const {
  const auto found = std::ranges::find(pairs_, key, &Pair::key);
  return found == pairs_.end() ? std::string_view() : found->value;
}

}  // namespace spare_plan::standby
