// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/simulate/run.hpp"

#include "core/error.hpp"
#include "core/output_file.hpp"
#include "spare_plan/standby/open.hpp"
#include "spare_plan/standby/simulate/plot.hpp"

namespace spare_plan::standby {

int print_simulation(const Given& given, const SimulationGiven& simulation) {
  const auto machine = machine_of(given, simulation);
  const auto settings = runs_of(given, simulation);
  const auto watts = watts_of(simulation);
  if (given.plot) core::check_picture_path(*given.plot);
  const auto history = history_of(given);

  auto all_nodes_on = settings.front();
  all_nodes_on.policy = Policy::all_on;
  const auto all_on = simulate(history.jobs, machine, all_nodes_on);
  if (!(all_on.seconds.on() > 0))
    throw core::Error(history.name +
                      ": no time passes from its first submit to its last end, so there is no "
                      "energy to compare");
  std::vector<Simulated> runs;
  for (const auto& one : settings) {
    const bool known = one.policy == Policy::all_on;
    const auto& course = known ? all_on : simulate(history.jobs, machine, one);
    runs.push_back({one, measure(history.jobs, machine, course, all_on, watts)});
  }
  const double energy = all_on.seconds.on();
  if (given.plot) core::write_picture(compromise_pictures(runs, energy), *given.plot);
  core::write_output(given.output, given.json ? simulation_json(runs, history, energy)
                                              : simulation_table(runs, energy));
  return 0;
}

}  // namespace spare_plan::standby
