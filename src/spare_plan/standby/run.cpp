// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/run.hpp"

#include <fmt/format.h>

#include <iostream>

#include "core/output_file.hpp"
#include "spare_plan/standby/open.hpp"
#include "spare_plan/standby/report.hpp"

namespace spare_plan::standby {
namespace {

/// The bootstrap takes longer than all else.
bool needs_analysis(const Given& given) { return given.json || given.explain || given.plot; }

std::string answer(const Given& given, const JobHistory& history, const Window& window, double p0) {
  const auto jobs = last_window(history.jobs, window);
  if (given.group_by) return groups_text(standby_nodes_by_group(history, jobs, p0));
  return fmt::format("{}\n", standby_nodes(jobs, p0));
}

}  // namespace

int print_standby(const Given& given) {
  const double p0 = share_of(given);
  const auto window = window_of(given);
  const auto group_by = reading_of(given).group_by;
  if (given.plot) core::check_picture_path(*given.plot);
  const auto history = history_of(given);
  auto text = given.json ? std::string() : answer(given, history, window, p0);
  if (needs_analysis(given)) {
    const auto analysis = analyse(history, window, p0);
    if (given.plot) core::write_picture(distribution_picture(analysis), *given.plot);
    if (given.explain) std::cerr << explanation(analysis, history);
    if (given.json) text = analysis_json(analysis, history, group_by);
  }
  core::write_output(given.output, text);
  return 0;
}

}  // namespace spare_plan::standby
