// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace core {

/// The whole text as a finite decimal number ("1e-3", "-2.5"; no sign '+', no hex, no blanks), or
/// nothing. The locale has no influence.
std::optional<double> parse_number(std::string_view text);

/// The whole text as decimal digits, at most `most`, or nothing.
std::optional<std::uint64_t> parse_count(std::string_view text, std::uint64_t most = UINT64_MAX);

/// The shortest decimal text that parse_number reads back to the same bits. x must be finite.
std::string print_number(double x);

/// Text of unknown origin made safe for a message: quoted, control characters escaped, shortened
/// beyond 60 bytes.
std::string quoted(std::string_view text);

}  // namespace core
