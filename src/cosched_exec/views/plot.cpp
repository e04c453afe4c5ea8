// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "core/picture.hpp"
#include "cosched_exec/views/course.hpp"
#include "cosched_exec/views/report.hpp"

namespace cosched_exec {

namespace {

using Points = std::vector<std::pair<double, double>>;

/// A key of more tasks would be larger than the plot.
constexpr std::size_t kMostNamed = 12;
constexpr std::size_t kLongestName = 18;

std::string short_name(const std::string& name) {
  if (name.size() <= kLongestName) return name;
  std::size_t end = kLongestName - 1;
  while (end > 0 && (name[end] & 0xc0) == 0x80) --end;  // not in the middle of a character
  return name.substr(0, end) + "~";
}

/// A value that holds for each stretch, as steps.
template <class Value>
Points steps(const Course& run, Value value) {
  Points points;
  for (const Moment& moment : run.moments)
    if (const std::optional<double> y = value(moment)) {
      points.emplace_back(moment.from, *y);
      points.emplace_back(moment.time, *y);
    }
  return points;
}

double highest(const Points& points, double least) {
  for (const auto& [x, y] : points) least = std::max(least, y);
  return least;
}

core::Picture panel(const Course& run, const std::string& y_label, Points points) {
  core::Picture picture;
  picture.y_label = y_label;
  picture.x_range = {0, std::max(run.end, 1e-3)};
  constexpr double kRoom = 1.1;
  picture.y_range = {0, kRoom * highest(points, 1)};
  picture.key_outside = true;
  picture.series = {{"", std::move(points), core::Series::Style::line}};
  return picture;
}

core::Picture speeds(const Course& run, const std::vector<Task>& tasks) {
  core::Picture picture = panel(run, "speed / alone", {});
  picture.x_label = "time [s]";
  picture.series.clear();
  for (TaskId id = 0; id < tasks.size(); ++id)
    picture.series.push_back({tasks.size() <= kMostNamed ? short_name(tasks[id].name) : "",
                              run.speed[id], core::Series::Style::steps});
  return picture;
}

}  // namespace

void write_plot(const std::string& path, const std::vector<Task>& tasks, const Journal& journal) {
  const Course run = course(tasks.size(), journal);
  using Value = std::optional<double>;
  std::vector<core::Picture> panels{
      panel(run, "tasks running",
            steps(run, [](const Moment& m) -> Value { return static_cast<double>(m.running); })),
      panel(run, "combination speed", steps(run, [](const Moment& m) { return m.speed; })),
      panel(run, "fairness J", steps(run, [](const Moment& m) { return m.fairness; })),
      speeds(run, tasks)};
  panels.front().title = run.moments.empty() ? "The run (nothing was measured)" : "The run";
  core::write_picture(panels, path);
}

}  // namespace cosched_exec
