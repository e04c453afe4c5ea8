// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/times.hpp"

namespace core {

/// The time for everything, against the warm-up alone, where nothing else was asked for: two blocks
/// of repetitions, with room for hosts that are slow.
inline constexpr double kBudgetPerWarmUp = 40;

/// What a rank tells benchrun. Each record is one line, written with one write() of at most
/// PIPE_BUF bytes on the rank's standard output, which the launcher carries to benchrun:
///
///     line   = mark SP check SP body LF
///     mark   = "@launchwise:" nonce           the nonce is random and given as an argument, so
///     check  = 8 hexadecimal digits           FNV-1a of the body: a torn line is no record
///     body   = "hello" rank size host addresses hardware   rank, size: "-" when the launcher tells
///            | "warm"  rank bench seconds           none; addresses: "-" or joined by commas;
///                                                   hardware: rest of the line, "-" if unknown
///            | "time"  rank bench run seconds status compute mpi peer
///                                               compute, mpi: seconds, or "-" where unknown
///                                               peer: the rank it was measured with, or "-"
///            | "fail"  rank bench status compute mpi reason        reason: rest of the line
///            | "cut"   rank bench compute mpi       the launcher ends the rank: so far
///            | "alone" rank mpi        its command made a world of one rank; mpi: rest of the line
///            | "alive" rank
///            | "end"   rank count                   count: warm, time and fail records before it
enum class RecordKind : std::uint8_t { hello, warm, time, fail, cut, alone, alive, end };

struct Record {
  RecordKind kind = RecordKind::alive;
  std::optional<std::uint32_t> rank = {};
  std::optional<std::uint32_t> size = {};   ///< hello
  std::string host = {};                    ///< hello: gethostname()
  std::vector<std::string> addresses = {};  ///< hello: numeric, without loopback
  std::string hardware = {};                ///< hello: processors and model, empty if unknown
  std::uint32_t bench = 0;                  ///< warm, time, fail, cut: number of the benchmark
  std::uint32_t run = 0;                    ///< time
  double seconds = 0;                       ///< warm, time
  RowStatus status = RowStatus::ok;         ///< time, fail
  Split split = {};                         ///< time, fail, cut
  std::optional<std::uint32_t> peer = {};   ///< time
  std::string reason = {};                  ///< fail
  std::string mpi = {};                     ///< alone: whose interface the command's MPI has
  std::uint32_t count = 0;                  ///< end
};

/// One line with its newline. Text that would break the line is replaced; the result is at most
/// PIPE_BUF bytes long.
std::string print_record(std::string_view nonce, const Record& record);

/// The record of a line (without newline; a carriage return at its end is dropped), or nothing when
/// the line is none or is damaged.
std::optional<Record> parse_record(std::string_view nonce, std::string_view line);

/// Cuts a stream into lines and tells records from all else. Bytes may come in any portions.
class RecordReader {
 public:
  using OnRecord = std::function<void(const Record&)>;
  using OnText = std::function<void(std::string_view line)>;

  RecordReader(std::string nonce, OnRecord on_record, OnText on_text);
  void take(std::string_view bytes);
  /// The stream has ended: what is left without newline is a line too.
  void finish();

 private:
  void line(std::string_view text);

  std::string nonce_;
  OnRecord on_record_;
  OnText on_text_;
  std::string pending_;
};

}  // namespace core
