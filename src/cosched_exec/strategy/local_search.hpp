// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cosched_exec/strategy/objective.hpp"

namespace cosched_exec {

/// A combination that no adding or removing of one task and no exchange of one for another betters,
/// the best of those found from the full set and from each class's task alone. Calls the objective
/// for at most max(600, 4 n^2) combinations of n classes; the search ends early where that is not
/// enough (seen from some 20 classes on, or with many members).
Choice local_search(Objective& objective);

}  // namespace cosched_exec
