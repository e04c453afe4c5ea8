// SPDX-License-Identifier: BSD-3-Clause
// A program that computes and sleeps by turns: a step is some 5 ms of each.
#include <thread>

#include "steps.hpp"
#include "work.hpp"

int main(int argc, char** argv) {
  Steps steps(argc, argv, "", 0);
  double x = 1;
  for (long step = 1; step <= steps.total(); ++step) {
    x = multiply(x, 1500);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    steps.done(step);
  }
  return finish(x);
}
