// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace core {

/// "1 run", "2 runs": for nouns whose plural takes an s.
std::string counted(std::uint64_t count, std::string_view noun);

}  // namespace core
