// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "benchrun/plan.hpp"
#include "core/error.hpp"

namespace benchrun {

/// The whole tool after its command line was read: finds hosts and launcher, measures, writes the
/// table and the history, warns of each host that is not ok. Ends this process by the signal that
/// interrupted it. Throws core::Error.
core::ExitStatus benchrun(const Options& options);

}  // namespace benchrun
