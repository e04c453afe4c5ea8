// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

/// The same as properties.hpp, for the task files of cosched_exec.
namespace properties {

void tasks_plain(std::string_view text);
void tasks_toml(std::string_view text);

}  // namespace properties
