// SPDX-License-Identifier: BSD-3-Clause
// Reading times tables. One pass over the text; names are interned, and no row allocates.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include "core/error.hpp"
#include "core/host_name.hpp"
#include "core/name_index.hpp"
#include "core/number.hpp"
#include "core/times.hpp"

namespace core {
namespace {

enum Column : std::size_t {
  host,
  rank,
  run,
  bench,
  seconds,
  status,
  compute,
  mpi,
  peer,
  hardware,
  kColumns
};
constexpr std::size_t kNeeded = compute;  // the columns before it
constexpr std::array<std::string_view, kColumns> kNames{
    "host",        "rank", "run",     "bench", "seconds", "status", "compute_seconds",
    "mpi_seconds", "peer", "hardware"};
constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);
constexpr std::string_view kMark = "launchwise-times";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// Whether any line needs check_characters; a loop that compilers vectorise.
bool has_odd_characters(std::string_view text) {
  unsigned odd = 0;
  for (const char c : text)
    odd |= static_cast<unsigned>(c == '"') | static_cast<unsigned>(is_control(c) && c != '\n');
  return odd != 0;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

class TimesReader::State {
 public:
  /// expected_bytes: of the whole text, 0 when unknown.
  State(std::string name, std::size_t expected_bytes)
      : name_(std::move(name)), bytes_left_(expected_bytes) {}

  void add(std::string_view piece) {
    odd_characters_ = odd_characters_ || has_odd_characters(piece);
    while (!piece.empty()) {
      const void* const newline = std::memchr(piece.data(), '\n', piece.size());
      if (newline == nullptr) break;
      const auto size = static_cast<std::size_t>(static_cast<const char*>(newline) - piece.data());
      if (begun_.empty()) {
        add_line(piece.substr(0, size));
      } else {
        add_line(begun_.append(piece, 0, size));
        begun_.clear();
      }
      piece.remove_prefix(size + 1);
    }
    begun_ += piece;
  }

  std::vector<TimesBlock> finish() {
    ended_ = false;
    if (!begun_.empty()) add_line(begun_);
    return std::move(blocks_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}:{}: {}", name_, line_, what));
  }

  void add_line(std::string_view line) {
    ++line_;
    bytes_left_ -= std::min(bytes_left_, line.size() + 1);
    // The writer was stopped in the middle of this line.
    if (!ended_ && open_ && block().marked) return;
    if (odd_characters_) check_characters(line);
    if (line.empty()) return;
    if (line[0] == '#') {
      add_comment(line.substr(1));
      return;
    }
    if (open_ && has_header_) {
      split(line);
      if (add_row()) return;
      if (!is_header()) explain_row();
    } else {
      split(line);
    }
    begin_rows(bytes_left_ / (line.size() + 1));
  }

  void check_characters(std::string_view line) const {
    const auto odd = std::ranges::find_if(line, is_control);
    if (odd != line.end() && *odd == '\r')
      fail("a carriage return (Windows line ends): remove them with sed -i 's/\\r$//'");
    if (odd != line.end())
      fail(fmt::format("a control character (0x{:02x}), want plain text",
                       static_cast<unsigned char>(*odd)));
    if (line.find('"') != line.npos && !line.starts_with('#'))
      fail("a quote, want CSV without quoting");
  }

  TimesBlock& block() { return blocks_.back(); }

  void begin_block() {
    blocks_.emplace_back();
    block().file = name_;
    block().first_line = line_;
    open_ = true;
    has_header_ = false;
  }

  /// A line that starts with #.
  void add_comment(std::string_view comment) {
    const auto colon = comment.find(':');
    const std::string_view key = trimmed(comment.substr(0, colon));
    const std::string_view value =
        colon == comment.npos ? std::string_view{} : trimmed(comment.substr(colon + 1));
    if (key == "complete" && colon != comment.npos) {
      end_block(value);
      return;
    }
    if (!open_ || !block().rows.empty() || key == kMark) begin_block();
    if (key == kMark) {
      if (value != "1")
        fail(fmt::format("version {} of the format, this program reads version 1", quoted(value)));
      block().marked = true;
    } else if (colon != comment.npos && !key.empty()) {
      block().metadata.emplace_back(key, value);
    }
  }

  /// "rows=N elapsed=S"; anything else does not match, so the block stays incomplete.
  void end_block(std::string_view value) {
    if (!open_) fail("an end line (# complete) without a block before it");
    open_ = false;
    const auto blank = value.find(' ');
    if (!ended_ || blank == value.npos || !value.starts_with("rows=")) return;
    const auto rows = parse_count(value.substr(5, blank - 5));
    const std::string_view second = trimmed(value.substr(blank));
    if (!rows || *rows != block().rows.size() || !second.starts_with("elapsed=")) return;
    const auto elapsed = parse_number(second.substr(8));
    if (!elapsed || *elapsed < 0) return;
    block().complete = true;
    block().elapsed = *elapsed;
  }

  /// Fills fields_ with what is between commas.
  void split(std::string_view line) {
    fields_.resize(width_);
    std::size_t count = 0;
    for (;;) {
      const void* const comma = std::memchr(line.data(), ',', line.size());
      const std::size_t size =
          comma ? static_cast<std::size_t>(static_cast<const char*>(comma) - line.data())
                : line.size();
      if (count == fields_.size()) fields_.emplace_back();
      fields_[count++] = line.substr(0, size);
      if (comma == nullptr) break;
      line.remove_prefix(size + 1);
    }
    fields_.resize(count);
  }

  bool is_header() const {
    return std::ranges::all_of(std::span(kNames).first(kNeeded), [this](std::string_view name) {
      return std::ranges::find(fields_, name) != fields_.end();
    });
  }

  /// The fields are to be a header; `expected_rows` may follow.
  void begin_rows(std::size_t expected_rows) {
    if (!open_ || has_header_) begin_block();
    for (std::size_t i = 0; i < kColumns; ++i) {
      const auto found = std::ranges::find(fields_, kNames[i]);
      if (found == fields_.end() && i < kNeeded) explain_header(kNames[i]);
      if (found != fields_.end() && std::find(found + 1, fields_.end(), kNames[i]) != fields_.end())
        fail(fmt::format("column {} is there twice", kNames[i]));
      column_[i] =
          found == fields_.end() ? kAbsent : static_cast<std::size_t>(found - fields_.begin());
    }
    width_ = fields_.size();
    has_header_ = true;
    hosts_ = {};
    benches_ = {};
    // One block is the common case; what is reserved beyond need is never touched.
    if (blocks_.size() == 1) block().rows.reserve(expected_rows);
  }

  void refuse_byte_order_mark() const {
    if (fields_[0].starts_with(kByteOrderMark))
      fail("a byte order mark (of UTF-8): remove it with sed -i 's/^\\xef\\xbb\\xbf//'");
  }

  /// Throws why the fields are no header line that has the column.
  [[noreturn]] void explain_header(std::string_view name) const {
    refuse_byte_order_mark();
    if (std::ranges::find(fields_, name, trimmed) != fields_.end())
      fail(
          fmt::format("blanks beside the column name {}: remove those beside commas and line ends "
                      "with sed -i 's/ *, */,/g; s/^ *//; s/ *$//'",
                      name));
    fail(
        fmt::format("column {} is missing, want the header line host,rank,run,bench,seconds,"
                    "status{}",
                    name, blocks_.size() > 1 ? " (each block has its own)" : ""));
  }

  std::string_view field(Column column) const {
    return column_[column] == kAbsent ? std::string_view() : fields_[column_[column]];
  }

  static bool parse_u32(std::string_view text, std::uint32_t& value) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && stop == end;
  }

  static bool parse_seconds(std::string_view text, double& value) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && stop == end && std::isfinite(value) && !std::signbit(value);
  }

  /// Nothing, or seconds.
  bool parse_split(Column column, double& value) const {
    return field(column).empty() || parse_seconds(field(column), value);
  }

  /// The number of a host's name, an old or a new one; nothing for what is none.
  std::optional<std::uint32_t> host_index(std::string_view name) {
    std::size_t index = hosts_.find(name, block().hosts);
    if (index == NameIndex::kNowhere) {
      if (!valid_host_name(name) || block().hosts.size() == kMaxHosts) return std::nullopt;
      index = hosts_.add(name, block().hosts);
    }
    return static_cast<std::uint32_t>(index);
  }

  bool parse_hosts(TimesRow& row) {
    const auto index = host_index(field(host));
    if (!index) return false;
    row.host = *index;
    if (field(peer).empty()) return true;
    const auto other = host_index(field(peer));
    if (!other || *other == *index) return false;
    row.peer = *other;
    return true;
  }

  /// Adds the fields as a row; false when they are none (explain_row says why).
  bool add_row() {
    if (fields_.size() != width_) return false;
    TimesRow row;
    const std::string_view state = field(status);
    if (state == "ok") {
      std::uint32_t number = 0;
      if (!parse_seconds(field(seconds), row.seconds) || !parse_u32(field(rank), number))
        return false;
      row.rank = number;
    } else {
      const auto known = row_status(state);
      std::uint32_t number = 0;
      if (!known || !field(seconds).empty()) return false;
      if (!field(rank).empty()) {
        if (!parse_u32(field(rank), number)) return false;
        row.rank = number;
      }
      row.status = *known;
      row.seconds = std::numeric_limits<double>::quiet_NaN();
    }
    if (!parse_u32(field(run), row.run)) return false;
    if (!parse_split(compute, row.split.compute) || !parse_split(mpi, row.split.mpi)) return false;
    if (!parse_hosts(row)) return false;
    std::size_t index = benches_.find(field(bench), block().benches);
    if (index == NameIndex::kNowhere) {
      if (field(bench).empty() || block().benches.size() == kMaxBenches) return false;
      index = benches_.add(field(bench), block().benches);
    }
    row.bench = static_cast<std::uint32_t>(index);
    block().rows.push_back(row);
    if (!field(hardware).empty()) block().set_hardware(row.host, field(hardware));
    return true;
  }

  /// Throws what is wrong with the fields that add_row refused.
  [[noreturn]] void explain_row() const {
    refuse_byte_order_mark();
    if (fields_.size() != width_)
      fail(fmt::format("{} field{}, want {} as in the header line", fields_.size(),
                       fields_.size() == 1 ? "" : "s", width_));
    check_host_name(field(host), fmt::format("{}:{}", name_, line_));
    if (!field(peer).empty()) check_host_name(field(peer), fmt::format("{}:{}", name_, line_));
    if (field(peer) == field(host))
      fail(fmt::format("peer is {}, the host itself", quoted(field(peer))));
    const auto known = row_status(field(status));
    if (!known)
      fail(fmt::format("status is {}, want ok, timeout, unreachable, failed or wrong",
                       quoted(field(status))));
    double number = 0;
    std::uint32_t count = 0;
    if (*known == RowStatus::ok && !parse_seconds(field(seconds), number))
      fail(fmt::format("seconds is {}, want a number >= 0", quoted(field(seconds))));
    if (*known != RowStatus::ok && !field(seconds).empty())
      fail(fmt::format("seconds is {} in a row that is not ok, want nothing",
                       quoted(field(seconds))));
    if (*known == RowStatus::ok && field(rank).empty()) fail("rank is empty in a row that is ok");
    if (!field(rank).empty() && !parse_u32(field(rank), count))
      fail(fmt::format("rank is {}, want a number 0, 1, 2, ...", quoted(field(rank))));
    if (!parse_u32(field(run), count))
      fail(fmt::format("run is {}, want a number 0, 1, 2, ...", quoted(field(run))));
    for (const Column column : {compute, mpi})
      if (!parse_split(column, number))
        fail(fmt::format("{} is {}, want a number >= 0 or nothing", kNames[column],
                         quoted(field(column))));
    if (field(bench).empty()) fail("bench is empty, want the benchmark's name");
    fail(fmt::format("more than {} hosts or {} benchmarks", kMaxHosts, kMaxBenches));
  }

  std::string name_;
  std::size_t bytes_left_;  ///< about; 0 when unknown
  std::string begun_;       ///< a line whose end is yet to come
  bool odd_characters_ = false;
  std::vector<TimesBlock> blocks_;
  std::size_t line_ = 0;
  bool ended_ = true;        ///< the current line ends in a newline
  bool open_ = false;        ///< the last block may still grow
  bool has_header_ = false;  ///< ... and has its header
  std::array<std::size_t, kColumns> column_{};
  std::size_t width_ = 0;
  std::vector<std::string_view> fields_;
  NameIndex hosts_;
  NameIndex benches_;
};

TimesReader::TimesReader(const std::string& name, std::size_t expected_bytes)
    : state_(std::make_unique<State>(name, expected_bytes)) {}
TimesReader::~TimesReader() = default;
void TimesReader::add(std::string_view piece) { state_->add(piece); }
std::vector<TimesBlock> TimesReader::finish() { return state_->finish(); }

std::vector<TimesBlock> read_times(std::string_view text, const std::string& name) {
  TimesReader reader(name, text.size());
  reader.add(text);
  return reader.finish();
}

}  // namespace core
