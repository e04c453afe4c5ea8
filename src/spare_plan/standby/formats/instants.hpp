// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string_view>

namespace spare_plan::standby {

/// Seconds since 1970 of an instant: a number of seconds, "2026-12-01T16:00:00" or
/// "Tue Dec  1 16:00:00 2026". What has no zone is read as UTC: only differences count. Nothing for
/// other text ("Unknown", "None", "").
std::optional<double> parse_instant(std::string_view text);

/// Seconds of "HH:MM:SS", "D-HH:MM:SS" and the like, or of a bare number. Nothing for other text.
std::optional<double> parse_clock(std::string_view text);

}  // namespace spare_plan::standby
