// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/speed/counters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <iostream>
#include <map>

#include "core/process.hpp"

namespace cosched_exec {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kMs = 1'000'000;  // ns

/// A kernel whose counters a test sets by hand. Descriptors: 10, 11, ... in the order of opening.
class FakePerf : public PerfApi {
 public:
  int open(const perf_event_attr& attr, pid_t pid) override {
    attrs.push_back(attr);
    pids.push_back(pid);
    const int error = refuse ? refuse(attr) : 0;
    if (error != 0) return -error;
    events[next] = attr;
    return next++;
  }
  bool read(int fd, Value& value) override {
    value = values[fd];
    return gone != fd;
  }
  void close(int fd) override { events.erase(fd); }
  std::vector<std::uint32_t> core_pmus() override { return pmus; }
  std::optional<int> paranoid() override { return level; }

  /// Of the event with that config: adds a count and ns.
  void count(std::uint64_t config, std::uint64_t value, std::uint64_t enabled,
             std::uint64_t running) {
    for (const auto& [fd, attr] : events)
      if (attr.config == config) {
        values[fd].value += value;
        values[fd].enabled += enabled;
        values[fd].running += running;
      }
  }

  std::function<int(const perf_event_attr&)> refuse;
  std::vector<std::uint32_t> pmus;
  std::optional<int> level;
  int gone = -1, next = 10;
  std::vector<perf_event_attr> attrs;
  std::vector<pid_t> pids;
  std::map<int, perf_event_attr> events;
  std::map<int, Value> values;
};

constexpr std::uint64_t kInstructions = PERF_COUNT_HW_INSTRUCTIONS,
                        kCycles = PERF_COUNT_HW_CPU_CYCLES;

TEST(Counters, AreOpenedToBeInheritedFromTheExecOnAndToTellTheirTimes) {
  FakePerf perf;
  Counters counters(perf, 4711);
  ASSERT_EQ(perf.attrs.size(), 2U);
  EXPECT_EQ(perf.pids, (std::vector<pid_t>{4711, 4711}));
  for (const perf_event_attr& attr : perf.attrs) {
    EXPECT_EQ(attr.type, static_cast<unsigned>(PERF_TYPE_HARDWARE));
    EXPECT_EQ(attr.size, sizeof(perf_event_attr));
    EXPECT_TRUE(attr.inherit && attr.disabled && attr.enable_on_exec && attr.exclude_hv);
    EXPECT_FALSE(attr.exclude_kernel);
    EXPECT_EQ(attr.read_format, PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
  }
  EXPECT_EQ(perf.attrs[0].config, kInstructions);
  EXPECT_EQ(perf.attrs[1].config, kCycles);
  EXPECT_EQ(counters.missing(), "");
}

TEST(Counters, AreClosedWithTheirOwner) {
  FakePerf perf;
  {
    Counters first(perf, 1);
    const Counters second(std::move(first));
    EXPECT_EQ(perf.events.size(), 2U);
  }
  EXPECT_TRUE(perf.events.empty());
}

TEST(Counters, ScaleEachStretchByItsOwnShareOfRunning) {
  FakePerf perf;
  Counters counters(perf, 1);
  perf.count(kInstructions, 1000, 100 * kMs, 100 * kMs);
  perf.count(kCycles, 2000, 100 * kMs, 100 * kMs);
  EXPECT_DOUBLE_EQ(*counters.read().instructions, 1000);
  perf.count(kInstructions, 1000, 100 * kMs, 50 * kMs);
  perf.count(kCycles, 1000, 100 * kMs, 25 * kMs);
  const Counters::Counts counts = counters.read();
  EXPECT_DOUBLE_EQ(*counts.instructions, 1000 + 2000);
  EXPECT_DOUBLE_EQ(*counts.cycles, 2000 + 4000);
}

TEST(Counters, GiveNothingForAStretchInWhichTheyHardlyRan) {
  FakePerf perf;
  Counters counters(perf, 1);
  perf.count(kInstructions, 1000, 100 * kMs, 100 * kMs);
  perf.count(kCycles, 1000, 100 * kMs, 100 * kMs);
  counters.read();
  perf.count(kInstructions, 0, 100 * kMs, 0);
  perf.count(kCycles, 190, 100 * kMs, 19 * kMs);
  const Counters::Counts starved = counters.read();
  EXPECT_FALSE(starved.instructions);
  EXPECT_FALSE(starved.cycles);
  EXPECT_THAT(counters.missing(), HasSubstr("taken by others"));
  EXPECT_DOUBLE_EQ(*counters.totals().instructions, 1000);

  perf.count(kInstructions, 210, 100 * kMs, 21 * kMs);
  perf.count(kCycles, 210, 100 * kMs, 21 * kMs);
  EXPECT_NEAR(*counters.read().instructions, 1000 + 1000, 1e-6);
  EXPECT_EQ(counters.missing(), "");
}

TEST(Counters, KeepTheirTotalsWhileTheTaskIsPausedOrHasHadNoTurnYet) {
  FakePerf perf;
  Counters counters(perf, 1);
  EXPECT_DOUBLE_EQ(counters.read().instructions.value(), 0);
  perf.count(kInstructions, 1000, 100 * kMs, 100 * kMs);
  counters.read();
  EXPECT_DOUBLE_EQ(counters.read().instructions.value(), 1000);
  perf.count(kInstructions, 0, 2 * kMs, 0);  // others have the counter for these 2 ms
  EXPECT_DOUBLE_EQ(counters.read().instructions.value(), 1000);
  perf.count(kInstructions, 500, 8 * kMs, 5 * kMs);
  EXPECT_DOUBLE_EQ(counters.read().instructions.value(), 1000 + 1000);
}

TEST(Counters, AddUpTheKindsOfCoresOfAHybridProcessor) {
  FakePerf perf;
  perf.pmus = {4, 10};
  Counters counters(perf, 1);
  ASSERT_EQ(perf.attrs.size(), 4U);
  const auto on = [](std::uint64_t pmu, std::uint64_t event) { return pmu << 32 | event; };
  // 100 ms, of them 60 on a big core and 40 on a small one: nothing was missed.
  perf.count(on(4, kInstructions), 6000, 100 * kMs, 60 * kMs);
  perf.count(on(10, kInstructions), 1000, 100 * kMs, 40 * kMs);
  perf.count(on(4, kCycles), 3000, 100 * kMs, 60 * kMs);
  perf.count(on(10, kCycles), 2000, 100 * kMs, 40 * kMs);
  Counters::Counts counts = counters.read();
  EXPECT_DOUBLE_EQ(*counts.instructions, 7000);
  EXPECT_DOUBLE_EQ(*counts.cycles, 5000);
  // all on big cores, where the event had its turn half of the time
  perf.count(on(4, kInstructions), 5000, 100 * kMs, 50 * kMs);
  perf.count(on(10, kInstructions), 0, 100 * kMs, 0);
  counts = counters.read();
  EXPECT_DOUBLE_EQ(*counts.instructions, 7000 + 10000);
}

TEST(Counters, AKindOfCoresThatCannotBeCountedLeavesNoHalfSum) {
  FakePerf perf;
  perf.pmus = {4, 10};
  perf.refuse = [](const perf_event_attr& attr) { return attr.config >> 32 == 10 ? ENOENT : 0; };
  Counters counters(perf, 1);
  EXPECT_FALSE(counters.read().instructions);
  EXPECT_TRUE(perf.events.empty());
  EXPECT_NE(counters.missing(), "");
}

TEST(Counters, CountUserSpaceOnlyWhereTheKernelIsOutOfBounds) {
  for (const int error : {EACCES, EPERM}) {
    FakePerf perf;
    perf.level = 2;
    perf.refuse = [error](const perf_event_attr& attr) { return attr.exclude_kernel ? 0 : error; };
    Counters counters(perf, 1);
    EXPECT_EQ(counters.missing(), "");
    ASSERT_EQ(perf.events.size(), 2U);
    for (const auto& [fd, attr] : perf.events) EXPECT_TRUE(attr.exclude_kernel);
  }
}

std::string missing_for(int error, std::optional<int> level) {
  FakePerf perf;
  perf.level = level;
  perf.refuse = [error](const perf_event_attr&) { return error; };
  Counters counters(perf, 1);
  EXPECT_FALSE(counters.read().instructions);
  EXPECT_FALSE(counters.read().cycles);
  return counters.missing();
}

TEST(Counters, SayWhyThereAreNoneAndWhatWouldHelp) {
  EXPECT_EQ(missing_for(ENOENT, 2), "no hardware counters here (a virtual machine?)");
  EXPECT_EQ(missing_for(EOPNOTSUPP, 2), "no hardware counters here (a virtual machine?)");
  EXPECT_THAT(missing_for(EACCES, 3), HasSubstr("kernel.perf_event_paranoid is 3"));
  EXPECT_THAT(missing_for(EPERM, 4), HasSubstr("sysctl kernel.perf_event_paranoid=2"));
  EXPECT_THAT(missing_for(EPERM, 2), HasSubstr("seccomp"));
  EXPECT_THAT(missing_for(EPERM, {}), HasSubstr("seccomp"));
  EXPECT_THAT(missing_for(ENOSYS, {}), HasSubstr("no perf_event_open"));
  EXPECT_THAT(missing_for(EMFILE, 2), HasSubstr("ulimit -n"));
  EXPECT_THAT(missing_for(E2BIG, 2), HasSubstr("Argument list too long"));
}

TEST(Counters, WithCyclesOnlySaySoAndCountThem) {
  FakePerf perf;
  perf.refuse = [](const perf_event_attr& attr) {
    return attr.config == kInstructions ? ENOENT : 0;
  };
  Counters counters(perf, 1);
  perf.count(kCycles, 700, 10 * kMs, 10 * kMs);
  const Counters::Counts counts = counters.read();
  EXPECT_FALSE(counts.instructions);
  EXPECT_DOUBLE_EQ(*counts.cycles, 700);
  EXPECT_THAT(counters.missing(), HasSubstr("only cycles"));
}

TEST(Counters, OneThatGoesAwayGivesNothingFromThenOn) {
  FakePerf perf;
  Counters counters(perf, 1);
  perf.count(kInstructions, 1000, 100 * kMs, 100 * kMs);
  counters.read();
  perf.gone = 10;
  EXPECT_FALSE(counters.read().instructions);
  perf.gone = -1;
  EXPECT_FALSE(counters.read().instructions);
  EXPECT_FALSE(counters.totals().instructions);
  EXPECT_THAT(counters.missing(), HasSubstr("went away"));
}

/// A child that waits for a byte before its exec.
struct Stopped {
  explicit Stopped(const char* script) {
    pid = ::fork();
    if (pid != 0) return;
    gate.write.reset();
    char go = 0;
    if (::read(gate.read.get(), &go, 1) == 1) ::execl("/bin/sh", "sh", "-c", script, nullptr);
    ::_exit(127);
  }
  void run() {
    ASSERT_EQ(::write(gate.write.get(), "g", 1), 1);
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    pid = -1;
    ASSERT_EQ(status, 0);
  }
  ~Stopped() {
    if (pid <= 0) return;
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  core::Pipe gate = core::make_pipe();
  pid_t pid = -1;
};

/// On a machine with counters: twice the loop is twice the instructions, children are counted.
TEST(CountersHere, CountAProgramAndItsChildren) {
  const auto counted = [](const char* script) -> std::optional<double> {
    Stopped child(script);
    Counters counters(kernel_perf(), child.pid);
    if (!counters.missing().empty()) {
      std::cout << "native counters: " << counters.missing() << '\n';
      return std::nullopt;
    }
    child.run();
    return counters.read().instructions;
  };
  const auto one = counted("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done");
  if (!one) GTEST_SKIP() << "no hardware counters to test with";
  const auto with_child = counted(
      "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done;"
      "sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'");
  ASSERT_TRUE(with_child);
  EXPECT_GT(*one, 1e6);
  EXPECT_NEAR(*with_child / *one, 2, 0.3);
}

}  // namespace
}  // namespace cosched_exec
