// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

/// What must hold for any input of a parser: it is refused with core::Error, or what it means is
/// printed and read again to the same. Each throws std::logic_error when that fails; shared by the
/// fuzz targets and the unit test that runs over the corpus.
namespace properties {

void hostlist(std::string_view text);
void times(std::string_view text);
void hostfile(std::string_view text);
void duration(std::string_view text);

}  // namespace properties
