// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/speed/calls.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <map>

#include "core/process.hpp"

namespace cosched_exec {
namespace {

using testing::EndsWith;
using testing::MatchesRegex;
using testing::StartsWith;

using Variables = std::map<std::string, std::string>;

Variables variables(const CallCounter& counter) {
  const auto list = counter.environment();
  return {list.begin(), list.end()};
}

int run(const CallCounter& counter, const std::vector<std::string>& argv) {
  core::SpawnOptions options;
  for (const auto& [name, value] : counter.environment())
    options.environment.emplace_back(name, value);
  options.out = core::Stream::null;
  core::Child child = core::spawn(argv, options);
  return core::wait_for(child);
}

class CallsEnvironment : public testing::Test {
 protected:
  CallsEnvironment() { ::unsetenv("LD_PRELOAD"); }
  ~CallsEnvironment() override { ::unsetenv("LD_PRELOAD"); }
};

TEST_F(CallsEnvironment, NamesTheProbeBesideOurProgramAndTheMemory) {
  const CallCounter counter;
  const Variables set = variables(counter);
  ASSERT_TRUE(std::filesystem::exists(probe_path())) << probe_path();
  EXPECT_THAT(probe_path(), EndsWith("/libexec/launchwise/liblaunchwise_probe.so"));
  EXPECT_EQ(set.at("LD_PRELOAD"), probe_path());
  EXPECT_THAT(set.at("LAUNCHWISE_CALLS"), StartsWith("/proc/" + std::to_string(::getpid()) + "/"));
  EXPECT_THAT(set.at("LAUNCHWISE_CALLS"), MatchesRegex("/proc/[0-9]+/fd/[0-9]+,[0-9a-f]{32}"));
}

TEST_F(CallsEnvironment, KeepsWhatIsPreloadedAlready) {
  ::setenv("LD_PRELOAD", "/other.so:/third.so", 1);
  EXPECT_EQ(variables(CallCounter()).at("LD_PRELOAD"), probe_path() + ":/other.so:/third.so");
}

TEST_F(CallsEnvironment, IsOfItsOwnForEachTask) {
  const CallCounter one, other;
  EXPECT_NE(variables(one).at("LAUNCHWISE_CALLS"), variables(other).at("LAUNCHWISE_CALLS"));
}

TEST(CallCounter, IsEmptyAtFirst) {
  const CallCounter counter;
  EXPECT_FALSE(counter.loaded());
  EXPECT_EQ(counter.total(), 0U);
}

TEST(CallCounter, StaysEmptyForProgramsThatCallNeither) {
  CallCounter counter;
  EXPECT_EQ(run(counter, {"sh", "-c", "exit 3"}), 3);
  const CallCounter moved = std::move(counter);
  EXPECT_FALSE(moved.loaded());
  EXPECT_EQ(moved.total(), 0U);
}

TEST(CallCounter, LeavesNoDescriptorBehind) {
  const auto count = [](const char* folder) {
    const std::filesystem::directory_iterator begin(folder);
    return std::distance(begin, std::filesystem::directory_iterator());
  };
  const auto descriptors = count("/proc/self/fd");
  for (int i = 0; i < 3; ++i) run(CallCounter(), {"true"});
  EXPECT_EQ(count("/proc/self/fd"), descriptors);
}

}  // namespace
}  // namespace cosched_exec
