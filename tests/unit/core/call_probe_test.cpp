// SPDX-License-Identifier: BSD-3-Clause
#include "core/call_probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <map>

#include "core/process.hpp"
#include "probe/shared.h"

namespace core {
namespace {

using testing::EndsWith;
using testing::MatchesRegex;
using testing::StartsWith;

CallProbe counter() { return CallProbe(CallProbe::Task::count); }

using Variables = std::map<std::string, std::string>;

Variables variables(const CallProbe& probe) {
  const auto list = probe.environment();
  return {list.begin(), list.end()};
}

int run(const CallProbe& probe, const std::vector<std::string>& argv) {
  SpawnOptions options;
  for (const auto& [name, value] : probe.environment())
    options.environment.emplace_back(name, value);
  options.out = Stream::null;
  Child child = spawn(argv, options);
  return wait_for(child);
}

class CallsEnvironment : public testing::Test {
 protected:
  CallsEnvironment() { ::unsetenv("LD_PRELOAD"); }
  ~CallsEnvironment() override { ::unsetenv("LD_PRELOAD"); }
};

TEST_F(CallsEnvironment, NamesTheProbeBesideOurProgramAndTheMemory) {
  const CallProbe probe = counter();
  const Variables set = variables(probe);
  ASSERT_TRUE(std::filesystem::exists(probe_path())) << probe_path();
  EXPECT_THAT(probe_path(), EndsWith("/libexec/launchwise/liblaunchwise_probe.so"));
  EXPECT_EQ(set.at("LD_PRELOAD"), probe_path());
  EXPECT_THAT(set.at("LAUNCHWISE_CALLS"), StartsWith("/proc/" + std::to_string(::getpid()) + "/"));
  EXPECT_THAT(set.at("LAUNCHWISE_CALLS"), MatchesRegex("/proc/[0-9]+/fd/[0-9]+,[0-9a-f]{32}"));
}

TEST_F(CallsEnvironment, KeepsWhatIsPreloadedAlready) {
  ::setenv("LD_PRELOAD", "/other.so:/third.so", 1);
  EXPECT_EQ(variables(counter()).at("LD_PRELOAD"), probe_path() + ":/other.so:/third.so");
}

TEST_F(CallsEnvironment, IsOfItsOwnForEachTask) {
  const CallProbe one = counter(), other = counter();
  EXPECT_NE(variables(one).at("LAUNCHWISE_CALLS"), variables(other).at("LAUNCHWISE_CALLS"));
}

TEST(CallProbe, IsEmptyAtFirst) {
  const CallProbe probe = counter();
  EXPECT_FALSE(probe.loaded());
  EXPECT_EQ(probe.total(), 0U);
}

TEST(CallProbe, StaysEmptyForProgramsThatCallNeither) {
  CallProbe probe = counter();
  EXPECT_EQ(run(probe, {"sh", "-c", "exit 3"}), 3);
  const CallProbe moved = std::move(probe);
  EXPECT_FALSE(moved.loaded());
  EXPECT_EQ(moved.total(), 0U);
}

TEST(CallProbe, LeavesNoDescriptorBehind) {
  const auto count = [](const char* folder) {
    const std::filesystem::directory_iterator begin(folder);
    return std::distance(begin, std::filesystem::directory_iterator());
  };
  const auto descriptors = count("/proc/self/fd");
  for (int i = 0; i < 3; ++i) run(counter(), {"true"});
  EXPECT_EQ(count("/proc/self/fd"), descriptors);
}

constexpr std::int64_t kSecond = 1'000'000'000;

/// A thread of process 7 that has called MPI; seconds.
LaunchwiseSlot thread(double mpi, double measured = 0, bool initialised = false) {
  LaunchwiseSlot slot{};
  slot.process = 7;
  slot.timed = 1;
  slot.mpi = static_cast<std::int64_t>(mpi * 1e9);
  slot.measured = static_cast<std::int64_t>(measured * 1e9);
  slot.initialised = initialised ? 1 : 0;
  return slot;
}

Split split(const std::vector<LaunchwiseSlot>& slots, std::int64_t now = 0) {
  return split_of(slots, now);
}

TEST(SplitOf, IsNotKnownWithoutAThreadThatInitialisedMpi) {
  EXPECT_FALSE(split({}).known());
  EXPECT_FALSE(split({thread(1)}).known());
}

TEST(SplitOf, TheRestOfTheMeasuredPartIsComputing) {
  const Split one = split({thread(1.5, 5, true)});
  EXPECT_DOUBLE_EQ(one.compute, 3.5);
  EXPECT_DOUBLE_EQ(one.mpi, 1.5);
}

TEST(SplitOf, StopwatchesThatRunWhenAProgramIsKilledRunUntilNow) {
  // At 100 s: measured for 20 s and since 90 s, inside MPI for 2 s and since 96 s.
  const Split one = split({thread(2 - 96, 20 - 90, true)}, 100 * kSecond);
  EXPECT_DOUBLE_EQ(one.mpi, 6);
  EXPECT_DOUBLE_EQ(one.compute, 24);
}

TEST(SplitOf, TheThreadThatInitialisedMpiStandsForItsProcess) {
  // Another thread waits for messages all the time.
  EXPECT_DOUBLE_EQ(split({thread(1, 5, true), thread(5)}).compute, 4);
}

TEST(SplitOf, TheOthersStandForOneThatCallsMpiNoMore) {
  LaunchwiseSlot main = thread(0, 5, true), other_process = thread(0);
  main.timed = 0;
  other_process.process = 8;
  EXPECT_DOUBLE_EQ(split({main, thread(1), thread(2), other_process}).mpi, 1.5);
  EXPECT_DOUBLE_EQ(split({main}).compute, 5);
}

TEST(SplitOf, ProcessesThatInitialiseMpiOneAfterTheOtherAddUp) {
  LaunchwiseSlot second = thread(1, 2, true);
  second.process = 8;
  const Split both = split({thread(1, 5, true), second});
  EXPECT_DOUBLE_EQ(both.compute, 5);
  EXPECT_DOUBLE_EQ(both.mpi, 2);
}

LaunchwiseSlot in_world(std::uint32_t ranks, LaunchwiseMpi kind) {
  LaunchwiseSlot slot = thread(0, 1, true);
  slot.world = ranks;
  slot.mpi_kind = kind;
  return slot;
}

TEST(WorldOf, IsTheLargestOfAProgramsProcesses) {
  const std::vector<LaunchwiseSlot> tool_and_program{in_world(1, kLaunchwiseMpich),
                                                     in_world(4, kLaunchwiseOpenMpi),
                                                     in_world(2, kLaunchwiseMpich)};
  EXPECT_EQ(world_of(tool_and_program), (World{4, "Open MPI"}));
}

TEST(WorldOf, IsUnknownWithoutMpiAndOfOtherMpis) {
  EXPECT_EQ(world_of({}), World{});
  const std::vector<LaunchwiseSlot> other{thread(1), in_world(0, kLaunchwiseOtherMpi)};
  EXPECT_EQ(world_of(other).ranks, 0U);
}

}  // namespace
}  // namespace core
