// SPDX-License-Identifier: BSD-3-Clause
// OpenPBS's accounting files: lines of DATE;KIND;JOB;KEY=VALUE ..., of which those of kind E tell
// what an ended job was like.
#include <algorithm>

#include "spare_plan/standby/formats/formats.hpp"
#include "spare_plan/standby/formats/key_values.hpp"
#include "spare_plan/standby/formats/pbs_fields.hpp"

namespace spare_plan::standby {
namespace {

constexpr std::string_view kStamp = "00/00/0000 00:00:00;";

bool has_stamp(std::string_view line) {
  return line.size() > kStamp.size() + 1 && line[kStamp.size() + 1] == ';' &&
         std::equal(kStamp.begin(), kStamp.end(), line.begin(), [](char want, char c) {
           return want == '0' ? c >= '0' && c <= '9' : c == want;
         });
}

PbsFields fields_of(const KeyValues& line) {
  PbsFields fields;
  fields.queued = line.value("qtime");
  fields.eligible = line.value("etime");
  fields.start = line.value("start");
  fields.end = line.value("end");
  fields.used = line.value("resources_used.walltime");
  fields.limit = line.value("Resource_List.walltime");
  fields.hosts = line.value("exec_host");
  fields.node_count = line.value("Resource_List.nodect");
  fields.select = line.value("Resource_List.select");
  fields.queue = line.value("queue");
  return fields;
}

}  // namespace

bool is_pbs_accounting(std::string_view line) { return has_stamp(line); }

void read_pbs_accounting(Bytes& bytes, HistoryBuilder& history) {
  KeyValues values;
  for_each_line(bytes, history, [&](std::string_view line, std::size_t number) {
    if (!has_stamp(line))
      return history.leave_out(LeftOut::damaged, number,
                               "it does not begin as MM/DD/YYYY HH:MM:SS;E;");
    if (line[kStamp.size()] != 'E') return;
    line.remove_prefix(kStamp.size() + 2);
    const auto job = line.find(';');
    if (job == line.npos)
      return history.leave_out(LeftOut::damaged, number, "nothing follows the job's name");
    if (!values.parse(line.substr(job + 1))) return history.leave_out(LeftOut::key_twice, number);
    add_pbs_job(fields_of(values), number, history);
  });
}

}  // namespace spare_plan::standby
