// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/allocation.hpp"
#include "core/environment.hpp"

namespace mpisel {

/// What to do with the nodes that were not chosen. `for_launcher`: the launcher is started next, so
/// nothing has to be said of the environment of the shell that we were started from.
enum class Release { say, act, act_for_launcher };

/// Gives the nodes back that were not chosen, or says the command. Whatever is in the way becomes a
/// warning: the job goes on with the nodes that it has. Returns the changes that a launcher's
/// environment needs then.
std::vector<std::pair<std::string, std::optional<std::string>>> release_others(
    const core::Allocation& job, std::span<const core::HostSlots> chosen, Release how,
    const core::Environment& environment);

}  // namespace mpisel
