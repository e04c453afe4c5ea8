// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/hostfile.hpp"

namespace core {

inline constexpr std::size_t kMaxBenches = 64;

/// What became of a host or rank in a benchmark. Spelled in lower case in tables.
enum class RowStatus : std::uint8_t { ok, timeout, unreachable, failed, wrong };
std::string_view to_string(RowStatus status);
std::optional<RowStatus> row_status(std::string_view text);

/// How a rank of an MPI program spent the measured part of its time, s; NaN where that is not
/// known. A row that is not ok may have it: what was measured until the rank ended.
struct Split {
  double compute = std::numeric_limits<double>::quiet_NaN();
  double mpi = std::numeric_limits<double>::quiet_NaN();
  bool known() const { return !std::isnan(compute); }
};

inline constexpr std::uint32_t kNoPeer = std::numeric_limits<std::uint32_t>::max();

/// One row. host, bench and peer are indices into the block's names. seconds is NaN unless ok; rank
/// is empty where the host never started one; run counts the timed repetitions of its block from 0.
/// peer: the host that it was measured together with, as the network between the two is.
struct TimesRow {
  std::uint32_t host = 0;
  std::uint32_t bench = 0;
  std::optional<std::uint32_t> rank;
  std::uint32_t run = 0;
  RowStatus status = RowStatus::ok;
  double seconds = 0;
  Split split = {};
  std::uint32_t peer = kNoPeer;
};

/// What one benchrun wrote (or a header and rows made by hand).
struct TimesBlock {
  std::string file;               ///< for messages
  std::size_t first_line = 1;     ///< for messages
  bool marked = false;            ///< starts with "# launchwise-times: 1"
  bool complete = false;          ///< "# complete: rows=N elapsed=S" came and N matches
  std::optional<double> elapsed;  ///< seconds of the whole benchrun, from that line
  std::vector<std::pair<std::string, std::string>> metadata;  ///< "# key: value", in order
  std::vector<std::string> hosts;    ///< names, also of peers, in order of first appearance
  std::vector<std::string> benches;  ///< names, in order of first appearance in rows
  std::vector<TimesRow> rows;
  /// What hosts are made of, by their indices; empty, or shorter, where the table does not tell it.
  std::vector<std::string> hardware;

  /// A marked block without a matching end line is not to be trusted.
  bool incomplete() const { return marked && !complete; }
  /// The value of a metadata key, or nothing.
  std::optional<std::string_view> value(std::string_view key) const;
  /// The hosts and slots of "# allocation: n1:2,n2:2", empty without one. Throws Error (file,
  /// line).
  std::vector<HostSlots> allocation() const;
  /// Of a host, empty where unknown.
  std::string_view hardware_of(std::size_t host) const;
  void set_hardware(std::size_t host, std::string_view text);
};

/// Reads all blocks of a times table (format: launchwise-formats(7)). Throws Error "FILE:LINE:
/// ..." on a malformed line, a bad host name, a missing column, more than kMaxHosts hosts or
/// kMaxBenches benchmarks in a block. An incomplete block is not an error here, nor is a last line
/// of it that was cut short: that line is left out. Whole file without any row: one empty vector or
/// blocks without rows.
std::vector<TimesBlock> read_times(std::string_view text, const std::string& name);

/// read_times for a text that comes in pieces, cut anywhere. expected_bytes: of the whole text, 0
/// when unknown; saves memory moves.
class TimesReader {
 public:
  TimesReader(const std::string& name, std::size_t expected_bytes);
  ~TimesReader();
  void add(std::string_view piece);
  std::vector<TimesBlock> finish();

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Reads a whole file, or standard input for "-", then read_times. Throws Error when it cannot be
/// read.
std::vector<TimesBlock> read_times_file(const std::string& path);

/// Throws Error (FILE:LINE and the cure) when a block is incomplete, Error naming `file` when there
/// is no row at all.
void check_complete(std::span<const TimesBlock> blocks, const std::string& file);

/// The columns of a table after those that each has.
struct Columns {
  bool split = false;  ///< compute_seconds and mpi_seconds
  bool peer = false;
  bool hardware = false;
};

/// Writes one block, row by row as they arrive. All but row() flush.
class TimesWriter {
 public:
  explicit TimesWriter(std::ostream& out, Columns columns = {}) : out_(out), columns_(columns) {}
  /// "# launchwise-times: 1", the metadata, the column header. Values must be free of control
  /// characters (they are replaced by '?').
  void begin(const std::vector<std::pair<std::string, std::string>>& metadata);
  /// The host's next row tells what it is made of. Commas, quotes and control characters become
  /// blanks.
  void hardware(std::string_view host, std::string_view text);
  void row(std::string_view host, std::optional<std::uint32_t> rank, std::uint32_t run,
           std::string_view bench, RowStatus status, double seconds, const Split& split = {},
           std::string_view peer = {});
  void flush();
  /// "# complete: rows=N elapsed=S", elapsed finite and >= 0.
  void end(double elapsed_seconds);
  std::uint64_t rows() const { return rows_; }

 private:
  std::string take_hardware(std::string_view host);

  std::ostream& out_;
  Columns columns_;
  std::uint64_t rows_ = 0;
  std::map<std::string, std::string, std::less<>> hardware_;  ///< to be told
};

/// "n1:2,n2:2" for the metadata key `allocation`; "n1" where the slots are unknown.
std::string print_allocation(const std::vector<HostSlots>& hosts);

}  // namespace core
