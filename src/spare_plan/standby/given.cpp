// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/given.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/number.hpp"

namespace spare_plan::standby {
namespace {

[[noreturn]] void wrong(const std::string& sentence) {
  throw core::Error(sentence, core::ExitStatus::usage);
}

GroupBy group_by_of(const Given& given) {
  if (!given.group_by) return GroupBy::none;
  if (*given.group_by == "partition") return GroupBy::partition;
  if (*given.group_by == "feature") return GroupBy::feature;
  wrong(fmt::format("--group-by: {} is neither partition nor feature",
                    core::quoted(*given.group_by)));
}

}  // namespace

double share_of(const Given& given) {
  const double p0 = given.p0.value_or(kDefaultShare);
  if (!(p0 > 0 && p0 <= 1)) wrong("--p0 must be above 0 and at most 1, as 0.9 for 90 %");
  return p0;
}

Window window_of(const Given& given) {
  constexpr double kDay = 86400;
  if (given.window_jobs.has_value() + given.window.has_value() + given.window_days.has_value() +
          given.window_seconds.has_value() >
      1)
    wrong("give one of --window-jobs, --window, --window-days and --window-seconds");
  Window window{given.window_jobs, given.window};
  if (given.window_days) window.seconds = *given.window_days * kDay;
  if (given.window_seconds) window.seconds = *given.window_seconds;
  if (window.seconds && !(*window.seconds >= 0)) wrong("a window must not be negative");
  return window;
}

Reading reading_of(const Given& given) {
  Reading reading;
  if (given.ppn) reading.processors_per_node = static_cast<std::uint32_t>(*given.ppn);
  if (given.nodes) reading.machine = static_cast<std::uint32_t>(*given.nodes);
  reading.group_by = group_by_of(given);
  return reading;
}

}  // namespace spare_plan::standby
