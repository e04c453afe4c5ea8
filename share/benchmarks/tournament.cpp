// SPDX-License-Identifier: BSD-3-Clause
#include "tournament.hpp"

#include <algorithm>
#include <bit>

namespace benchmarks {

namespace {

/// Players that go round.
std::uint32_t circle(std::uint32_t n) { return n % 2 == 1 ? n : n - 1; }

}  // namespace

std::vector<std::uint32_t> rounds_of(std::uint32_t n) {
  if (n < 2) return {};
  const bool all = n <= kAllMeet;
  const std::size_t count =
      all ? circle(n) : std::max<std::size_t>(kAllMeet - 1, std::bit_width(n - 1));
  std::vector<std::uint32_t> rounds{0};
  for (std::uint64_t i = 1; !all && i < circle(n); i *= 2)
    rounds.push_back(static_cast<std::uint32_t>(i));
  for (std::uint32_t i = 1; rounds.size() < count; ++i)
    if (all || !std::has_single_bit(i)) rounds.push_back(i);
  rounds.resize(count);
  return rounds;
}

std::optional<std::uint32_t> partner_of(std::uint32_t player, std::uint32_t round,
                                        std::uint32_t n) {
  const std::uint64_t m = circle(n);
  // 2 i = round (mod m): (m + 1) / 2 is the inverse of 2.
  const auto itself = static_cast<std::uint32_t>(round * ((m + 1) / 2) % m);
  if (player == m) return itself;
  if (player == itself) return n % 2 == 1 ? std::nullopt : std::optional(n - 1);
  return static_cast<std::uint32_t>((round + m - player) % m);
}

}  // namespace benchmarks
