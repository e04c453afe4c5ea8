// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/speed/meter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "burner.hpp"

namespace cosched_exec {
namespace {

using testing::HasSubstr;

double cpu_of(pid_t process) {
  ProcessTimes times;
  Reading reading;
  times.read(std::vector<pid_t>{process}, 0, Detail::totals, reading);
  return reading.cpu;
}

struct Stretch {
  Observation seen;
  double most;  ///< CPU seconds from before the stretch until after it
};

/// Lets a meter look at a process until it has used so many CPU seconds more.
Stretch stretch(Meter& meter, pid_t process, double cpu) {
  const std::vector<pid_t> processes{process};
  const double before = cpu_of(process);
  meter.begin(processes, 0);
  const double start = cpu_of(process);
  EXPECT_TRUE(comes_true([&] { return cpu_of(process) - start >= cpu; }));
  const Observation seen = meter.end(processes, 0);
  return {seen, cpu_of(process) - before};
}

TEST(Meter, MeasuresAComputingTaskByItsCpuTime) {
  Burner task([] { in_threads(1, [] { burn(1); }); });
  Meter meter(5, SpeedWish::automatic, {});
  const auto [seen, most] = stretch(meter, task.pid(), 0.1);
  EXPECT_EQ(meter.source(), Source::cputime);
  EXPECT_EQ(seen.task, 5U);
  ASSERT_TRUE(seen.amount);
  EXPECT_GE(*seen.amount, 0.1);
  EXPECT_LE(*seen.amount, most);
  EXPECT_FALSE(meter.spins());
  EXPECT_EQ(meter.missing(), "");
  EXPECT_LE(meter.cpu(), task.end(SIGKILL) + 0.02);
}

TEST(Meter, DoesNotJudgeASpinnerByItsCpuTimeNorByInstructions) {
  for (const SpeedWish wish : {SpeedWish::automatic, SpeedWish::cputime, SpeedWish::ipc}) {
    Burner task([] { in_threads(2, [] { burn(1); }); });
    Meter meter(0, wish, {});
    const Observation seen = stretch(meter, task.pid(), 0.1).seen;
    if (seen.waiting + seen.cpu < 1.5) GTEST_SKIP() << "no schedstat here";
    EXPECT_TRUE(meter.spins());
    EXPECT_TRUE(seen.spins);
    EXPECT_EQ(meter.source(), Source::none);
    EXPECT_FALSE(seen.amount);
    stretch(meter, task.pid(), 0.1);
    EXPECT_EQ(meter.missing().empty(), wish == SpeedWish::automatic);
    EXPECT_THAT(meter.missing(), HasSubstr(wish == SpeedWish::automatic ? "" : "busy-waits"));
  }
}

TEST(Meter, MeasuresASpinnerByTheLinesThatItShows) {
  Burner task([] { in_threads(2, [] { burn(1); }); });
  Meter::Parts parts;
  parts.progress.emplace(ProgressSpec{}, ".");
  Meter meter(0, SpeedWish::automatic, std::move(parts));
  meter.feed("first\n");
  const std::vector<pid_t> processes{task.pid()};
  stretch(meter, task.pid(), 0.1);
  meter.begin(processes, 0);
  meter.feed("second\nthird\n");
  ASSERT_TRUE(comes_true([&] { return cpu_of(task.pid()) > meter.cpu() + 0.1; }));
  const Observation seen = meter.end(processes, 0);
  EXPECT_EQ(meter.source(), Source::progress);
  EXPECT_DOUBLE_EQ(seen.amount.value_or(-1), 2);
  EXPECT_DOUBLE_EQ(seen.events, 2);
}

TEST(Meter, LetsASleeperCountAsUnhindered) {
  Burner task([] { in_threads(1, [] { ::pause(); }); });
  Meter meter(0, SpeedWish::automatic, {});
  const std::vector<pid_t> processes{task.pid()};
  meter.begin(processes, 0);
  burn(0.05);  // some time has to pass
  const Observation seen = meter.end(processes, 0);
  EXPECT_LT(seen.cpu, 0.1);
  EXPECT_LT(seen.busy_threads, 1);
  EXPECT_FALSE(meter.spins());
}

/// Counters that always give an IPC of 0.5.
class EvenPerf : public PerfApi {
 public:
  int open(const perf_event_attr& attr, pid_t) override {
    const bool refused = only_cycles && attr.config == PERF_COUNT_HW_INSTRUCTIONS;
    return refused ? -ENOENT : attr.config == PERF_COUNT_HW_INSTRUCTIONS ? 1 : 2;
  }
  bool read(int fd, Value& value) override {
    const std::uint64_t times = ++reads_[fd] * 1'000'000;
    value = {times * static_cast<unsigned>(fd), times, times};
    return true;
  }
  void close(int) override {}
  std::vector<std::uint32_t> core_pmus() override { return {}; }
  std::optional<int> paranoid() override { return 2; }
  bool only_cycles = false;

 private:
  std::map<int, std::uint64_t> reads_;
};

TEST(Meter, MultipliesInstructionsPerCycleWithCpuSeconds) {
  EvenPerf perf;
  Burner task([] { in_threads(1, [] { burn(1); }); });
  Meter::Parts parts;
  parts.counters.emplace(perf, task.pid());
  Meter meter(0, SpeedWish::ipc, std::move(parts));
  const auto [seen, most] = stretch(meter, task.pid(), 0.1);
  EXPECT_EQ(meter.source(), Source::ipc);
  EXPECT_GE(seen.amount.value_or(0), 0.5 * 0.1);
  EXPECT_LE(seen.amount.value_or(9), 0.5 * most);
}

TEST(Meter, SaysWhyAWishCannotBeMetAndWhatIsTakenInstead) {
  EvenPerf perf;
  perf.only_cycles = true;
  Burner task([] { in_threads(1, [] { burn(1); }); });
  Meter::Parts parts;
  parts.counters.emplace(perf, task.pid());
  Meter meter(0, SpeedWish::ipc, std::move(parts));
  EXPECT_EQ(meter.missing(), "");
  stretch(meter, task.pid(), 0.05);
  EXPECT_EQ(meter.missing(), "only cycles are counted here, no instructions; cputime instead");

  Meter shown(0, SpeedWish::progress, {});
  stretch(shown, task.pid(), 0.05);
  EXPECT_THAT(shown.missing(), HasSubstr("how the task shows its progress; cputime instead"));

  Meter::Parts unloaded;
  unloaded.calls.emplace(core::CallProbe::Task::count);
  Meter called(0, SpeedWish::calls, std::move(unloaded));
  stretch(called, task.pid(), 0.05);
  EXPECT_EQ(called.missing(), "");  // may still load the probe
  stretch(called, task.pid(), 0.05);
  EXPECT_THAT(called.missing(), HasSubstr("cannot be counted"));
}

TEST(Meter, OfATreeWhoseProcessesEndNeverGoesBack) {
  Burner parent([] {
    for (;;) {
      Burner first([] { burn(0.02); }), second([] { burn(0.03); });
      first.end();
      second.end();
    }
  });
  Meter meter(0, SpeedWish::automatic, {});
  double last = 0;
  for (int i = 0; i < 20; ++i) {
    burn(0.01);
    const std::vector<pid_t> processes{parent.pid()};
    const Observation seen = i == 0 ? Observation() : meter.end(processes, 0);
    if (i == 0) meter.begin(processes, 0);
    EXPECT_GE(seen.amount.value_or(0), 0);
    EXPECT_GE(meter.cpu(), last);
    last = meter.cpu();
  }
}

}  // namespace
}  // namespace cosched_exec
