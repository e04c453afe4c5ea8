// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/duration.hpp"
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

/// With a break where nothing is known.
Points steps(const std::vector<Held>& held) {
  constexpr double kGap = 1e-3;  // s
  Points points;
  for (const Held& one : held) {
    if (!points.empty() && one.from - points.back().first > kGap)
      points.emplace_back(one.from, std::nan(""));
    points.emplace_back(one.from, one.value);
    points.emplace_back(one.to, one.value);
  }
  return points;
}

/// A value that holds for each stretch.
template <class Value>
Points steps(const Course& run, Value value) {
  std::vector<Held> held;
  for (const Moment& moment : run.moments)
    if (const std::optional<double> y = value(moment))
      held.push_back({moment.from, moment.time, *y});
  return steps(held);
}

double highest(const Points& points) {
  double most = 1;
  for (const auto& [x, y] : points)
    if (y > most) most = y;
  return most;
}

core::Picture panel(const Course& run, const std::string& y_label, Points points) {
  core::Picture picture;
  picture.y_label = y_label;
  picture.x_range = {0, std::max(run.end, 1e-3)};
  constexpr double kRoom = 1.1;
  picture.y_range = {0, kRoom * highest(points)};
  picture.series = {{"", std::move(points), core::Series::Style::line}};
  return picture;
}

core::Picture speeds(const Course& run, const std::vector<Task>& tasks) {
  core::Picture picture = panel(run, "speed / alone", {});
  picture.x_label = "time [s]";
  picture.key_below = true;
  picture.series.clear();
  for (TaskId id = 0; id < tasks.size(); ++id)
    picture.series.push_back({tasks.size() <= kMostNamed ? short_name(tasks[id].name) : "",
                              steps(run.speeds[id]), core::Series::Style::line});
  return picture;
}

}  // namespace

void write_plot(const std::string& path, const std::vector<Task>& tasks, Strategy strategy,
                const Course& run) {
  using Value = std::optional<double>;
  std::vector<core::Picture> panels{
      panel(run, "tasks running",
            steps(run, [](const Moment& m) -> Value { return static_cast<double>(m.running); })),
      panel(run, "combination speed", steps(run, [](const Moment& m) { return m.speed; })),
      panel(run, "fairness J", steps(run, [](const Moment& m) { return m.fairness; })),
      speeds(run, tasks)};
  panels.front().whole_y = true;
  panels.front().title = fmt::format(
      "{} task{} by {} in {}{}", tasks.size(), tasks.size() == 1 ? "" : "s", name_of(strategy),
      core::human_duration(run.end), run.moments.empty() ? ", nothing was measured" : "");
  core::write_picture(panels, path);
}

}  // namespace cosched_exec
