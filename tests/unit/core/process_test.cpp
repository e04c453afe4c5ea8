// SPDX-License-Identifier: BSD-3-Clause
#include "core/process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "core/error.hpp"
#include "core/fd.hpp"

namespace {

using core::Stream;

TEST(Process, ArgumentsReachTheProgramUntouched) {
  const core::Captured got = core::capture({"printf", "%s|", "a b", "$(x)", "", "'\"`"}, 10);
  EXPECT_EQ(got.status, 0);
  EXPECT_EQ(got.out, "a b|$(x)||'\"`|");
}

TEST(Process, AProgramThatIsNotThereIsAnError) {
  EXPECT_THROW(core::spawn({"/no/such/program"}), core::Error);
  EXPECT_THROW(core::spawn({"/dev/null"}), core::Error);
}

TEST(Process, TheStatusIsTheProgramsOwnOr128PlusTheSignal) {
  core::Child seven = core::spawn({"sh", "-c", "exit 7"});
  EXPECT_EQ(core::wait_for(seven), 7);
  core::Child killed = core::spawn({"sh", "-c", "kill -TERM $$"});
  EXPECT_EQ(core::wait_for(killed), 128 + SIGTERM);
}

TEST(Process, ThePidfdBecomesReadableAtTheEnd) {
  core::Child child = core::spawn({"true"});
  pollfd ready{child.pidfd.get(), POLLIN, 0};
  EXPECT_EQ(::poll(&ready, 1, 10000), 1);
  EXPECT_EQ(core::wait_for(child), 0);
}

TEST(Process, CaptureEndsACommandThatTakesTooLong) {
  const core::Captured got = core::capture({"sh", "-c", "echo started; sleep 100"}, 0.2);
  EXPECT_EQ(got.status, 128 + SIGKILL);
  EXPECT_EQ(got.out, "started\n");
}

TEST(Process, CaptureEndsACommandThatTakesTooLongWithItsOutputClosed) {
  EXPECT_EQ(core::capture({"sh", "-c", "exec >&-; sleep 100"}, 0.2).status, 128 + SIGKILL);
}

TEST(Process, CaptureTakesALimitOfManyDays) {
  for (const double limit : {30 * 86400.0, 1e300})
    EXPECT_EQ(core::capture({"sh", "-c", "sleep 0.01; echo done"}, limit).out, "done\n");
}

TEST(Process, StandardInputIsEmptyUnlessInherited) {
  EXPECT_EQ(core::capture({"cat"}, 10).out, "");
}

TEST(Process, OnlyTheThreeStandardDescriptorsArePassedOn) {
  const core::Fd ours(::open("/dev/null", O_RDONLY));
  // 3 is the folder that ls itself opens to list
  EXPECT_EQ(core::capture({"ls", "/proc/self/fd"}, 10).out, "0\n1\n2\n3\n");
}

TEST(Process, ThoseOfALauncherArePassedOnWhenAskedFor) {
  const core::Fd own(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const core::Fd given(::fcntl(own.get(), F_DUPFD, 100));
  core::SpawnOptions options;
  options.out = Stream::pipe;
  options.pass_descriptors = true;
  core::Child child = core::spawn({"ls", "/proc/self/fd"}, options);
  const std::string listed = core::read_all(child.out.get(), "child");
  EXPECT_NE(listed.find("\n" + std::to_string(given.get()) + "\n"), std::string::npos);
  EXPECT_EQ(core::wait_for(child), 0);
}

TEST(Process, TheEnvironmentIsChangedAsAsked) {
  ::setenv("LW_TEST_GONE", "1", 1);
  ::setenv("LW_TEST_KEPT", "kept", 1);
  core::SpawnOptions options;
  options.out = Stream::pipe;
  options.environment = {{"LW_TEST_GONE", std::nullopt}, {"LW_TEST_NEW", "a=b"}};
  core::Child child = core::spawn(
      {"sh", "-c", "echo \"${LW_TEST_GONE-none} $LW_TEST_KEPT $LW_TEST_NEW\""}, options);
  EXPECT_EQ(core::read_all(child.out.get(), "child"), "none kept a=b\n");
  EXPECT_EQ(core::wait_for(child), 0);
}

TEST(Process, AChildStartsWithAnEmptySignalMask) {
  sigset_t blocked, old;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &blocked, &old);
  core::Child child = core::spawn({"sh", "-c", "kill -TERM $$; exit 3"});
  EXPECT_EQ(core::wait_for(child), 128 + SIGTERM);
  ::sigprocmask(SIG_SETMASK, &old, nullptr);
}

TEST(Process, AGroupOfItsOwnHasTheChildsNumber) {
  core::SpawnOptions options;
  options.own_group = true;
  options.out = Stream::pipe;
  core::Child child = core::spawn({"sh", "-c", "ps -o pgid= -p $$"}, options);
  EXPECT_EQ(std::stoi(core::read_all(child.out.get(), "child")), child.pid);
  core::wait_for(child);
}

TEST(PlacesInPath, AreThoseOfExecvpWithAnEmptyFolderForTheOneWeAreIn) {
  using Places = std::vector<std::string>;
  EXPECT_EQ(core::places_in_path("p", "/a::b"), (Places{"/a/p", "./p", "b/p"}));
  EXPECT_EQ(core::places_in_path("p", "/a:"), (Places{"/a/p", "./p"}));
  EXPECT_EQ(core::places_in_path("p", ""), (Places{"./p"}));
}

}  // namespace
