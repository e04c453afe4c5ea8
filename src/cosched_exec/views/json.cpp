// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>
#include <ostream>

#include "cosched_exec/views/report.hpp"

namespace cosched_exec {

namespace {

using Json = nlohmann::ordered_json;

Json of(std::optional<double> number) { return number ? Json(*number) : Json(); }
Json known(double number) { return number > 0 ? Json(number) : Json(); }

Json of(const Task& task, const Outcome& outcome, const Report::Row& row) {
  Json json{{"name", task.name}, {"command", task.text}};
  const bool ended = outcome.kind == Outcome::Kind::ended;
  json["state"] = !ended ? "not run" : outcome.ended_by_us ? "stopped" : "ended";
  json["status"] = ended ? Json(outcome.status) : Json();
  json["signal"] = ended ? Json(outcome.signal) : Json();
  json["start"] = ended ? Json(outcome.started_at) : Json();
  json["end"] = ended ? Json(outcome.ended_at) : Json();
  json["output_bytes"] = outcome.sent;
  json["alone"] = known(row.alone);
  json["slowdown"] = known(row.slowdown);
  json["share_run"] = ended ? Json(row.share_run) : Json();
  json["measure"] = name(outcome.source);
  json["paused_by"] = name(outcome.paused_by);
  return json;
}

}  // namespace

void write_json(std::ostream& out, const std::vector<Task>& tasks, const Options& options,
                const Supervised& supervised, const Report& report) {
  Json json{{"strategy", name_of(options.strategy)},
            {"makespan", report.makespan},
            {"optimum", of(report.optimum)},
            {"excess", of(excess(report))},
            {"fairness", of(report.fairness)},
            {"probing_cost", report.probing_cost},
            {"interrupted", supervised.interrupted},
            {"failure", supervised.failure.empty() ? Json() : Json(supervised.failure)},
            {"status", exit_status(supervised)},
            {"tasks", Json::array()}};
  for (TaskId id = 0; id < tasks.size(); ++id)
    json["tasks"].push_back(of(tasks[id], supervised.outcomes[id], report.rows[id]));
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace cosched_exec
