// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "benchrun/keeper.hpp"
#include "core/records.hpp"

namespace benchrun {

/// A launcher's program that is running, with its records and what else it says.
class Job {
 public:
  using OnRecord = core::RecordReader::OnRecord;
  /// What is neither record nor the launcher's silence: pieces of its stdout and stderr.
  using OnText = std::function<void(std::string_view text)>;

  Job(const CommandLine& line, const std::string& nonce, OnRecord on_record, OnText on_text);

  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Descriptors to poll for reading: open streams, and the end.
  std::vector<int> descriptors() const;
  /// Reads what there is on a descriptor that is ready.
  void service(int descriptor);
  /// It speaks for many ranks.
  void expect_much() { kept_.widen_out(); }
  void ask_to_end();
  /// From now on records and text are read and dropped.
  void ignore_records() { ignored_ = true; }
  /// Exit status once it has ended and everything is read.
  std::optional<int> ended() const { return status_; }
  bool ending() const { return ending_; }
  /// The last few KiB of its stderr.
  const std::string& complaints() const { return complaints_; }

 private:
  bool read(int descriptor, bool is_out);

  Kept kept_;
  OnRecord on_record_;
  OnText on_text_;
  core::RecordReader reader_;
  std::string complaints_;
  std::optional<int> status_;
  bool ending_ = false;
  bool ignored_ = false;
};

}  // namespace benchrun
