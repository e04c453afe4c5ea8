// SPDX-License-Identifier: BSD-3-Clause
// Who meets whom: the circle method (E. Lucas, Recreations mathematiques II, 1883), in which the
// players i and j meet in the round (i + j) mod M, M = n for odd n. For even n the last player
// stands apart, M = n - 1, and meets the one who would meet itself. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace benchmarks {

/// Up to so many players all meet; of more, each has at least the partners that it had then.
inline constexpr std::uint32_t kAllMeet = 16;

/// The numbers of the rounds that n players play. Up to kAllMeet: all n - 1 (odd n: n, in each of
/// which another one rests), so that every pair meets once. More: as many as log2 n, at least
/// kAllMeet - 1, and those whose numbers are 0, the powers of two, and then 3, 5, 6, ...: from each
/// player a few meetings lead to every other, and there are odd circles of meetings, without which
/// what a player and what its partners are worth could not be told apart.
std::vector<std::uint32_t> rounds_of(std::uint32_t n);

/// The partner of a player in a round, a number of rounds_of(n); nothing for one who rests.
std::optional<std::uint32_t> partner_of(std::uint32_t player, std::uint32_t round, std::uint32_t n);

}  // namespace benchmarks
