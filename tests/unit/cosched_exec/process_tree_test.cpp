// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/process_tree.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "core/descendants.hpp"
#include "cosched_exec/supervise/start.hpp"

namespace {

using namespace cosched_exec;

/// A task whose text tells a process number on its output.
class Tree : public testing::Test {
 protected:
  void SetUp() override { core::adopt_orphans(); }
  void TearDown() override { core::end_descendants(0); }

  pid_t start(TaskId id, const std::string& text, bool known_by_pipe = false) {
    Task task;
    task.name = "t";
    task.argv = {"/bin/sh", "-c", text};
    StartOptions options;
    options.environment = {ProcessTree::mark(id)};
    prepared = prepare(task, options);
    if (known_by_pipe)
      tree.add(id, prepared.pid, {prepared.out.get(), prepared.err.get()});
    else
      tree.add(id, prepared.pid);
    EXPECT_EQ(let_go(prepared), 0);
    return prepared.pid;
  }
  pid_t told() const {
    char text[32] = {};
    pollfd ready{prepared.out.get(), POLLIN, 0};
    EXPECT_EQ(::poll(&ready, 1, 20'000), 1);
    EXPECT_GT(::read(prepared.out.get(), text, sizeof text - 1), 0);
    return std::atoi(text);
  }
  bool has(TaskId id, pid_t process) {
    const auto members = tree.members_of(id);
    return std::count(members.begin(), members.end(), process) == 1;
  }

  ProcessTree tree;
  Prepared prepared;
};

TEST_F(Tree, HoldsSessionsAndGroupsOfTheirOwnBelowATask) {
  const pid_t leader = start(3, "setsid sh -c 'echo $$; exec sleep 60' & wait");
  const pid_t below = told();
  EXPECT_EQ(tree.members_of(3), (std::vector<pid_t>{leader, below}));
  EXPECT_TRUE(tree.members_of(4).empty());
}

TEST_F(Tree, KnowsAnOrphanBySession) {
  const pid_t leader = start(1, "env -i sh -c 'echo $$; exec sleep 60' >&1 2>&1 &");
  ::waitpid(leader, nullptr, 0);
  EXPECT_TRUE(has(1, told()));
}

TEST_F(Tree, KnowsAnOrphanInASessionOfItsOwnByItsMark) {
  const pid_t leader = start(2, "setsid sh -c 'echo $$; exec sleep 60' &");
  ::waitpid(leader, nullptr, 0);
  EXPECT_TRUE(has(2, told()));
}

TEST_F(Tree, KnowsAnOrphanWithoutAnEnvironmentByItsPipe) {
  const pid_t leader = start(2, "setsid env -i sh -c 'echo $$; exec sleep 60' &", true);
  ::waitpid(leader, nullptr, 0);
  EXPECT_TRUE(has(2, told()));
}

TEST_F(Tree, KnowsAnOrphanThatItHasSeenBefore) {
  start(5, "setsid env -i sh -c 'echo $$; exec sleep 60' & read never </dev/zero; wait");
  const pid_t below = told();
  EXPECT_TRUE(has(5, below));
  ::kill(prepared.pid, SIGKILL);
  ::waitpid(prepared.pid, nullptr, 0);
  EXPECT_TRUE(has(5, below));
  start(6, "echo $$; exec sleep 60");  // a new process: all are looked at anew
  EXPECT_TRUE(has(6, told()));
  EXPECT_TRUE(has(5, below));
}

TEST_F(Tree, DropsTheEndedAndTellsWhoseTheyWere) {
  const pid_t leader = start(7, "echo $$; exec sleep 60");
  told();
  EXPECT_TRUE(has(7, leader));
  ::kill(leader, SIGKILL);
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(leader), &info, WEXITED | WNOWAIT);
  EXPECT_FALSE(has(7, leader));
  EXPECT_EQ(tree.task_of_ended(leader), std::optional<TaskId>(7));
  tree.forget(7);
  EXPECT_EQ(tree.task_of_ended(leader), std::nullopt);
}

}  // namespace
