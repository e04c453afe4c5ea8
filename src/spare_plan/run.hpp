// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "spare_plan/inputs.hpp"

namespace spare_plan {

/// What the command line asks to be told, and where.
struct Wanted {
  bool json = false;
  bool explain = false;
  std::string output = "-";  ///< -o; "-": standard output
  std::optional<std::string> curve, plot;
  bool submit = false;               ///< there is a "--"
  std::vector<std::string> command;  ///< what came after it
};

/// Plans and prints the answer, or becomes the submitter. Returns the exit status.
int run_plan(const Given& given, const Wanted& wanted, const core::Environment& environment);

/// spare-plan fit.
int run_fit(const std::vector<std::string>& paths, const std::optional<std::string>& bench,
            const Wanted& wanted, const core::Environment& environment);

}  // namespace spare_plan
