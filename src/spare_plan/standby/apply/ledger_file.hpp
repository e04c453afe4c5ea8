// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "core/fd.hpp"
#include "spare_plan/standby/live/ledger.hpp"

namespace spare_plan::standby::apply {

/// The ledger on disk, held by one process at a time (a lock on FILE.lock, which ends with the
/// process). A line that a crash tore is cut off; a file beyond 1 MiB is written anew with what
/// still counts.
class LedgerFile {
 public:
  /// Makes the file and the folder that it is in where they are missing. `recent`: keeps and orders
  /// since then count. Throws Error when another process holds it, or it cannot be written or read.
  LedgerFile(std::string path, double recent);

  const live::Ledger& ledger() const { return ledger_; }
  /// Both are on the disk when they return; throw Error when that cannot be.
  void note(double time, live::Deed deed, const std::vector<std::string>& nodes);
  void note_keep(double time, std::uint32_t nodes);

 private:
  void lock();
  void open();
  void rewrite(double recent);
  void append(const std::string& text);

  std::string path_;
  core::Fd lock_, file_;
  live::Ledger ledger_;
};

}  // namespace spare_plan::standby::apply
