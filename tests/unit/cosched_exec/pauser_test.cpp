// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/pause/pauser.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <span>
#include <thread>

#include "core/descendants.hpp"
#include "core/fd.hpp"
#include "core/process.hpp"
#include "cosched_exec/pause/cgroup_mounts.hpp"
#include "cosched_exec/pause/freezer.hpp"
#include "cosched_exec/pause/process_state.hpp"

namespace {

using namespace cosched_exec;

/// A child that uses CPU in several threads.
pid_t busy_child(int threads) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  for (int i = 0; i < threads; ++i)
    std::thread([] {
      for (volatile unsigned long turn = 0;;) turn = turn + 1;
    }).detach();
  for (;;) ::pause();
}

/// Seen within 2 s.
bool goes_on(std::span<const pid_t> processes) {
  for (int i = 0; i < 100; ++i)
    if (uses_cpu(processes, 20)) return true;
  return false;
}

class Pausing : public testing::TestWithParam<PauseMethod> {
 protected:
  void SetUp() override {
    if (GetParam() == PauseMethod::signal) return;
    const bool v1 = GetParam() == PauseMethod::freezer_v1;
    const std::string own = own_group(v1 ? "freezer" : "", core::read_file("/proc/self/cgroup"),
                                      core::read_file("/proc/self/mountinfo"));
    group = own + "/launchwise-test-" + std::to_string(::getpid());
    if (own.empty() || ::mkdir(group.c_str(), 0755) != 0) {
      group.clear();
      GTEST_SKIP() << "no group can be made here";
    }
  }
  void TearDown() override {
    for (const pid_t process : processes) {
      ::kill(process, SIGKILL);
      if (!group.empty()) thaw(GetParam(), group);
      ::waitpid(process, nullptr, 0);
    }
    EXPECT_TRUE(group.empty() || ::rmdir(group.c_str()) == 0);
  }
  pid_t add(pid_t child) {
    processes.push_back(child);
    EXPECT_TRUE(group.empty() || move_into(group, child));
    return child;
  }
  Pauser pauser() {
    return Pauser(GetParam(), group, [this] { return processes; });
  }

  std::string group;
  std::vector<pid_t> processes;
};

TEST_P(Pausing, StopsAllThreadsAndLetsThemGoOn) {
  add(busy_child(4));
  add(busy_child(1));
  Pauser pausing = pauser();
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(pausing.pause().done);
    EXPECT_TRUE(pausing.paused());
    EXPECT_FALSE(uses_cpu(processes, 20));
    EXPECT_TRUE(pausing.resume().done);
    EXPECT_TRUE(goes_on(processes));
  }
  EXPECT_EQ(pausing.method(), GetParam());
}

TEST_P(Pausing, TakesProcessesThatHaveEnded) {
  const pid_t child = add(busy_child(1));
  Pauser pausing = pauser();
  ::kill(child, SIGKILL);
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  EXPECT_TRUE(pausing.pause().done);  // a zombie
  EXPECT_TRUE(pausing.resume().done);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(pausing.pause().done);
  EXPECT_TRUE(pausing.resume().done);
  processes.clear();
}

TEST_P(Pausing, EndsPausedProcesses) {
  const pid_t child = add(busy_child(2));
  Pauser pausing = pauser();
  EXPECT_TRUE(pausing.pause().done);
  pausing.send(SIGTERM);
  EXPECT_TRUE(pausing.resume().done);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
  processes.clear();
}

TEST_P(Pausing, KillsPausedProcessesAtOnce) {
  const pid_t child = add(busy_child(2));
  Pauser pausing = pauser();
  EXPECT_TRUE(pausing.pause().done);
  pausing.send(SIGKILL);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  processes.clear();
}

INSTANTIATE_TEST_SUITE_P(Methods, Pausing,
                         testing::Values(PauseMethod::freezer_v2, PauseMethod::freezer_v1,
                                         PauseMethod::signal),
                         [](const auto& each) {
                           return each.param == PauseMethod::freezer_v2   ? "V2"
                                  : each.param == PauseMethod::freezer_v1 ? "V1"
                                                                          : "Signals";
                         });

TEST(SignalPausing, LeavesWhatHadStoppedItselfStopped) {
  const pid_t child = busy_child(1);
  ::kill(child, SIGSTOP);
  ::waitpid(child, nullptr, WUNTRACED);
  Pauser pausing(PauseMethod::signal, "", [&] { return std::vector<pid_t>{child}; });
  EXPECT_TRUE(pausing.pause().done);
  EXPECT_TRUE(pausing.resume().done);
  EXPECT_EQ(activity(child), Activity::stopped);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST(SignalPausing, StopsAgainWhatOthersHaveContinued) {
  const std::array<pid_t, 2> children{busy_child(1), busy_child(2)};
  Pauser pausing(PauseMethod::signal, "",
                 [&] { return std::vector<pid_t>(children.begin(), children.end()); });
  EXPECT_TRUE(pausing.pause().done);
  EXPECT_TRUE(pausing.stands());
  ::kill(children[1], SIGCONT);
  EXPECT_FALSE(pausing.stands());
  EXPECT_TRUE(pausing.pause().done);
  EXPECT_TRUE(pausing.stands());
  EXPECT_FALSE(uses_cpu(children, 20));
  EXPECT_TRUE(pausing.resume().done);
  for (const pid_t child : children) {
    EXPECT_TRUE(goes_on(std::span(&child, 1)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
}

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

/// A child that is in the kernel for seconds, where signals wait, then writes a byte.
pid_t child_in_kernel(core::Pipe& told) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  constexpr std::size_t kSize = 1UL << 35;  // of the page of zeros: takes 64 MB of page tables
  void* const memory =
      ::mmap(nullptr, kSize, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ::madvise(memory, kSize, MADV_NOHUGEPAGE);
  if (::write(told.write.get(), "b", 1) != 1) ::_exit(1);
  ::madvise(memory, kSize, MADV_POPULATE_READ);
  const bool said = ::write(told.write.get(), "e", 1) == 1;
  ::_exit(said ? 0 : 1);
}

TEST(SignalPausing, LeavesNothingStoppedThatStopsTooLate) {
  core::Pipe told = core::make_pipe();
  const pid_t child = child_in_kernel(told);
  char byte = 0;
  ASSERT_EQ(::read(told.read.get(), &byte, 1), 1);
  ASSERT_TRUE(goes_on(std::span(&child, 1)));
  Pauser pausing(PauseMethod::signal, "", [&] { return std::vector<pid_t>{child}; });
  const bool too_fast = pausing.pause().done;
  pollfd ready{told.read.get(), POLLIN, 0};
  const int ended = too_fast ? 1 : ::poll(&ready, 1, 60'000);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  if (too_fast) GTEST_SKIP() << "this kernel lets no process wait for more than a second";
  EXPECT_EQ(ended, 1);
}

TEST(SignalPausing, FindsProcessesMadeMeanwhile) {
  // The second look shows one more, which is stopped too.
  const std::array<pid_t, 2> children{busy_child(1), busy_child(1)};
  std::size_t looks = 0;
  Pauser pausing(PauseMethod::signal, "", [&] {
    return std::vector<pid_t>(children.begin(), children.begin() + (++looks == 1 ? 1 : 2));
  });
  EXPECT_TRUE(pausing.pause().done);
  EXPECT_GE(looks, 3U);
  EXPECT_FALSE(uses_cpu(children, 20));
  for (const pid_t child : children) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
}

TEST(SignalPausing, AcceptsAParentThatWaitsInVfork) {
  // It sleeps uninterruptibly until its child, which is stopped, goes on.
  const pid_t parent = ::fork();
  if (parent == 0) {
    if (::vfork() == 0)
      for (;;) ::pause();
    ::_exit(0);
  }
  std::vector<pid_t> both;
  while (both.size() < 2) {
    both = core::descendants_of(parent);
    both.insert(both.begin(), parent);
  }
  Pauser pausing(PauseMethod::signal, "", [&] { return both; });
  EXPECT_TRUE(pausing.pause().done);
  EXPECT_TRUE(pausing.resume().done);
  ::kill(both[1], SIGKILL);
  ::waitpid(parent, nullptr, 0);
}

TEST(SignalPausing, GivesUpAProcessOfAnotherUserThatIsBusy) {
  if (::getuid() != 0) GTEST_SKIP() << "only root can start a process of another user";
  const pid_t other = busy_child(1);  // root's
  core::Pipe told = core::make_pipe();
  const pid_t user = ::fork();
  if (user == 0) {
    if (::setresgid(65534, 65534, 65534) != 0 || ::setresuid(65534, 65534, 65534) != 0) ::_exit(2);
    const pid_t own = busy_child(1);
    Pauser pausing(PauseMethod::signal, "", [&] { return std::vector<pid_t>{own, other}; });
    const Pauser::Result result = pausing.pause();
    const std::array<pid_t, 1> ours{own};
    const bool active = goes_on(ours);
    ::kill(own, SIGKILL);
    const bool right = !result.done && pausing.method() == PauseMethod::none && active &&
                       result.trouble.find("another user") != std::string::npos;
    ::_exit(right ? 0 : 1);
  }
  int status = 0;
  ::waitpid(user, &status, 0);
  EXPECT_EQ(status, 0);
  ::kill(other, SIGKILL);
  ::waitpid(other, nullptr, 0);
}

TEST(Pauser, PausesBySignalsWhereTheFreezerFails) {
  const pid_t child = busy_child(1);
  Pauser pausing(PauseMethod::freezer_v2, "/no/such/group",
                 [&] { return std::vector<pid_t>{child}; });
  const Pauser::Result result = pausing.pause();
  EXPECT_TRUE(result.done);
  EXPECT_NE(result.trouble.find("freezer"), std::string::npos);
  EXPECT_EQ(pausing.method(), PauseMethod::signal);
  EXPECT_EQ(activity(child), Activity::stopped);
  EXPECT_TRUE(pausing.resume().done);
  EXPECT_TRUE(pausing.pause().trouble.empty()) << "told once";
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST(Pauser, TakesNoSleepingTaskForAFrozenOne) {
  const pid_t child = ::fork();
  if (child == 0)
    for (;;) ::pause();
  Pauser pausing(PauseMethod::freezer_v2, "/no/such/group",
                 [&] { return std::vector<pid_t>{child}; });
  EXPECT_TRUE(pausing.pause().done);
  EXPECT_EQ(pausing.method(), PauseMethod::signal);
  EXPECT_EQ(activity(child), Activity::stopped);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST(Groups, AreNotMadeWhereSignalsWereAskedFor) {
  Groups groups(PauseWish::signal);
  EXPECT_EQ(groups.method(), PauseMethod::none);
  EXPECT_EQ(groups.folder(), "");
  EXPECT_EQ(groups.make(), "");
  EXPECT_NE(groups.obstacle(), "");
}

TEST(Groups, AreMadeAlsoWhereAFolderOfAnEarlierRunIs) {
  std::string folder;
  {
    const Groups groups(PauseWish::freezer);
    if (groups.method() == PauseMethod::none) GTEST_SKIP() << groups.obstacle();
    folder = groups.folder();
  }
  ASSERT_EQ(::mkdir(folder.c_str(), 0755), 0);
  const pid_t child = busy_child(1);
  ASSERT_TRUE(move_into(folder, child));
  {
    const Groups groups(PauseWish::freezer);
    EXPECT_NE(groups.method(), PauseMethod::none);
    EXPECT_NE(groups.folder(), folder);
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  const Groups groups(PauseWish::freezer);
  EXPECT_EQ(groups.folder(), folder);
}

TEST(Groups, AreEndedWithAllInThemFrozenOrNot) {
  for (const PauseWish wish : {PauseWish::automatic, PauseWish::freezer}) {
    Groups groups(wish);
    if (groups.method() == PauseMethod::none) GTEST_SKIP() << groups.obstacle();
    const std::string group = groups.make();
    const pid_t child = busy_child(1);
    ASSERT_TRUE(move_into(group, child));
    ASSERT_TRUE(freeze(groups.method(), group, 10));
    end_groups(groups.folder());
    int status = 0;
    EXPECT_TRUE(::waitpid(child, &status, 0) != child || status == SIGKILL);
    EXPECT_FALSE(std::filesystem::exists(groups.folder()));
  }
}

}  // namespace
