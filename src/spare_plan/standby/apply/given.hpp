// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spare_plan/standby/live/given.hpp"

namespace spare_plan::standby::apply {

/// What the command line of apply says.
struct Given {
  live::Given plan;
  bool yes = false;
  std::optional<std::string> way, fragment, wake_on_lan;
  std::vector<std::string> on, off, up;
  std::optional<std::uint64_t> rate;
};

constexpr std::uint32_t kDefaultMaxChange = 10, kDefaultRate = 30;

}  // namespace spare_plan::standby::apply
