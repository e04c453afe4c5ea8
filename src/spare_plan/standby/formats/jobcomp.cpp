// SPDX-License-Identifier: BSD-3-Clause
// What Slurm's jobcomp/filetxt writes: a line of KEY=VALUE words for each job that has ended. The
// name of the job and its folder are in it without quotes.
#include "spare_plan/standby/formats/formats.hpp"
#include "spare_plan/standby/formats/key_values.hpp"
#include "spare_plan/standby/formats/slurm_fields.hpp"

namespace spare_plan::standby {
namespace {

SlurmFields fields_of(const KeyValues& line) {
  SlurmFields fields;
  fields.state = line.value("JobState");
  fields.submit = line.value("SubmitTime");
  fields.eligible = line.value("EligibleTime");
  fields.start = line.value("StartTime");
  fields.end = line.value("EndTime");
  fields.limit = line.value("TimeLimit");
  fields.limit_minutes = true;
  // Without a list of nodes the count is that of the request.
  fields.allocated_nodes = line.value("NodeList") == "(null)" ? "0" : line.value("NodeCnt");
  fields.partition = line.value("Partition");
  return fields;
}

}  // namespace

bool is_jobcomp(std::string_view line) { return line.starts_with("JobId="); }

void read_jobcomp(Bytes& bytes, HistoryBuilder& history) {
  KeyValues values;
  for_each_line(bytes, history, [&](std::string_view line, std::size_t number) {
    if (!is_jobcomp(line))
      return history.leave_out(LeftOut::damaged, number, "it does not begin with JobId=");
    if (!values.parse(line)) return history.leave_out(LeftOut::key_twice, number);
    add_slurm_job(fields_of(values), number, history);
  });
}

}  // namespace spare_plan::standby
