// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>
#include <ostream>
#include <variant>

#include "cosched_exec/views/report.hpp"

namespace cosched_exec {

namespace {

using Json = nlohmann::ordered_json;

class Line {
 public:
  Line(const std::vector<Task>& tasks, double time) : tasks_(tasks) { json_["time"] = time; }

  Json take(const TaskStarted& started) {
    json_["event"] = "start";
    json_["task"] = name_of(started.task);
    return json_;
  }
  Json take(const TaskEnded& ended) {
    json_["event"] = "end";
    json_["task"] = name_of(ended.task);
    json_["status"] = ended.status;
    json_["signal"] = ended.signal;
    json_["cpu"] = ended.cpu;
    return json_;
  }
  Json take(const Decided& decided) {
    const Decision& decision = decided.decision;
    json_["event"] = "decision";
    json_["run"] = names_of(decision.run);
    json_["reason"] = decision.reason;
    json_["probe"] = decision.probe;
    json_["seconds"] = decision.seconds;
    json_["speed"] = decision.speed > 0 ? Json(decision.speed) : Json();
    return json_;
  }
  Json take(const Observed& observed) {
    json_["event"] = "observation";
    json_["ran"] = names_of(observed.ran);
    json_["seconds"] = observed.seconds;
    json_["speeds"] = Json::array();
    for (const Observed::Speed& speed : observed.speeds) json_["speeds"].push_back(of(speed));
    return json_;
  }
  Json take(const Noted& noted) {
    json_["event"] = "note";
    json_["task"] = noted.task ? Json(name_of(*noted.task)) : Json();
    json_["text"] = noted.sentence;
    return json_;
  }

 private:
  std::string name_of(TaskId id) const {
    return id < tasks_.size() ? tasks_[id].name : std::to_string(id + 1);
  }
  Json names_of(const Combination& combination) const {
    Json names = Json::array();
    for (const TaskId id : combination) names.push_back(name_of(id));
    return names;
  }
  Json of(const Observed::Speed& speed) const {
    return {{"task", name_of(speed.task)},
            {"measure", name(speed.source)},
            {"rate", speed.rate ? Json(*speed.rate) : Json()},
            {"relative", speed.relative ? Json(*speed.relative) : Json()},
            {"spins", speed.spins}};
  }

  const std::vector<Task>& tasks_;
  Json json_;
};

}  // namespace

void write_trace(std::ostream& out, const std::vector<Task>& tasks, const Event& event) {
  Line line(tasks, event.time);
  const Json json = std::visit([&](const auto& what) { return line.take(what); }, event.what);
  out << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace cosched_exec
