// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

/// The same as properties.hpp, for what spare-plan standby plan and apply read.
namespace properties {

void cluster_state(std::string_view text);
void ledger(std::string_view text);

}  // namespace properties
