// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/startable.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../core/temp_dir.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "cosched_exec/task_file.hpp"

namespace {

using cosched_exec::Task;
using testing::HasSubstr;

Task program(const std::vector<std::string>& argv) {
  Task task = cosched_exec::shell_task("x", 1);
  task.name = "it";
  task.argv = argv;
  return task;
}

std::string refusal(const std::vector<Task>& tasks) {
  try {
    cosched_exec::check_startable(tasks, {});
  } catch (const core::Error& e) {
    EXPECT_EQ(e.status(), core::ExitStatus::usage);
    EXPECT_THAT(e.what(), HasSubstr("task it: "));
    return e.what();
  }
  return "";
}

TEST(Startable, TakesWhatIsThere) {
  Task task = program({"sh", "-c", "exit"});
  task.directory = "/";
  task.out_file = "dev/null";
  EXPECT_EQ(refusal({task, task, program({"/bin/sh"})}), "");
}

TEST(Startable, RefusesAProgramThatIsNotThere) {
  EXPECT_THAT(refusal({program({"no-such-program"})}), HasSubstr("'no-such-program'"));
  EXPECT_THAT(refusal({program({"./no-such-program"})}), HasSubstr("No such file"));
}

TEST(Startable, RefusesAProgramThatCannotBeExecuted) {
  const TempDir dir;
  core::write_output(dir / "text", "hello");
  EXPECT_THAT(refusal({program({dir / "text"})}), HasSubstr("Permission denied"));
  Task task = program({"text"});
  task.environment = {{"PATH", "/usr/bin:" + dir.path()}};
  EXPECT_THAT(refusal({task}), HasSubstr("Permission denied"));
}

TEST(Startable, NamesFileAndLineOfATaskThatHasThem) {
  Task task = program({"no-such-program"});
  EXPECT_THAT(refusal({task}), testing::StartsWith("task it: "));
  task.place = "t.toml:7";
  EXPECT_THAT(refusal({task}), testing::StartsWith("t.toml:7: task it: cannot run "));
}

TEST(Startable, RefusesAFolderThatIsNotThere) {
  Task task = program({"sh"});
  task.directory = "/no/such/folder";
  EXPECT_THAT(refusal({task}), HasSubstr("/no/such/folder"));
  task.directory = "/dev/null";
  EXPECT_THAT(refusal({task}), HasSubstr("/dev/null"));
}

TEST(Startable, RefusesOutputThatCannotBeWritten) {
  Task task = program({"sh"});
  task.err_file = "/no/such/folder/file";
  EXPECT_THAT(refusal({task}), HasSubstr("/no/such/folder/file"));
  task.err_file = "/";
  EXPECT_THAT(refusal({task}), HasSubstr("is a folder"));
}

TEST(Startable, RefusesOneOutputForTwoTasksAndMakesNothing) {
  const TempDir dir;
  Task first = program({"sh"});
  first.name = "other";
  first.out_file = first.err_file = dir / "file";
  EXPECT_EQ(refusal({first}), "");
  Task second = program({"sh"});
  second.directory = dir.path();
  second.err_file = "file";
  EXPECT_THAT(refusal({first, second}), HasSubstr("also that of task other"));
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

}  // namespace
