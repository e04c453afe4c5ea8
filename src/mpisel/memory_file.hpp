// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace mpisel {

/// Puts the text into a nameless file in memory that the program which this process becomes can
/// read, and returns a path to it (/proc/self/fd/N). It vanishes with the last process that has it
/// open. Throws Error when that cannot be done.
std::string keep_in_memory(std::string_view text);

}  // namespace mpisel
