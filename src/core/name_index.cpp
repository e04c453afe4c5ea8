// SPDX-License-Identifier: BSD-3-Clause
#include "core/name_index.hpp"

#include <cstring>

namespace core {
namespace {

std::uint64_t word_at(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

/// Eight bytes at a time, the last eight perhaps twice. Names are short, and no one gains by making
/// them collide.
std::uint64_t hash_of(std::string_view name) {
  std::uint64_t hash = name.size();
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  };
  if (name.size() < 8) {
    std::uint64_t word = 0;
    for (const char c : name) word = word << 8 | static_cast<unsigned char>(c);
    mix(word);
    return hash;
  }
  for (std::size_t at = 0; at + 8 < name.size(); at += 8) mix(word_at(name.data() + at));
  mix(word_at(name.data() + name.size() - 8));
  return hash;
}

}  // namespace

std::size_t NameIndex::find(std::string_view name, const std::vector<std::string>& names) {
  if (last_ < names.size() && names[last_] == name) return last_;
  for (std::size_t at = hash_of(name) & mask();; at = (at + 1) & mask()) {
    if (slots_[at] == 0) return kNowhere;
    if (names[slots_[at] - 1] == name) return last_ = slots_[at] - 1;
  }
}

std::size_t NameIndex::add(std::string_view name, std::vector<std::string>& names) {
  names.emplace_back(name);
  if (2 * names.size() > slots_.size()) {
    slots_.assign(2 * slots_.size(), 0);
    for (std::size_t i = 0; i + 1 < names.size(); ++i) place(i, names);
  }
  place(names.size() - 1, names);
  return names.size() - 1;
}

void NameIndex::place(std::size_t index, const std::vector<std::string>& names) {
  std::size_t at = hash_of(names[index]) & mask();
  while (slots_[at] != 0) at = (at + 1) & mask();
  slots_[at] = static_cast<std::uint32_t>(index + 1);
}

}  // namespace core
