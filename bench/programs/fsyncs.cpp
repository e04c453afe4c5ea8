// SPDX-License-Identifier: BSD-3-Clause
// A program that waits for its disk: a step writes 64 KiB into FILE and waits for fsync.
#include "steps.hpp"

int main(int argc, char** argv) {
  Steps steps(argc, argv, " FILE", 1);
  const std::string& path = steps.own(0);
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  std::vector<char> block(64u << 10);
  for (long step = 1; file >= 0 && step <= steps.total(); ++step) {
    std::memset(block.data(), static_cast<int>(step % 251), block.size());
    const auto at = static_cast<off_t>(step % 64) * static_cast<off_t>(block.size());
    if (pwrite(file, block.data(), block.size(), at) != static_cast<ssize_t>(block.size()) ||
        fsync(file) != 0)
      break;
    steps.done(step);
    if (step == steps.total()) return finish(block.front());
  }
  std::perror(path.c_str());
  return 1;
}
