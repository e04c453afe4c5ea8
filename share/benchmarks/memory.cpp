// SPDX-License-Identifier: BSD-3-Clause
// memory: a triad a = b + 3 c over arrays much larger than the caches, `repeats` times a run, each
// thread on the part that it touched first. Prints `warm SECONDS` and `time RUN SECONDS ok|wrong`.
#include <omp.h>

#include <cstdio>
#include <memory>

#include "arguments.hpp"

namespace {

class Benchmark {
 public:
  Benchmark(std::size_t length, int threads, unsigned repeats)
      : length_(length),
        threads_(threads),
        repeats_(repeats),
        a_(new double[length]),
        b_(new double[length]),
        c_(new double[length]) {
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::size_t i = 0; i < length_; ++i) {
      a_[i] = 0;
      b_[i] = static_cast<double>(i % 1024);
      c_[i] = static_cast<double>(i % 512);
    }
  }

  double run() {
    const double start = benchmarks::now();
    for (unsigned repeat = 0; repeat < repeats_; ++repeat) {
      double* const a = a_.get();
      const double *const b = b_.get(), *const c = c_.get();
#pragma omp parallel for num_threads(threads_) schedule(static)
      for (std::size_t i = 0; i < length_; ++i) a[i] = b[i] + 3.0 * c[i];
    }
    return benchmarks::now() - start;
  }

  /// Whole numbers: the result is exact. Counted, not stopped at, so that all of it is read.
  bool right() const {
    std::size_t wrong = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(+ : wrong)
    for (std::size_t i = 0; i < length_; ++i)
      wrong += a_[i] != static_cast<double>(i % 1024) + 3.0 * static_cast<double>(i % 512);
    return wrong == 0;
  }

 private:
  std::size_t length_;
  int threads_;
  unsigned repeats_;
  std::unique_ptr<double[]> a_, b_, c_;
};

}  // namespace

int main(int argc, char** argv) {
  benchmarks::Arguments arguments(argc, argv);
  const std::uint64_t bytes = arguments.count("--array-bytes", 64U << 20U, sizeof(double));
  const auto threads = static_cast<int>(arguments.count("--threads", 1));
  const auto repeats = static_cast<unsigned>(arguments.count("--repeats", 4));
  const std::uint64_t warm_ups = arguments.count("--warmup", 1, 0);
  const std::uint64_t runs = arguments.count("--runs", 3);
  arguments.finish();
  omp_set_dynamic(0);

  const double start = benchmarks::now();
  Benchmark benchmark(bytes / sizeof(double), threads, repeats);
  for (std::uint64_t i = 0; i < warm_ups; ++i) benchmark.run();
  benchmarks::report_warm_up(benchmarks::now() - start);
  for (std::uint64_t run = 0; run < runs; ++run) {
    const double seconds = benchmark.run();
    benchmarks::report_run(run, seconds, benchmark.right());
  }
  return 0;
}
