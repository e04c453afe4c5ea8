// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/start.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>

#include "core/error.hpp"
#include "core/fd.hpp"

namespace {

using namespace cosched_exec;

Task shell(const std::string& text) {
  Task task;
  task.name = "t";
  task.argv = {"/bin/sh", "-c", text};
  return task;
}

/// All that comes until the end of the stream, which for a terminal is EIO.
std::string read_to_end(const core::Fd& fd) {
  std::string all;
  for (std::array<char, 4096> chunk{};;) {
    pollfd ready{fd.get(), POLLIN, 0};
    if (::poll(&ready, 1, 20'000) != 1) return all + "(no end)";
    const ssize_t got = ::read(fd.get(), chunk.data(), chunk.size());
    if (got <= 0) return all;
    all.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

std::string output_of(const Task& task, const StartOptions& options = {}) {
  Prepared prepared = prepare(task, options);
  EXPECT_EQ(let_go(prepared), 0);
  const std::string output = read_to_end(prepared.out);
  ::waitpid(prepared.pid, nullptr, 0);
  return output;
}

TEST(Start, WaitsForItsExec) {
  Prepared prepared = prepare(shell("echo up"), {});
  pollfd ready{prepared.out.get(), POLLIN, 0};
  EXPECT_EQ(::poll(&ready, 1, 100), 0);  // it would have said so
  EXPECT_EQ(::getsid(prepared.pid), prepared.pid);
  EXPECT_EQ(let_go(prepared), 0);
  EXPECT_EQ(read_to_end(prepared.out), "up\n");
  ::waitpid(prepared.pid, nullptr, 0);
}

TEST(Start, EndsWhenNobodyLetsItGo) {
  Prepared prepared = prepare(shell("echo up"), {});
  prepared.go.reset();
  int status = 0;
  EXPECT_EQ(::waitpid(prepared.pid, &status, 0), prepared.pid);
  EXPECT_EQ(read_to_end(prepared.out), "");
}

TEST(Start, TellsWhyAProgramCannotBeExecuted) {
  Task task = shell("");
  task.argv = {"/no/such/program"};
  Prepared prepared = prepare(task, {});
  EXPECT_EQ(let_go(prepared), ENOENT);
  task.argv = {"/etc/passwd"};
  Prepared other = prepare(task, {});
  EXPECT_EQ(let_go(other), EACCES);
  EXPECT_EQ(::waitpid(other.pid, nullptr, WNOHANG), -1) << "it is reaped";
}

TEST(Start, SetsTheEnvironmentOursLast) {
  Task task = shell("echo $ONE $TWO $THREE");
  task.environment = {{"ONE", "1"}, {"TWO", "task"}};
  StartOptions options;
  options.environment = {{"TWO", "ours"}, {"THREE", "3"}};
  EXPECT_EQ(output_of(task, options), "1 ours 3\n");
}

TEST(Start, GivesNoInputNoIgnoredOrBlockedSignalsAndNoOtherFiles) {
  const core::Fd open_file(::open("/dev/null", O_RDONLY));  // not close-on-exec
  sigset_t all, before;
  ::sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, &before);
  const std::string output = output_of(
      shell("cat; grep -E 'Sig(Blk|Ign)' /proc/self/status; ls /proc/$$/fd | tr '\\n' ' '"));
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(output, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n0 1 2 ");
}

TEST(Start, WritesFilesInTheTasksDirectory) {
  const std::filesystem::path folder =
      testing::TempDir() + "start_test." + std::to_string(::getpid());
  std::filesystem::create_directory(folder);
  Task task = shell("pwd; echo oops >&2");
  task.directory = folder;
  task.out_file = task.err_file = "both";
  Prepared prepared = prepare(task, {});
  EXPECT_FALSE(prepared.out);
  EXPECT_FALSE(prepared.err);
  EXPECT_EQ(let_go(prepared), 0);
  ::waitpid(prepared.pid, nullptr, 0);
  EXPECT_EQ(core::read_file(folder / "both"), folder.string() + "\noops\n");
  task.out_file = "no/such/folder";
  EXPECT_THROW(prepare(task, {}), core::Error);
  std::filesystem::remove_all(folder);
}

TEST(Start, WaitsForNoReaderOfAFifo) {
  const std::string fifo = testing::TempDir() + "start_test.fifo." + std::to_string(::getpid());
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  Task task = shell("echo up");
  task.out_file = fifo;
  EXPECT_THROW(prepare(task, {}), CannotOpen);
  const core::Fd reader(::open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  task = shell("grep flags /proc/$$/fdinfo/1 >&2; echo up");
  task.out_file = fifo;
  Prepared prepared = prepare(task, {});
  EXPECT_EQ(let_go(prepared), 0);
  const std::string flags = read_to_end(prepared.err);  // flags: and octal digits
  ASSERT_TRUE(flags.starts_with("flags:\t")) << flags;
  EXPECT_EQ(std::stoul(flags.substr(7), nullptr, 8) & O_NONBLOCK, 0U) << flags;
  EXPECT_EQ(read_to_end(reader), "up\n");
  ::waitpid(prepared.pid, nullptr, 0);
  std::remove(fifo.c_str());
}

TEST(Start, TellsThatThereIsNoRoomForMoreDescriptors) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizers need descriptors of their own";
#endif
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  rlimit few = before;
  few.rlim_cur = 20;
  ::setrlimit(RLIMIT_NOFILE, &few);
  EXPECT_THROW(prepare(shell(""), {}), NoRoom);
  ::setrlimit(RLIMIT_NOFILE, &before);
}

TEST(Start, GivesTheLimitOfDescriptorsThatIsAskedFor) {
  StartOptions options;
  options.descriptors = rlimit{77, 88};
  EXPECT_EQ(output_of(shell("ulimit -Sn; ulimit -Hn"), options), "77\n88\n");
}

TEST(Start, ATerminalChangesNothingButThatLinesComeAtOnce) {
  StartOptions options;
  options.terminal = true;
  EXPECT_EQ(output_of(shell("test -t 1 && printf 'a\\nb\\tc' && stty size <&1"), options),
            "a\nb\tc24 80\n");
}

TEST(Start, BindsToCores) {
  cpu_set_t ours;
  ::sched_getaffinity(0, sizeof ours, &ours);
  unsigned last = 0;
  for (unsigned core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &ours)) last = core;
  StartOptions options;
  options.cores = {last};
  EXPECT_EQ(output_of(shell("grep Cpus_allowed_list /proc/self/status"), options),
            "Cpus_allowed_list:\t" + std::to_string(last) + "\n");
}

}  // namespace
