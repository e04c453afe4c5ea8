// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "benchrun/gather.hpp"
#include "benchrun/plan.hpp"
#include "core/times.hpp"

namespace benchrun {

using Metadata = std::vector<std::pair<std::string, std::string>>;

/// What the table says about itself: job, date, launcher, bench, parameters, allocation.
Metadata describe(const Plan& plan, const std::string& launcher, const std::string& job,
                  const std::string& date);

/// Writes the rows as they come and remembers them for the history. Nothing is written before the
/// first row: a launcher that does not work leaves no half of a table.
class Report {
 public:
  Report(std::ostream& out, const Plan& plan, Metadata metadata);
  /// What a host is made of; known before its rows.
  void set_hardware(std::size_t host, const std::string& text);
  void add(const std::vector<Row>& rows);
  /// Ends the table.
  void complete(double elapsed_seconds);
  const core::TimesBlock& block() const { return block_; }
  /// Hosts with at least one row, all of them ok.
  std::size_t ok_hosts() const;
  /// Rows that are ok, and those of them of which only the wall time is known.
  struct Known {
    std::size_t rows = 0, by_wall_alone = 0;
  };
  Known known() const;

 private:
  core::TimesWriter writer_;
  core::TimesBlock block_;
};

/// `k/N hosts` in one line that overwrites itself; nothing unless shown.
class Progress {
 public:
  Progress(std::ostream& out, bool shown, std::size_t hosts);
  ~Progress() { clear(); }
  void show(std::size_t finished);
  /// Before anything else is said on the terminal.
  void clear();

 private:
  std::ostream& out_;
  bool shown_;
  std::size_t hosts_;
  std::size_t last_ = static_cast<std::size_t>(-1);
};

}  // namespace benchrun
