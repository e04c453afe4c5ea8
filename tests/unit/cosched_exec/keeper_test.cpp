// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/keeper.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/descendants.hpp"
#include "core/error.hpp"
#include "core/process.hpp"
#include "cosched_exec/options.hpp"

namespace {

using namespace cosched_exec;

/// keep() in a process of its own; its exit status.
int kept(const std::function<int(int)>& supervisor) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(keep("", supervisor));
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(Keeper, HasTheStatusOfTheSupervisor) {
  EXPECT_EQ(kept([](int) { return 0; }), 0);
  EXPECT_EQ(kept([](int) { return 37; }), 37);
}

TEST(Keeper, HasTheStatusAlsoWhereEndsOfChildrenWereIgnored) {
  const auto before = ::signal(SIGCHLD, SIG_IGN);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(keep("", [](int) { return 37; }));
  ::signal(SIGCHLD, before);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 37);
}

TEST(Keeper, TurnsAnErrorIntoOurOwnFailure) {
  EXPECT_EQ(kept([](int) -> int { throw core::Error("it is only a test"); }), kOwnFailure);
}

TEST(Keeper, EndsAllThatAKilledSupervisorLeaves) {
  core::Pipe held = core::make_pipe();  // its end comes when the last holder has ended
  const auto leave_two = [&](int) -> int {
    held.read.reset();
    for (int i = 0; i < 2; ++i)
      if (::fork() == 0) {
        ::setsid();
        if (i == 1) ::raise(SIGSTOP);
        for (;;) ::pause();
      }
    return ::raise(SIGKILL);
  };
  EXPECT_EQ(kept(leave_two), kOwnFailure);
  held.write.reset();
  pollfd ready{held.read.get(), POLLIN, 0};
  EXPECT_EQ(::poll(&ready, 1, 0), 1);
}

TEST(Keeper, TellsTheSupervisorOfItsOwnDeath) {
  core::Pipe told = core::make_pipe();
  const pid_t keeper = ::fork();
  if (keeper == 0)
    ::_exit(keep("", [&](int life) {
      [[maybe_unused]] ssize_t done = ::write(told.write.get(), "u", 1);
      pollfd ready{life, POLLIN, 0};
      ::poll(&ready, 1, -1);
      done = ::write(told.write.get(), "d", 1);
      return 0;
    }));
  char byte = 0;
  ASSERT_EQ(::read(told.read.get(), &byte, 1), 1);
  ::kill(keeper, SIGKILL);
  ::waitpid(keeper, nullptr, 0);
  pollfd ready{told.read.get(), POLLIN, 0};
  ASSERT_EQ(::poll(&ready, 1, 20'000), 1);
  EXPECT_EQ(::read(told.read.get(), &byte, 1), 1);
  EXPECT_EQ(byte, 'd');
}

TEST(Keeper, PassesOnSignalsThatAskForTheEnd) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    const int status = kept([&](int) {
      ::kill(::getppid(), signal);
      sigset_t passed;
      ::sigemptyset(&passed);
      ::sigaddset(&passed, signal);
      const timespec limit{20, 0};
      return ::sigtimedwait(&passed, nullptr, &limit) == signal ? 128 + signal : 1;
    });
    EXPECT_EQ(status, 128 + signal);
  }
}

}  // namespace
