// SPDX-License-Identifier: BSD-3-Clause
// Nothing but computing, in THREADS threads that never wait for each other: a step is some 2.5 ms
// in each.
#include <thread>

#include "steps.hpp"
#include "work.hpp"

int main(int argc, char** argv) {
  Steps steps(argc, argv, " THREADS", 1);
  const int threads = std::atoi(steps.own(0).c_str());
  if (threads < 1) return 2;
  std::vector<double> results(static_cast<std::size_t>(threads));
  std::vector<std::thread> others;
  const auto compute = [&](std::size_t thread) {
    double x = 1;
    for (long step = 1; step <= steps.total(); ++step) {
      x = multiply(x, 700);
      if (thread == 0) steps.done(step);
    }
    results[thread] = x;
  };
  for (std::size_t thread = 1; thread < results.size(); ++thread)
    others.emplace_back(compute, thread);
  compute(0);
  for (auto& other : others) other.join();
  return finish(results.back());
}
