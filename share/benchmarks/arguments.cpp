// SPDX-License-Identifier: BSD-3-Clause
#include "arguments.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "core/number.hpp"

namespace benchmarks {

void Arguments::use(int index) { used_ |= std::uint64_t{1} << static_cast<unsigned>(index & 63); }

bool Arguments::used(int index) const {
  return ((used_ >> static_cast<unsigned>(index & 63)) & 1U) != 0;
}

void Arguments::refuse(std::string_view problem, std::string_view argument) const {
  std::fprintf(stderr, "%s: error: %.*s: %s\n", argc_ > 0 ? argv_[0] : "benchmark",
               static_cast<int>(problem.size()), problem.data(), core::quoted(argument).c_str());
  std::exit(2);
}

std::uint64_t Arguments::count(std::string_view name, std::uint64_t fallback, std::uint64_t least) {
  for (int i = 1; i < argc_; ++i) {
    if (used(i) || name != argv_[i]) continue;
    use(i);
    if (i + 1 == argc_) refuse("no number follows", name);
    const auto number = core::parse_count(argv_[i + 1], 1ULL << 50U);
    if (!number || *number < least) refuse("not a number in range", argv_[i + 1]);
    use(i + 1);
    return *number;
  }
  return fallback;
}

bool Arguments::flag(std::string_view name) {
  for (int i = 1; i < argc_; ++i)
    if (!used(i) && name == argv_[i]) {
      use(i);
      return true;
    }
  return false;
}

void Arguments::finish() const {
  if (argc_ > 64) refuse("too many arguments from", argv_[64]);
  for (int i = 1; i < argc_; ++i)
    if (!used(i)) refuse("unknown argument", argv_[i]);
}

void report_warm_up(double seconds) {
  std::printf("warm %s\n", core::print_number(seconds).c_str());
  std::fflush(stdout);
}

void report_run(std::uint64_t run, double seconds, bool right) {
  std::printf("time %ju %s %s\n", static_cast<std::uintmax_t>(run),
              core::print_number(seconds).c_str(), right ? "ok" : "wrong");
  std::fflush(stdout);
}

void report_pair(std::uint64_t run, double seconds, bool right, std::uint32_t peer,
                 std::uint32_t part) {
  std::printf("time %ju %s %s %u %u\n", static_cast<std::uintmax_t>(run),
              core::print_number(seconds).c_str(), right ? "ok" : "wrong", peer, part);
  std::fflush(stdout);
}

void report_done() {
  std::puts("done");
  std::fflush(stdout);
}

void report_failure(std::string_view sentence) {
  std::printf("fail %.*s\n", static_cast<int>(sentence.size()), sentence.data());
  std::fflush(stdout);
}

double now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace benchmarks
