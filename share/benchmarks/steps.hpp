// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include "core/records.hpp"
#include "rank_options.hpp"

namespace benchmarks {

/// Sends one record to benchrun. When it cannot (nobody reads any more), everything of this rank is
/// ended: it does not return.
using Send = std::function<void(core::Record)>;

/// Makes sure that this rank and all it starts end with the launcher's process above it, with
/// SIGTERM, or after `seconds`, whichever comes first.
void tie_to_launcher(unsigned seconds);
/// A new life span from now on.
void extend_life(unsigned seconds);
/// Ends all processes of this rank at once, this one too.
[[noreturn]] void end_everything();

/// Runs one step and sends what comes of it: `warm`, `time` and `fail` records, and `alive` ones
/// in between. Never throws for a failure of the step itself. No process of the step is left but a
/// benchmark that has said `done`, which the end of the next step ends.
void run_step(const Step& step, const RankOptions& options, const std::string& folder,
              const Send& send);

/// Waits for a benchmark that has said `done`: until all ranks have sent `end`, a launcher must not
/// see one of them go without having ended MPI, for it would end the others.
void await_children();

}  // namespace benchmarks
