// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>
#include <ostream>

#include "cosched_exec/views/course.hpp"
#include "cosched_exec/views/report.hpp"

namespace cosched_exec {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kProcess = 1;
constexpr double kMicroseconds = 1e6;

/// Writes the events of the format one a line, as they come: a run can be long.
class Events {
 public:
  explicit Events(std::ostream& out) : out_(out) {}
  void add(const Json& event) {
    out_ << separator_ << event.dump(-1, ' ', false, Json::error_handler_t::replace);
    separator_ = ",\n";
  }

 private:
  std::ostream& out_;
  const char* separator_ = "";
};

void add_name(Events& events, const char* what, std::size_t row, const std::string& name) {
  events.add(
      {{"name", what}, {"ph", "M"}, {"pid", kProcess}, {"tid", row}, {"args", {{"name", name}}}});
}

void add_rows(Events& events, const std::vector<Task>& tasks) {
  add_name(events, "process_name", 0, "cosched_exec");
  for (TaskId id = 0; id < tasks.size(); ++id) {
    add_name(events, "thread_name", id + 1, tasks[id].name);
    events.add({{"name", "thread_sort_index"},
                {"ph", "M"},
                {"pid", kProcess},
                {"tid", id + 1},
                {"args", {{"sort_index", id + 1}}}});
  }
}

void add_spans(Events& events, const Course& run) {
  for (TaskId id = 0; id < run.spans.size(); ++id)
    for (const Span& span : run.spans[id])
      events.add({{"name", span.running ? "running" : "paused"},
                  {"cat", "task"},
                  {"ph", "X"},
                  {"pid", kProcess},
                  {"tid", id + 1},
                  {"ts", span.from * kMicroseconds},
                  {"dur", (span.to - span.from) * kMicroseconds},
                  {"cname", span.running ? "good" : "grey"}});
}

void add_counter(Events& events, const char* name, double time, double value) {
  events.add({{"name", name},
              {"ph", "C"},
              {"pid", kProcess},
              {"ts", time * kMicroseconds},
              {"args", {{name, value}}}});
}

void add_counters(Events& events, const Course& run) {
  for (const Moment& moment : run.moments) {
    add_counter(events, "tasks running", moment.from, static_cast<double>(moment.running));
    if (moment.speed) add_counter(events, "combination speed", moment.from, *moment.speed);
    if (moment.fairness) add_counter(events, "fairness", moment.time, *moment.fairness);
  }
}

/// Why each combination was chosen, as marks on the row of the process.
void add_decisions(Events& events, const Course& run) {
  for (const Chosen& chosen : run.choices)
    events.add({{"name", chosen.reason},
                {"cat", "decision"},
                {"ph", "i"},
                {"s", "p"},
                {"pid", kProcess},
                {"tid", 0},
                {"ts", chosen.time * kMicroseconds}});
}

}  // namespace

void write_timeline(std::ostream& out, const std::vector<Task>& tasks, const Course& run) {
  out << "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n";
  Events events(out);
  add_rows(events, tasks);
  add_spans(events, run);
  add_counters(events, run);
  add_decisions(events, run);
  out << "\n]}\n";
}

}  // namespace cosched_exec
