// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/formats/slurm_fields.hpp"

#include <algorithm>

#include "core/number.hpp"
#include "spare_plan/standby/formats/instants.hpp"

namespace spare_plan::standby {
namespace {

/// A year alone is what is left of a date in a line that was cut.
bool same_form(std::string_view one, std::string_view other) {
  return one.empty() || other.empty() ||
         core::parse_number(one).has_value() == core::parse_number(other).has_value();
}

/// When the job could have started: Eligible is later than Submit where it waited for another job
/// or for its begin time, and no node would have helped.
double submit_of(const SlurmFields& fields) {
  const auto submit = parse_instant(fields.submit);
  if (!submit || !same_form(fields.submit, fields.start)) return -1;
  return std::max(*submit, parse_instant(fields.eligible).value_or(*submit));
}

double run_of(const SlurmFields& fields) {
  if (const auto elapsed = parse_clock(fields.elapsed)) return *elapsed;
  const auto start = parse_instant(fields.start), end = parse_instant(fields.end);
  return start && end ? *end - *start : -1;
}

double limit_of(const SlurmFields& fields) {
  if (fields.limit == "UNLIMITED") return kLongestTime;
  const auto limit = parse_clock(fields.limit);
  if (!limit) return -1;  // Partition_Limit, for one
  return fields.limit_minutes ? *limit * 60 : *limit;
}

/// Those that it got; where that is not told, those that it asked for.
double nodes_of(const SlurmFields& fields) {
  for (const auto text : {fields.allocated_nodes, fields.nodes, fields.requested_nodes})
    if (const auto nodes = core::parse_count(text, kMostNodes); nodes && *nodes > 0)
      return static_cast<double>(*nodes);
  return -1;
}

/// A job that was cancelled while it waited has times, but never had nodes.
bool has_started(const SlurmFields& fields) {
  if (fields.state.starts_with("PENDING") || fields.allocated_nodes == "0") return false;
  return fields.start.empty() || parse_instant(fields.start).has_value();
}

}  // namespace

void add_slurm_job(const SlurmFields& fields, std::size_t line, HistoryBuilder& history) {
  if (!has_started(fields)) return history.leave_out(LeftOut::no_run, line, "it never started");
  if (fields.state.starts_with("RESIZING"))
    return history.leave_out(LeftOut::no_run, line, "a job that changed its size has another line");
  Record record;
  record.submit = submit_of(fields);
  record.run = run_of(fields);
  record.estimate = limit_of(fields);
  record.nodes = nodes_of(fields);
  record.group = history.reading().group_by == GroupBy::feature ? fields.feature : fields.partition;
  record.running = fields.state.starts_with("RUNNING");
  history.add(record, line);
}

}  // namespace spare_plan::standby
