// SPDX-License-Identifier: BSD-3-Clause
#include "core/descendants.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "core/process.hpp"

namespace {

/// A shell that starts a child in a session of its own and tells its number.
struct Family {
  core::Child shell;
  pid_t grandchild = 0;

  Family() {
    core::SpawnOptions options;
    options.out = core::Stream::pipe;
    shell = core::spawn({"sh", "-c", "setsid sh -c 'echo $$; exec sleep 60' & wait"}, options);
    char text[32] = {};
    EXPECT_GT(::read(shell.out.get(), text, sizeof text - 1), 0);
    grandchild = std::atoi(text);
  }
  ~Family() {
    for (const pid_t pid : core::descendants_of(shell.pid)) ::kill(pid, SIGKILL);
    ::kill(shell.pid, SIGKILL);
    ::waitpid(shell.pid, nullptr, 0);
  }
};

TEST(Descendants, AreFoundBelowAnyProcessParentsFirst) {
  const Family family;
  EXPECT_EQ(core::descendants_of(family.shell.pid), std::vector<pid_t>{family.grandchild});
  const std::vector<pid_t> ours = core::descendants();
  const auto place = [&](pid_t pid) { return std::find(ours.begin(), ours.end(), pid); };
  ASSERT_NE(place(family.grandchild), ours.end());
  EXPECT_LT(place(family.shell.pid), place(family.grandchild));
}

TEST(Descendants, TellTheirSession) {
  const Family family;
  const auto below = core::living_below(family.shell.pid);
  ASSERT_EQ(below.size(), 1U);
  EXPECT_EQ(below[0].parent, family.shell.pid);
  EXPECT_EQ(below[0].session, family.grandchild);
  EXPECT_EQ(below[0].group, family.grandchild);
}

TEST(LiveProcess, IsNoZombie) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  EXPECT_FALSE(core::live_process(child));
  ::waitpid(child, nullptr, 0);
}

TEST(LiveProcess, LivesOnWithoutItsFirstThread) {
  core::Pipe pipe = core::make_pipe();
  const pid_t child = ::fork();
  if (child == 0) {
    pthread_t other{};
    ::pthread_create(
        &other, nullptr,
        [](void* write) -> void* {
          // Until the first thread is a zombie.
          while (core::live_process(::getpid()).value_or(core::LiveProcess{}).state != 'Z')
            ::usleep(1000);
          [[maybe_unused]] const ssize_t told = ::write(*static_cast<int*>(write), "x", 1);
          for (;;) ::pause();
        },
        new int(pipe.write.get()));
    ::syscall(SYS_exit, 0);
  }
  char byte = 0;
  EXPECT_EQ(::read(pipe.read.get(), &byte, 1), 1);
  EXPECT_TRUE(core::live_process(child));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

}  // namespace
