// SPDX-License-Identifier: BSD-3-Clause
// The Standard Workload Format (D. Feitelson's archive of parallel workloads): lines of 18 columns
// between blanks, comments from ';'. Logs also have -1 in any column, fractions, more columns, jobs
// that used more than they asked for or ran longer than their limit.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "core/number.hpp"
#include "spare_plan/standby/formats/formats.hpp"

namespace spare_plan::standby {
namespace {

/// Columns of the format's definition, from 1.
enum Column : std::size_t {
  kSubmit = 2,
  kRun = 4,
  kAllocated = 5,
  kRequested = 8,
  kRequestedTime = 9,
  kPartition = 16,
  kColumns = 18
};

using Fields = std::array<std::string_view, kColumns + 1>;  ///< by column

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Returns how many columns there are, at most kColumns.
std::size_t split(std::string_view line, Fields& fields) {
  std::size_t count = 0, at = 0;
  while (count < kColumns) {
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at == line.size()) break;
    const auto begin = at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    fields[++count] = line.substr(begin, at - begin);
  }
  return count;
}

struct Line {
  Fields fields;
  std::array<double, kColumns + 1> numbers;

  /// Why the line is none of a job; empty: its columns are read.
  std::string parse(std::string_view line) {
    const auto count = split(line, fields);
    if (count < kColumns) return fmt::format("{} columns, want {}", count, +kColumns);
    for (const auto column : {kSubmit, kRun, kAllocated, kRequested, kRequestedTime}) {
      const auto number = core::parse_number(fields[column]);
      if (!number)
        return fmt::format("column {} is {}, want a number", +column, core::quoted(fields[column]));
      numbers[column] = *number;
    }
    return {};
  }
};

Record record_of(const Line& line, const Reading& reading) {
  Record record;
  record.submit = line.numbers[kSubmit];
  record.run = line.numbers[kRun];
  record.estimate = line.numbers[kRequestedTime];
  const double processors =
      line.numbers[kRequested] > 0 ? line.numbers[kRequested] : line.numbers[kAllocated];
  record.nodes = std::ceil(processors / reading.processors_per_node);
  const bool by_partition = reading.group_by == GroupBy::partition;
  if (by_partition && line.fields[kPartition] != "-1") record.group = line.fields[kPartition];
  return record;
}

}  // namespace

bool is_swf(std::string_view line) {
  Line parsed;
  return line.starts_with(';') || parsed.parse(line).empty();
}

void read_swf(Bytes& bytes, HistoryBuilder& history) {
  Line parsed;
  for_each_line(bytes, history, [&](std::string_view line, std::size_t number) {
    line = line.substr(0, line.find(';'));
    if (line.find_first_not_of(" \t") == line.npos) return;
    const auto problem = parsed.parse(line);
    if (problem.empty()) return history.add(record_of(parsed, history.reading()), number);
    history.leave_out(LeftOut::damaged, number, problem);
  });
}

}  // namespace spare_plan::standby
