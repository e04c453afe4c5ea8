// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/simulate/measures.hpp"

#include <algorithm>

namespace spare_plan::standby {
namespace {

constexpr double kShortestRun = 10;  // s, of the bounded slowdown

double kwh_of(const Course& course, const Machine& machine, const Watts& watts) {
  const auto& s = course.seconds;
  const double off = machine.nodes * (course.end - course.begin) - s.on();
  return (watts.on * (s.busy + s.idle) + watts.boot * (s.boot + s.shutdown) + watts.off * off) /
         3.6e6;
}

}  // namespace

Measures measure(std::span<const Job> jobs, const Machine& machine, const Course& course,
                 const Course& all_on, const std::optional<Watts>& watts) {
  Measures measures;
  measures.jobs = jobs.size();
  measures.seconds = course.seconds;
  measures.energy = course.seconds.on();
  measures.wakes = course.wakes;
  measures.shuts = course.shuts;
  measures.nodes_last = course.nodes_after_submit.back();
  measures.begin = course.begin;
  measures.end = course.end;
  double slowdowns = 0, waits = 0, extra = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const double wait = course.starts[i] - jobs[i].submit, run = jobs[i].run;
    slowdowns += std::max((wait + run) / std::max(run, kShortestRun), 1.0);
    waits += wait;
    measures.max_wait = std::max(measures.max_wait, wait);
    extra += course.starts[i] - all_on.starts[i];
    measures.delayed_by_boot += course.starts[i] > all_on.starts[i];
  }
  const auto count = static_cast<double>(jobs.size());
  measures.mean_bounded_slowdown = slowdowns / count;
  measures.mean_wait = waits / count;
  measures.mean_extra_wait = extra / count;
  const double days = (course.end - course.begin) / 86400;
  if (days > 0)
    measures.boots_per_node_day = static_cast<double>(course.wakes) / machine.nodes / days;
  if (watts) measures.kwh = kwh_of(course, machine, *watts);
  return measures;
}

}  // namespace spare_plan::standby
