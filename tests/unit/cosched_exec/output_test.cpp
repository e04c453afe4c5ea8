// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "core/process.hpp"

namespace {

using namespace cosched_exec;

TEST(LinePrefixer, GivesOutLinesWholeHoweverTheyArrive) {
  LinePrefixer prefixer("a: ");
  EXPECT_EQ(prefixer.feed("one\ntw"), "a: one\n");
  EXPECT_EQ(prefixer.feed("o"), "");
  EXPECT_EQ(prefixer.feed("\n\nthree\n"), "a: two\na: \na: three\n");
  EXPECT_EQ(prefixer.finish(), "");
}

TEST(LinePrefixer, EndsALastLineThatHasNoEnd) {
  LinePrefixer prefixer("a: ");
  EXPECT_EQ(prefixer.feed("rest"), "");
  EXPECT_EQ(prefixer.finish(), "a: rest\n");
  EXPECT_EQ(prefixer.finish(), "");
}

TEST(LinePrefixer, DoesNotCollectAnEndlessLine) {
  LinePrefixer prefixer("");
  const std::string much(LinePrefixer::kLongestLine, 'x');
  EXPECT_EQ(prefixer.feed(much), "");
  EXPECT_EQ(prefixer.feed("x"), much + "x\n");
}

std::string drain(int fd) {
  std::string all(1 << 20, '\0');
  const ssize_t got = ::read(fd, all.data(), all.size());
  all.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return all;
}

class Queue : public testing::Test {
 protected:
  void SetUp() override { ::signal(SIGPIPE, SIG_IGN); }

  core::Pipe pipe = core::make_pipe();
  OutputQueue queue{pipe.write.get()};
};

TEST_F(Queue, KeepsWhatASleepingReaderDoesNotTakeAndTheOrder) {
  std::string sent;
  for (int i = 0; i < 100'000; ++i) {  // more than a pipe holds
    const std::string line = std::to_string(i) + '\n';
    sent += line;
    queue.add(line);
  }
  queue.write_some();  // would hang here
  EXPECT_GT(queue.waiting(), 0U);
  EXPECT_LT(queue.waiting(), sent.size());
  std::string got;
  while (queue.waiting() > 0) {
    got += drain(pipe.read.get());
    queue.write_some();
  }
  while (got.size() < sent.size()) got += drain(pipe.read.get());
  EXPECT_EQ(got, sent);
}

TEST_F(Queue, LeavesTheSharedStreamBlocking) {
  queue.add("x\n");
  queue.write_some();
  EXPECT_EQ(::fcntl(pipe.write.get(), F_GETFL) & O_NONBLOCK, 0);
}

TEST_F(Queue, CanBePolledForRoom) {
  queue.add(std::string(1 << 20, 'x'));
  queue.write_some();
  pollfd room{queue.fd(), POLLOUT, 0};
  EXPECT_EQ(::poll(&room, 1, 0), 0);
  while (!drain(pipe.read.get()).empty() && ::poll(&room, 1, 0) == 0) {
  }
  EXPECT_EQ(::poll(&room, 1, 0), 1);
}

TEST_F(Queue, DropsWhatNobodyReads) {
  pipe.read.reset();
  queue.add("x\n");
  queue.write_some();
  EXPECT_TRUE(queue.reader_gone());
  queue.add("y\n");
  EXPECT_EQ(queue.waiting(), 0U);
}

TEST_F(Queue, TellsWhyAStreamCannotBeWritten) {
  pipe.read.reset();
  queue.add("x\n");
  queue.write_some();
  EXPECT_EQ(queue.error(), 0) << "a reader that left is no failure";
  const core::Fd full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  if (!full) GTEST_SKIP() << "no /dev/full";
  OutputQueue lost(full.get());
  lost.add("x\n");
  lost.write_some();
  EXPECT_EQ(lost.error(), ENOSPC);
  EXPECT_EQ(lost.waiting(), 0U);
}

TEST_F(Queue, WritesWholeLinesAtOnceWhereTheyFit) {
  // Two lines of 3000 bytes: together more than what a pipe takes in one piece (PIPE_BUF, 4096).
  static_assert(PIPE_BUF == 4096);
  const std::string line = std::string(2999, 'x') + '\n';
  ::fcntl(pipe.write.get(), F_SETPIPE_SZ, 4096);
  queue.add(line + line);
  queue.write_some();
  EXPECT_EQ(drain(pipe.read.get()), line);
  queue.write_some();
  EXPECT_EQ(drain(pipe.read.get()), line);
}

}  // namespace
