// SPDX-License-Identifier: BSD-3-Clause
#include "history_properties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include "core/error.hpp"
#include "core/number.hpp"
#include "spare_plan/standby/formats/formats.hpp"
#include "spare_plan/standby/tell.hpp"

namespace properties {
namespace {

using namespace spare_plan::standby;

void require(bool condition, const char* claim) {
  if (!condition) throw std::logic_error(claim);
}

Bytes in_pieces(std::string_view text, std::size_t size) {
  return Bytes([text, size]() mutable {
    const auto piece = text.substr(0, size);
    text.remove_prefix(piece.size());
    return piece;
  });
}

std::optional<JobHistory> read(Bytes bytes, const std::optional<std::string>& format) {
  try {
    return read_history(bytes, "history", {2, 100, GroupBy::partition}, format);
  } catch (const core::Error&) {
    return std::nullopt;
  }
}

bool same(const Job& one, const Job& other) {
  return one.submit == other.submit && one.run == other.run && one.estimate == other.estimate &&
         one.nodes == other.nodes;
}

void check(const JobHistory& history) {
  for (const auto& job : history.jobs)
    require(job.submit >= 0 && job.submit <= kLongestTime && job.run >= 0 &&
                job.run <= kLongestTime && job.estimate >= job.run &&
                job.estimate <= kLongestTime && job.nodes >= 1 && job.nodes <= 100 &&
                job.group < history.groups.size(),
            "what is told of a job is in range");
  require(std::ranges::is_sorted(history.jobs, {}, &Job::submit), "jobs are in order");
  for (const auto& text : history_text(history))
    require(!text.sentence.empty(), "people get to read something");
}

std::string as_swf(const JobHistory& history) {
  std::string text = "; printed\n";
  for (const auto& job : history.jobs)
    text += fmt::format("1 {} -1 {} {} -1 -1 {} {} -1 1 1 1 1 1 1 -1 -1\n",
                        core::print_number(job.submit), core::print_number(job.run), 2 * job.nodes,
                        2 * job.nodes, core::print_number(job.estimate));
  return text;
}

void check_format(std::string_view text, const std::optional<std::string>& format) {
  const auto history = read(Bytes(text), format);
  if (!history) return;
  check(*history);
  const auto again = read(Bytes(as_swf(*history)), "swf");
  require(again && std::ranges::equal(again->jobs, history->jobs, same),
          "printed jobs read back the same");
  if (!format) return;
  const auto pieces = read(in_pieces(text, 3), format);
  require(pieces && std::ranges::equal(pieces->jobs, history->jobs, same) &&
              pieces->skipped() == history->skipped(),
          "a history read in pieces is the same");
}

}  // namespace

void history(std::string_view text) {
  check_format(text, std::nullopt);
  for (const auto& format : history_formats()) check_format(text, std::string(format.name));
}

}  // namespace properties
