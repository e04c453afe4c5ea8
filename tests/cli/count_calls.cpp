// SPDX-License-Identifier: BSD-3-Clause
// count_calls [--time] FILE COMMAND...: runs the command with the probe and writes to FILE how many
// MPI and OpenMP runtime calls were counted, or "not loaded"; with --time, the seconds of the
// measured part that it computed and that it was inside MPI, or "not known". Exits as the command
// does.
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "core/call_probe.hpp"
#include "core/error.hpp"
#include "core/process.hpp"

int main(int argc, char** argv) try {
  const bool time = argc > 1 && std::string(argv[1]) == "--time";
  const int first = time ? 2 : 1;
  if (argc < first + 2) return 2;
  const core::CallProbe probe(time ? core::CallProbe::Task::time : core::CallProbe::Task::count);
  core::SpawnOptions options;
  for (const auto& [name, value] : probe.environment())
    options.environment.emplace_back(name, value);
  core::Child child = core::spawn(std::vector<std::string>(argv + first + 1, argv + argc), options);
  const int status = core::wait_for(child);
  const core::Split split = probe.split();
  std::ofstream file(argv[first]);
  if (time && split.known())
    file << split.compute << ' ' << split.mpi << '\n';
  else if (time)
    file << "not known\n";
  else if (probe.loaded())
    file << probe.total() << '\n';
  else
    file << "not loaded\n";
  return status;
} catch (const core::Error& e) {
  std::fprintf(stderr, "count_calls: %s\n", e.what());
  return 125;
}
