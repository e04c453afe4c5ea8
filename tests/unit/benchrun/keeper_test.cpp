// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/keeper.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "core/fd.hpp"

namespace {

using benchrun::CommandLine;
using benchrun::Kept;

/// Reads until there is a whole line, or the end.
std::string read_line(int fd) {
  std::string line;
  for (char c = 0; c != '\n';) {
    pollfd ready{fd, POLLIN, 0};
    if (::poll(&ready, 1, 20000) <= 0 || ::read(fd, &c, 1) != 1) break;
    line += c;
  }
  return line;
}

int status_of(Kept& kept) {
  pollfd ready{kept.ended_fd(), POLLIN, 0};
  EXPECT_EQ(::poll(&ready, 1, 20000), 1);
  return kept.collect();
}

bool alive(pid_t pid) { return ::kill(pid, 0) == 0; }

/// A shell that starts a stubborn background process of its own session and tells its number.
CommandLine stubborn() {
  return {{"sh", "-c", "setsid sh -c 'trap \"\" TERM; echo $$; while :; do sleep 5; done' & wait"},
          "",
          {},
          {0}};
}

TEST(Kept, PassesOnOutputAndStatus) {
  Kept kept = Kept::start({{"sh", "-c", "echo out; echo err >&2; exit 7"}, "", {}, {0}});
  EXPECT_EQ(read_line(kept.out()), "out\n");
  EXPECT_EQ(read_line(kept.err()), "err\n");
  EXPECT_EQ(status_of(kept), 7);
}

TEST(Kept, TellsADeathByASignal) {
  Kept kept = Kept::start({{"sh", "-c", "kill -SEGV $$"}, "", {}, {0}});
  EXPECT_EQ(status_of(kept), 128 + SIGSEGV);
}

TEST(Kept, SaysThatAProgramCannotBeRun) {
  Kept kept = Kept::start({{"/nonexistent/launcher"}, "", {}, {0}});
  EXPECT_EQ(read_line(kept.err()), "cannot run /nonexistent/launcher: No such file or directory\n");
  EXPECT_EQ(status_of(kept), 127);
}

TEST(Kept, ShowsTheHostfileToTheProgram) {
  Kept kept = Kept::start({{"cat", "/proc/self/fd/3"}, "n1 slots=2\n", {}, {0}});
  EXPECT_EQ(read_line(kept.out()), "n1 slots=2\n");
  EXPECT_EQ(status_of(kept), 0);
}

TEST(Kept, ChangesTheEnvironmentOfTheProgramOnly) {
  ::setenv("LAUNCHWISE_TEST", "set", 1);
  Kept kept = Kept::start(
      {{"sh", "-c", "echo ${LAUNCHWISE_TEST-gone}"}, "", {{"LAUNCHWISE_TEST", std::nullopt}}, {0}});
  EXPECT_EQ(read_line(kept.out()), "gone\n");
  EXPECT_EQ(status_of(kept), 0);
  EXPECT_STREQ(std::getenv("LAUNCHWISE_TEST"), "set");
}

TEST(Kept, EndsTheProgramWhenAsked) {
  Kept kept = Kept::start({{"sleep", "1000"}, "", {}, {0}});
  kept.ask_to_end();
  EXPECT_EQ(status_of(kept), 128 + SIGTERM);
}

TEST(Kept, EndsAStoppedProgram) {
  Kept kept = Kept::start({{"sh", "-c", "echo $$; kill -STOP $$; sleep 1000"}, "", {}, {0}});
  read_line(kept.out());
  kept.ask_to_end();
  EXPECT_GT(status_of(kept), 128);
}

TEST(Kept, EndsStubbornDescendantsOfOtherSessions) {
  Kept kept = Kept::start(stubborn());
  const pid_t descendant = std::atoi(read_line(kept.out()).c_str());
  ASSERT_GT(descendant, 0);
  kept.ask_to_end();
  status_of(kept);
  EXPECT_FALSE(alive(descendant));
}

TEST(Kept, LeavesNothingThatTheProgramLeftBehind) {
  Kept kept = Kept::start({{"sh", "-c", "setsid sleep 1000 & echo $!"}, "", {}, {0}});
  const pid_t descendant = std::atoi(read_line(kept.out()).c_str());
  EXPECT_EQ(status_of(kept), 0);
  EXPECT_FALSE(alive(descendant));
}

TEST(Kept, DoesNotOutliveItsParentKilledWithoutNotice) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    Kept kept = Kept::start(stubborn());
    const std::string line = read_line(kept.out());
    [[maybe_unused]] const ssize_t told = ::write(pipe[1], line.data(), line.size());
    ::raise(SIGKILL);
  }
  const pid_t descendant = std::atoi(read_line(pipe[0]).c_str());
  ASSERT_GT(descendant, 0);
  ::waitpid(parent, nullptr, 0);
  for (int i = 0; i < 2000 && alive(descendant); ++i) ::poll(nullptr, 0, 10);
  EXPECT_FALSE(alive(descendant));
  for (const int end : pipe) ::close(end);
}

TEST(Kept, IsNotKeptAliveByAnother) {
  auto first = std::make_unique<Kept>(Kept::start({{"sleep", "1000"}, "", {}, {0}}));
  Kept second = Kept::start({{"sleep", "1000"}, "", {}, {0}});
  first->ask_to_end();
  EXPECT_EQ(status_of(*first), 128 + SIGTERM);
  EXPECT_TRUE(second.running());
}

}  // namespace
