// SPDX-License-Identifier: BSD-3-Clause
// compute: every thread multiplies n x n matrices with OpenBLAS, `repeats` times a run, and the
// results are checked. The work of a thread is fixed, so equal hosts take equal times however many
// threads they run. Prints `warm SECONDS` and `time RUN SECONDS ok|wrong`.
#include <cblas.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "arguments.hpp"
#include "gemm_check.hpp"

namespace {

struct Settings {
  std::size_t n = 0;
  unsigned repeats = 0, threads = 0;
};

/// The matrices of one thread, first touched by it.
struct Work {
  benchmarks::Square a, b, c;
  Work(std::size_t n, unsigned seed)
      : a(benchmarks::small_integers(n, 2 * seed + 1)),
        b(benchmarks::small_integers(n, 2 * seed + 2)),
        c{n, std::vector<double>(n * n)} {}
};

/// c += a b.
void multiply(Work& work) {
  const auto n = static_cast<blasint>(work.a.n);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, work.a.values.data(), n,
              work.b.values.data(), n, 1.0, work.c.values.data(), n);
}

class Benchmark {
 public:
  explicit Benchmark(const Settings& settings) : settings_(settings), work_(settings.threads) {
    // Inside a parallel region OpenBLAS uses the calling thread alone.
#pragma omp parallel num_threads(static_cast <int>(settings_.threads))
    {
      const auto self = static_cast<unsigned>(omp_get_thread_num());
      work_[self] = std::make_unique<Work>(settings_.n, self);
    }
  }

  /// Seconds from the common start to the end of the slowest thread.
  double run() {
    for (const auto& work : work_) std::fill(work->c.values.begin(), work->c.values.end(), 0.0);
    const double start = benchmarks::now();
#pragma omp parallel num_threads(static_cast <int>(settings_.threads))
    for (unsigned i = 0; i < settings_.repeats; ++i)
      multiply(*work_[static_cast<unsigned>(omp_get_thread_num())]);
    return benchmarks::now() - start;
  }

  void spoil() { work_.back()->c.values.back() += 1; }

  bool right() const {
    return std::all_of(work_.begin(), work_.end(), [&](const auto& work) {
      return benchmarks::product_is_right(work->c, work->a, work->b, settings_.repeats);
    });
  }

 private:
  Settings settings_;
  std::vector<std::unique_ptr<Work>> work_;
};

}  // namespace

int main(int argc, char** argv) {
  benchmarks::Arguments arguments(argc, argv);
  Settings settings;
  settings.n = arguments.count("--size", 512, 2);
  settings.repeats = static_cast<unsigned>(arguments.count("--repeats", 10));
  settings.threads = static_cast<unsigned>(arguments.count("--threads", 1));
  const std::uint64_t warm_ups = arguments.count("--warmup", 1, 0);
  const std::uint64_t runs = arguments.count("--runs", 3);
  const bool spoil = arguments.flag("--spoil");  // for tests: plants an error in the last run
  arguments.finish();
  omp_set_dynamic(0);

  const double start = benchmarks::now();
  Benchmark benchmark(settings);
  for (std::uint64_t i = 0; i < warm_ups; ++i) benchmark.run();
  benchmarks::report_warm_up(benchmarks::now() - start);
  for (std::uint64_t run = 0; run < runs; ++run) {
    const double seconds = benchmark.run();
    if (spoil && run + 1 == runs) benchmark.spoil();
    benchmarks::report_run(run, seconds, benchmark.right());
  }
  return 0;
}
