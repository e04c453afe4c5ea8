// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/simulate/run.hpp"

#include <utility>

#include "core/output_file.hpp"
#include "spare_plan/standby/open.hpp"
#include "spare_plan/standby/simulate/report.hpp"

namespace spare_plan::standby {

int print_simulation(const Given& given, const SimulationGiven& simulation) {
  const auto machine = machine_of(given, simulation);
  auto settings = settings_of(given, simulation);
  const auto policies = policies_of(simulation);
  const auto watts = watts_of(simulation);
  const auto history = history_of(given);

  settings.policy = Policy::all_on;
  const auto all_on = simulate(history.jobs, machine, settings);
  std::vector<Run> runs;
  for (const auto policy : policies) {
    settings.policy = policy;
    auto course = policy == Policy::all_on ? all_on : simulate(history.jobs, machine, settings);
    const auto measures = measure(history.jobs, machine, course, all_on, watts);
    runs.push_back({settings, std::move(course), measures});
  }
  const double energy = all_on.seconds.on();
  core::write_output(given.output, given.json ? simulation_json(runs, history, energy)
                                              : simulation_table(runs, energy));
  return 0;
}

}  // namespace spare_plan::standby
