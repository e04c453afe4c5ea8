// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

namespace benchmarks {

/// Arguments of the form `--name value` in any order. Whatever is wrong ends the program with
/// status 2 and a sentence on stderr.
class Arguments {
 public:
  Arguments(int argc, char** argv) : argc_(argc), argv_(argv) {}
  /// A whole number from `least` on, or `fallback` when the option is not given.
  std::uint64_t count(std::string_view name, std::uint64_t fallback, std::uint64_t least = 1);
  bool flag(std::string_view name);
  /// To be called last: ends the program when an argument was not asked for.
  void finish() const;

 private:
  [[noreturn]] void refuse(std::string_view problem, std::string_view argument) const;
  void use(int index);
  bool used(int index) const;

  int argc_;
  char** argv_;
  std::uint64_t used_ = 0;  ///< bit i: argv[i] was understood
};

/// One line of the form benchrun's rank program reads, flushed at once.
void report_warm_up(double seconds);
void report_run(std::uint64_t run, double seconds, bool right);
/// Of an exchange with the host of another rank; part: of which of the program's benchmarks, from
/// 0.
void report_pair(std::uint64_t run, double seconds, bool right, std::uint32_t peer,
                 std::uint32_t part);
/// Nothing more comes, however long the program takes to end.
void report_done();
/// Why the program ends without times, in one sentence.
void report_failure(std::string_view sentence);

/// Seconds of a clock that nobody sets.
double now();

}  // namespace benchmarks
