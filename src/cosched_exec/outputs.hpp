// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "core/output_file.hpp"
#include "cosched_exec/options.hpp"
#include "cosched_exec/supervise/supervisor.hpp"
#include "cosched_exec/views/report.hpp"

namespace cosched_exec {

/// The files that a run writes about itself, all of them opened before anything is started.
class Outputs {
 public:
  /// Throws core::Error (usage) naming the option and its file that cannot be written, or gnuplot's
  /// package.
  explicit Outputs(const Options& options);

  /// A line of the trace, as it happens.
  void trace(const std::vector<Task>& tasks, const Event& event);
  /// Writes and completes all files, but after a failure of ours the trace, for which break_off()
  /// is called. Each is tried; false when one could not be written, which is told.
  bool write(const std::vector<Task>& tasks, const Supervised& supervised, const Report& report,
             const Course& course);
  /// After a run that broke off: what the trace had stays, told by its name, and nothing of the
  /// others that are not complete. After one that did not: nothing.
  void break_off();

 private:
  Options options_;
  std::optional<core::OutputFile> trace_, joblog_, timeline_, json_;
};

}  // namespace cosched_exec
