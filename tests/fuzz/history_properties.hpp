// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

/// The same as properties.hpp, for the histories of jobs of spare-plan standby, in any format.
namespace properties {

void history(std::string_view text);

}  // namespace properties
