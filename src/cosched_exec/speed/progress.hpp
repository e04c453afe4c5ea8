// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace cosched_exec {

/// Where a task shows its progress.
struct ProgressSpec {
  enum class Kind { lines, match, file } kind = Kind::lines;
  std::string pattern;  ///< match, file: RE2; group 1, else the whole match, is the number
  std::string file;     ///< file: read at each look; without a pattern its first number
};

/// Checks the pattern. Throws core::Error (usage) that names it.
void check_progress(const ProgressSpec& spec);

/// Follows a task's progress. Pure but for reading the file.
class Progress {
 public:
  explicit Progress(const ProgressSpec& spec, const std::string& working_directory);
  Progress(Progress&&) noexcept;
  ~Progress();
  /// Output of the task as it arrives, in any pieces.
  void feed(std::string_view bytes);
  /// Lines seen, or the last number shown; none before the first.
  std::optional<double> value();
  /// Times that it went on: lines, new numbers in the output; none for a file, of which only looks
  /// are known.
  std::optional<double> events() const;
  /// A sentence for a task that has not shown any: where it was looked for.
  std::string absence() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cosched_exec
