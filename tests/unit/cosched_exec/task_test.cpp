// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/task.hpp"

#include <gtest/gtest.h>

#include "cosched_exec/shell_words.hpp"
#include "cosched_exec/task_file.hpp"

namespace {

using cosched_exec::program_of;
using cosched_exec::Task;
using Words = std::vector<std::string>;

std::string program(const std::string& command) {
  return program_of(cosched_exec::shell_task(command, 1));
}

std::string program(const Words& argv) {
  Task task;
  task.argv = argv;
  return program_of(task);
}

TEST(ProgramOf, IsTheFileName) {
  EXPECT_EQ(program("/opt/x/bin/solve -i a.in > a.out 2>&1"), "solve");
  EXPECT_EQ(program(Words{"./solve", "b.in"}), "solve");
}

TEST(ProgramOf, LooksThroughWrappersAndAssignments) {
  EXPECT_EQ(program("A=1 exec nice -n 5 env B=2 taskset -c 0-3 ./solve a"), "solve");
  EXPECT_EQ(program("timeout 10 ./solve"), "solve");
  EXPECT_EQ(program("cd run1 && ./solve"), "solve");
}

TEST(ProgramOf, NamesWhatALauncherStartsAndHowManyOfIt) {
  EXPECT_EQ(program("mpirun -np 2 --bind-to none lmp -in a.lmp"), "mpirun 2 lmp");
  EXPECT_EQ(program("mpirun -np 4 --bind-to none lmp -in a.lmp"), "mpirun 4 lmp");
  EXPECT_EQ(program("mpirun --mca btl self -n 2 /opt/gmx mdrun"), "mpirun 2 gmx");
  EXPECT_EQ(program("srun -n2 -c4 ./app"), "srun app");
}

TEST(ProgramOf, NamesTheScriptOfAnInterpreter) {
  EXPECT_EQ(program("python3 -u tools/fit.py 7"), "python3 fit.py");
  EXPECT_EQ(program("bash -c 'cd a; ./solve 3'"), "solve");
  EXPECT_EQ(program("python3 -c 'print(1)'"), "python3");
}

TEST(ProgramOf, NamesAllProgramsOfAPipe) {
  EXPECT_EQ(program("zcat a.gz | ./count"), "zcat count");
}

TEST(ProgramOf, TellsThreadsApart) {
  EXPECT_EQ(program("OMP_NUM_THREADS=2 ./solve"), "solve x2");
  Task task = cosched_exec::shell_task("./solve", 1);
  task.environment = {{"OMP_NUM_THREADS", "4"}};
  EXPECT_EQ(program_of(task), "solve x4");
  task.threads = 8;
  EXPECT_EQ(program_of(task), "solve x8");
}

TEST(ProgramOf, OfNothingThatHasANameIsTheText) { EXPECT_EQ(program("cd x"), "cd x"); }

TEST(ProgramOf, EndsForCommandsInCommandsInCommands) {
  std::string command = "a";
  for (int i = 0; i < 100; ++i) command = "env env env " + command;
  EXPECT_EQ(program(command), command);
}

TEST(SimpleCommands, TakesQuotesOff) {
  using Commands = std::vector<Words>;
  EXPECT_EQ(cosched_exec::simple_commands("a 'b c' \"d \\\" e\" f\\ g ''; h # i\nj"),
            (Commands{{"a", "b c", "d \" e", "f g", ""}, {"h"}, {"j"}}));
  EXPECT_EQ(cosched_exec::simple_commands("a>b<c 2>&1 d&&e"), (Commands{{"a", "d"}, {"e"}}));
  EXPECT_EQ(cosched_exec::simple_commands("a 'unfinished"), (Commands{{"a", "unfinished"}}));
}

TEST(ShellText, IsReadBackAsTheSameWords) {
  const Words words{"a", "", "b c", "it's", "$x", "d-e_f./g=1"};
  const std::string text = cosched_exec::shell_text(words);
  EXPECT_EQ(text, "a '' 'b c' 'it'\\''s' '$x' d-e_f./g=1");
  EXPECT_EQ(cosched_exec::simple_commands(text), std::vector<Words>{words});
}

}  // namespace
