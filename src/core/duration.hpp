// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace core {

enum class BareNumber { seconds, refused };

/// Seconds of a duration, >= 0 and finite.
///
///     duration = units | clock | number
///     units    = 1*( number ( "ms" | "s" | "m" | "h" | "d" ) )     units descending, each once
///     clock    = MM:SS | HH:MM:SS | D-HH | D-HH:MM | D-HH:MM:SS    (Slurm's; the leading field
///                                                                   may exceed its usual range)
///
/// A bare number is seconds, or refused ("60 is minutes in Slurm: write 60m or 60s") for options
/// that mean what Slurm's --time means. Throws Error naming `what` (an option, or FILE:LINE).
double parse_duration(std::string_view text, std::string_view what,
                      BareNumber bare = BareNumber::seconds);

/// A duration for people, rounded: "12 us", "1.23 ms", "4.56 s", "2m30s", "1h05m", "3d04h".
std::string human_duration(double seconds);

}  // namespace core
