// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/run.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "core/output_file.hpp"
#include "spare_plan/standby/open.hpp"
#include "spare_plan/standby/tell.hpp"

namespace spare_plan::standby {
namespace {

std::uint32_t standby_nodes(std::span<const Job> jobs, double p0) {
  Demand demand(std::ranges::max(jobs, {}, &Job::nodes).nodes);
  for (const auto& job : jobs) demand.add(job.nodes);
  return demand.quantile(p0);
}

}  // namespace

int print_standby(const Given& given) {
  const double p0 = share_of(given);
  const auto window = window_of(given);
  const auto history = history_of(given);
  const auto jobs = last_window(history.jobs, window);
  core::write_output(given.output, fmt::format("{}\n", standby_nodes(jobs, p0)));
  return 0;
}

}  // namespace spare_plan::standby
