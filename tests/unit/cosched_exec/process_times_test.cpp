// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/speed/process_times.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>

#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "burner.hpp"
#include "core/descendants.hpp"
#include "core/process.hpp"

namespace cosched_exec {
namespace {

Reading read(ProcessTimes& times, const std::vector<pid_t>& processes, double ended = 0) {
  Reading reading;
  reading.time = seconds_of(CLOCK_MONOTONIC);
  times.read(processes, ended, Detail::threads, reading);
  return reading;
}

/// Two readings of a process between which it used so many CPU seconds.
std::array<Reading, 2> stretch_of(pid_t process, double cpu) {
  ProcessTimes times;
  const std::vector<pid_t> processes{process};
  EXPECT_TRUE(comes_true([&] { return read(times, processes).cpu > 0.02; }));
  const Reading before = read(times, processes);
  Reading after;
  EXPECT_TRUE(comes_true([&] {
    after = read(times, processes);
    return after.cpu - before.cpu >= cpu;
  }));
  return {before, after};
}

bool has_schedstat() {
  burn(0.02);
  std::ifstream file("/proc/self/schedstat");
  double run = 0;
  return file >> run && run > 0;
}

TEST(ProcessTimes, OfTwoBusyThreadsAreTheirCpuTimeAndShowThatTheySpin) {
  if (!has_schedstat()) GTEST_SKIP() << "no schedstat here";
  Burner spinner([] { in_threads(2, [] { burn(1); }); });
  const auto [before, after] = stretch_of(spinner.pid(), 0.2);
  EXPECT_EQ(after.threads, 2U);
  // Clocks and schedstat are kept apart; the second may lag by a tick or two of each thread.
  EXPECT_NEAR(after.run - before.run, after.cpu - before.cpu, 0.1);
  // Ready all the time, whatever else runs on this machine.
  EXPECT_NEAR(busy_threads(before, after), 2, 0.4);
  EXPECT_TRUE(spins(before, after));
  const double used = spinner.end(SIGKILL);
  EXPECT_GE(used + 0.02, after.cpu);
}

TEST(ProcessTimes, OfThreadsThatSleepInBetweenShowThatTheyDoNotSpin) {
  Burner sleeper([] {
    in_threads(2, [] {
      burn(0.001);
      std::this_thread::sleep_for(std::chrono::microseconds(10));
    });
  });
  const auto [before, after] = stretch_of(sleeper.pid(), 0.2);
  // Each millisecond of CPU ends in a switch: some 200 of them.
  EXPECT_GT(*after.voluntary - *before.voluntary, 100U);
  EXPECT_FALSE(spins(before, after));
}

TEST(ProcessTimes, KeepWhatEndedChildrenUsedAndNeverFall) {
  const core::Pipe done = core::make_pipe();
  Burner parent([&] {
    for (int i = 0; i < 5; ++i) Burner([] { burn(0.05); }).end();
    [[maybe_unused]] const ssize_t told = ::write(done.write.get(), "d", 1);
    ::pause();
  });
  ProcessTimes times;
  double last = 0;
  pollfd ended{done.read.get(), POLLIN, 0};
  while (::poll(&ended, 1, 5) == 0) {
    const double cpu = read(times, core::descendants()).cpu;
    EXPECT_GE(cpu, last);
    last = cpu;
  }
  const double total = read(times, {parent.pid()}).cpu;
  const double truth = parent.end(SIGKILL);
  EXPECT_GE(total, 0.25 - 0.02);   // stat counts in hundredths of a second, user and system
  EXPECT_LE(total, truth + 0.06);  // a child may be seen once more as its parent's
}

TEST(ProcessTimes, KeepAProcessThatHasEndedWhileItsParentIsPaused) {
  Burner ended([] { burn(0.1); });
  ProcessTimes times;
  read(times, {ended.pid()});
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(ended.pid()), &info, WEXITED | WNOWAIT), 0);
  EXPECT_GE(read(times, {}).cpu, 0.1);
  const double used = ended.end();
  EXPECT_NEAR(read(times, {}, used).cpu, used, 0.03);
}

TEST(ProcessTimes, GoOnWithWhatOthersReapedAndCountNothingForTheGone) {
  Burner first([] { burn(0.1); }), second([] { in_threads(1, [] { burn(1); }); });
  ProcessTimes times;
  ASSERT_TRUE(comes_true([&] { return read(times, {first.pid(), second.pid()}).cpu > 0.1; }));
  const std::vector<pid_t> processes{first.pid(), second.pid()};
  const Reading before = read(times, processes);
  const double ended = first.end();
  const Reading after = read(times, processes, ended);
  EXPECT_GE(after.cpu, before.cpu);
  EXPECT_GE(after.cpu, ended);
  EXPECT_GE(after.run, before.run);
  EXPECT_EQ(after.threads, 1U);
}

TEST(ProcessTimes, CountThreadsThatHaveEndedAndNewOnes) {
  Burner changing([] {
    for (;;) std::thread([] { burn(0.01); }).join();
  });
  const auto [before, after] = stretch_of(changing.pid(), 0.2);
  EXPECT_GE(after.run, before.run);
  EXPECT_GE(*after.voluntary, *before.voluntary);
}

TEST(ProcessTimes, OfAnotherUserCanBeReadWithoutPrivilege) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
  Burner roots([] { in_threads(1, [] { burn(1); }); });
  Burner reader([&] {
    if (::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(2);
    ProcessTimes times;
    const bool seen = comes_true([&] { return read(times, {roots.pid()}).cpu > 0.05; });
    const Reading reading = read(times, {roots.pid()});
    ::_exit(seen && reading.voluntary && reading.threads == 1U ? 0 : 1);
  });
  EXPECT_EQ(reader.status(), 0);
}

TEST(ProcessTimes, TakeTheCpuTimeOfTheGroupWhereThereIsOne) {
  char folder[] = "/tmp/launchwise-test-XXXXXX";
  ASSERT_NE(::mkdtemp(folder), nullptr);
  const std::string file = std::string(folder) + "/cpu.stat";
  std::ofstream(file) << "usage_usec 2500000\nuser_usec 2000000\nsystem_usec 500000\n";
  ProcessTimes times(folder);
  EXPECT_DOUBLE_EQ(read(times, {::getpid()}, 7).cpu, 2.5);
  ::unlink(file.c_str());
  ::rmdir(folder);
  EXPECT_GE(read(times, {}, 7).cpu, 7);  // the group is gone: clocks and what was reaped
}

}  // namespace
}  // namespace cosched_exec
