// SPDX-License-Identifier: BSD-3-Clause
// count_calls FILE COMMAND...: runs the command with the probe and writes to FILE how many MPI and
// OpenMP runtime calls were counted, or "not loaded". Exits as the command does.
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/process.hpp"
#include "cosched_exec/speed/calls.hpp"

int main(int argc, char** argv) try {
  if (argc < 3) return 2;
  const cosched_exec::CallCounter counter;
  core::SpawnOptions options;
  for (const auto& [name, value] : counter.environment())
    options.environment.emplace_back(name, value);
  core::Child child = core::spawn(std::vector<std::string>(argv + 2, argv + argc), options);
  const int status = core::wait_for(child);
  std::ofstream file(argv[1]);
  if (counter.loaded())
    file << counter.total() << '\n';
  else
    file << "not loaded\n";
  return status;
} catch (const core::Error& e) {
  std::fprintf(stderr, "count_calls: %s\n", e.what());
  return 125;
}
