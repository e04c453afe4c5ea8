// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <ostream>
#include <string>

namespace core {

/// The target of -o FILE. A regular or absent file is written beside its (once resolved) target
/// under a temporary name and renamed by commit(), so that a reader never sees half of it; a
/// device, FIFO or /dev/fd/N is written in place; "-" or "" is standard output. Without commit()
/// the temporary file is removed, or kept as FILE.partial by keep_partial().
class OutputFile {
 public:
  /// Opens at once, so that a bad path fails before the work. Throws Error naming the path.
  explicit OutputFile(const std::string& path);
  OutputFile(OutputFile&&) noexcept;
  ~OutputFile();

  std::ostream& stream();
  /// Flushes, checks and renames. Throws Error "cannot write PATH: ..." (disk full, ...).
  void commit();
  /// Keeps what was written as FILE.partial and returns that name; empty when nothing can be kept
  /// (standard output, a device).
  std::string keep_partial();
  /// Removes what was written; what the destructor does, for a process that ends without one.
  void discard();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Writes `text` to `path` by the rules above.
void write_output(const std::string& path, const std::string& text);

}  // namespace core
