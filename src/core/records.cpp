// SPDX-License-Identifier: BSD-3-Clause
#include "core/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/host_name.hpp"
#include "core/number.hpp"

namespace core {

namespace {

constexpr std::string_view kMark = "@launchwise:";
constexpr std::size_t kMostLine = std::size_t{1} << 16;
constexpr std::size_t kMostReason = 300;
constexpr std::size_t kMostAddresses = 32;
constexpr std::array<std::string_view, 8> kKinds = {"hello", "warm",  "time",  "fail",
                                                    "cut",   "alone", "alive", "end"};

std::uint32_t checksum(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

std::string number_or_dash(std::optional<std::uint32_t> number) {
  return number ? fmt::to_string(*number) : "-";
}

std::string split_or_dashes(const Split& split) {
  if (!split.known()) return "- -";
  return fmt::format("{} {}", print_number(split.compute), print_number(split.mpi));
}

std::string printable(std::string_view text) {
  std::string safe(text.substr(0, kMostReason));
  for (char& c : safe)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return safe;
}

std::string print_hello(const Record& record) {
  std::string addresses;
  for (std::size_t i = 0; i < std::min(record.addresses.size(), kMostAddresses); ++i)
    addresses += (i == 0 ? "" : ",") + record.addresses[i];
  return fmt::format("{} {} {} {}", number_or_dash(record.size),
                     valid_host_name(record.host) ? record.host : "-",
                     addresses.empty() ? "-" : addresses,
                     record.hardware.empty() ? "-" : printable(record.hardware));
}

std::string print_fields(const Record& record) {
  const std::string seconds = print_number(record.seconds);
  switch (record.kind) {
    case RecordKind::hello:
      return print_hello(record);
    case RecordKind::warm:
      return fmt::format("{} {}", record.bench, seconds);
    case RecordKind::time:
      return fmt::format("{} {} {} {} {} {}", record.bench, record.run, seconds,
                         to_string(record.status), split_or_dashes(record.split),
                         number_or_dash(record.peer));
    case RecordKind::fail:
      return fmt::format("{} {} {} {}", record.bench, to_string(record.status),
                         split_or_dashes(record.split), printable(record.reason));
    case RecordKind::cut:
      return fmt::format("{} {}", record.bench, split_or_dashes(record.split));
    case RecordKind::alone:
      return printable(record.mpi);
    case RecordKind::alive:
      return "";
    case RecordKind::end:
      return fmt::to_string(record.count);
  }
  return "";
}

/// Takes space-separated words off the front of a text.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  std::string_view word() {
    const std::size_t space = rest_.find(' ');
    const std::string_view taken = rest_.substr(0, space);
    rest_.remove_prefix(space == std::string_view::npos ? rest_.size() : space + 1);
    return taken;
  }
  std::uint32_t count() {
    const auto number = parse_count(word(), UINT32_MAX);
    if (!number) good_ = false;
    return static_cast<std::uint32_t>(number.value_or(0));
  }
  double seconds() {
    const auto number = parse_number(word());
    if (!number || *number < 0) good_ = false;
    return number.value_or(0);
  }
  RowStatus status() {
    const auto status = row_status(word());
    if (!status) good_ = false;
    return status.value_or(RowStatus::failed);
  }
  std::optional<std::uint32_t> count_or_dash() {
    if (take_dash()) return std::nullopt;
    return count();
  }
  Split split() {
    const auto part = [this] { return take_dash() ? std::nan("") : seconds(); };
    const double compute = part(), mpi = part();
    return {compute, mpi};
  }
  std::string_view rest() { return std::exchange(rest_, {}); }
  bool good_to_the_end() const { return good_ && rest_.empty(); }

 private:
  bool take_dash() {
    Words ahead = *this;
    const bool dash = ahead.word() == "-";
    if (dash) word();
    return dash;
  }

  std::string_view rest_;
  bool good_ = true;
};

std::vector<std::string> split_addresses(std::string_view text) {
  std::vector<std::string> addresses;
  while (text != "-" && !text.empty()) {
    const std::size_t comma = text.find(',');
    addresses.emplace_back(text.substr(0, comma));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return addresses;
}

void parse_fields(Words& words, Record& record) {
  switch (record.kind) {
    case RecordKind::hello:
      record.size = words.count_or_dash();
      record.host = words.word();
      record.addresses = split_addresses(words.word());
      record.hardware = words.rest();
      if (record.hardware == "-") record.hardware.clear();
      break;
    case RecordKind::warm:
      record.bench = words.count();
      record.seconds = words.seconds();
      break;
    case RecordKind::time:
      record.bench = words.count();
      record.run = words.count();
      record.seconds = words.seconds();
      record.status = words.status();
      record.split = words.split();
      record.peer = words.count_or_dash();
      break;
    case RecordKind::fail:
      record.bench = words.count();
      record.status = words.status();
      record.split = words.split();
      record.reason = words.rest();
      break;
    case RecordKind::cut:
      record.bench = words.count();
      record.split = words.split();
      break;
    case RecordKind::alone:
      record.mpi = words.rest();
      break;
    case RecordKind::alive:
      break;
    case RecordKind::end:
      record.count = words.count();
      break;
  }
}

std::optional<Record> parse_body(std::string_view body) {
  Words words(body);
  const auto* const kind = std::find(kKinds.begin(), kKinds.end(), words.word());
  if (kind == kKinds.end()) return std::nullopt;
  Record record;
  record.kind = static_cast<RecordKind>(kind - kKinds.begin());
  record.rank = words.count_or_dash();
  parse_fields(words, record);
  if (!words.good_to_the_end()) return std::nullopt;
  return record;
}

}  // namespace

std::string print_record(std::string_view nonce, const Record& record) {
  std::string body = fmt::format("{} {}", kKinds[static_cast<std::size_t>(record.kind)],
                                 number_or_dash(record.rank));
  const std::string fields = print_fields(record);
  if (!fields.empty()) body += " " + fields;
  return fmt::format("{}{} {:08x} {}\n", kMark, nonce, checksum(body), body);
}

std::optional<Record> parse_record(std::string_view nonce, std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!line.starts_with(kMark)) return std::nullopt;
  line.remove_prefix(kMark.size());
  Words words(line);
  if (words.word() != nonce) return std::nullopt;
  const std::string_view check = words.word();
  const std::string_view body = words.rest();
  if (check != fmt::format("{:08x}", checksum(body))) return std::nullopt;
  return parse_body(body);
}

RecordReader::RecordReader(std::string nonce, OnRecord on_record, OnText on_text)
    : nonce_(std::move(nonce)), on_record_(std::move(on_record)), on_text_(std::move(on_text)) {}

void RecordReader::take(std::string_view bytes) {
  pending_ += bytes;
  std::size_t start = 0;
  for (std::size_t end = 0; (end = pending_.find('\n', start)) != std::string::npos;
       start = end + 1)
    line(std::string_view(pending_).substr(start, end - start));
  pending_.erase(0, start);
  if (pending_.size() >= kMostLine) finish();
}

void RecordReader::finish() {
  if (!pending_.empty()) line(pending_);
  pending_.clear();
}

void RecordReader::line(std::string_view text) {
  // Somebody else's line may have lacked its newline.
  const std::size_t mark = text.find(kMark);
  if (mark != std::string_view::npos)
    if (const auto record = parse_record(nonce_, text.substr(mark))) {
      if (mark > 0) on_text_(text.substr(0, mark));
      return on_record_(*record);
    }
  on_text_(text);
}

}  // namespace core
