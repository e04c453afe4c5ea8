// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/task_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/fd.hpp"

namespace {

using cosched_exec::parse_plain;
using cosched_exec::parse_toml;
using cosched_exec::ProgressSpec;
using cosched_exec::Task;
using testing::HasSubstr;
using testing::StartsWith;
using Words = std::vector<std::string>;

std::vector<Task> toml(std::string_view text, std::size_t before = 0) {
  return parse_toml(text, "t.toml", before);
}

/// The sentence with which a text is refused as a wrong task file.
std::string refusal(std::string_view text, std::size_t before = 0) {
  try {
    toml(text, before);
  } catch (const core::Error& e) {
    EXPECT_EQ(e.status(), core::ExitStatus::usage) << text;
    return e.what();
  }
  ADD_FAILURE() << "not refused: " << text;
  return "";
}

TEST(PlainTaskFile, IsOneShellCommandALine) {
  const auto tasks = parse_plain("./a 1\n\n# not me\n  ./b \"x y\" | c  \n", "t", 0);
  ASSERT_EQ(tasks.size(), 2U);
  EXPECT_EQ(tasks[0].name, "1");
  EXPECT_EQ(tasks[0].argv, (Words{"/bin/sh", "-c", "./a 1"}));
  EXPECT_EQ(tasks[1].name, "2");
  EXPECT_EQ(tasks[1].text, "./b \"x y\" | c");
  EXPECT_TRUE(tasks[1].pausable);
}

TEST(PlainTaskFile, NumbersGoOn) { EXPECT_EQ(parse_plain("a\n", "t", 3).at(0).name, "4"); }

TEST(PlainTaskFile, TakesCarriageReturnsAndALastLineWithoutAnEnd) {
  const auto tasks = parse_plain(
      "\xef\xbb\xbf"
      "a\r\n\r\n# c\r\nb",
      "t", 0);
  ASSERT_EQ(tasks.size(), 2U);
  EXPECT_EQ(tasks[0].text, "a");
  EXPECT_EQ(tasks[1].text, "b");
}

TEST(PlainTaskFile, OfNothingHoldsNoTasks) {
  EXPECT_TRUE(parse_plain("", "t", 0).empty());
  EXPECT_TRUE(parse_plain("\n# x\n", "t", 0).empty());
}

TEST(PlainTaskFile, RefusesWhatIsNoText) {
  try {
    parse_plain(std::string_view("a\nb\0c\n", 6), "list", 0);
    ADD_FAILURE();
  } catch (const core::Error& e) {
    EXPECT_THAT(e.what(), StartsWith("list:2: "));
    EXPECT_EQ(e.status(), core::ExitStatus::usage);
  }
}

TEST(PlainTaskFile, IsNeverTakenForToml) {
  EXPECT_EQ(parse_plain("[[task]]\n", "t", 0).at(0).text, "[[task]]");
}

TEST(PlainTaskFile, HoldsAtMostAMillionTasks) {
  EXPECT_EQ(parse_plain("a\n", "t", cosched_exec::kMostTasks - 1).size(), 1U);
  EXPECT_THROW(parse_plain("a\nb\n", "t", cosched_exec::kMostTasks - 1), core::Error);
}

TEST(TomlTaskFile, KnowsAllKeys) {
  const auto tasks = toml(R"toml([[task]]
name = "md"
command = ["mpirun", "-np", "2", "./md", "a b"]
threads = 2
env = { A = "x", N = 4 }
dir = "run1"
stdout = "out"
stderr = "err"
progress = { match = "step +([0-9]+)" }
pausable = false
)toml");
  ASSERT_EQ(tasks.size(), 1U);
  const Task& task = tasks[0];
  EXPECT_EQ(task.name, "md");
  EXPECT_EQ(task.argv, (Words{"mpirun", "-np", "2", "./md", "a b"}));
  EXPECT_EQ(task.text, "mpirun -np 2 ./md 'a b'");
  EXPECT_EQ(task.threads, 2U);
  EXPECT_THAT(task.environment,
              testing::UnorderedElementsAre(testing::Pair("A", "x"), testing::Pair("N", "4")));
  EXPECT_EQ(task.directory, "run1");
  EXPECT_EQ(task.out_file, "out");
  EXPECT_EQ(task.err_file, "err");
  ASSERT_TRUE(task.progress);
  EXPECT_EQ(task.progress->kind, ProgressSpec::Kind::match);
  EXPECT_EQ(task.progress->pattern, "step +([0-9]+)");
  EXPECT_FALSE(task.pausable);
}

TEST(TomlTaskFile, KeepsTheOrderOfTasksAndNamesThemByPlace) {
  const auto tasks = toml("[[task]]\ncommand = 'z'\n[[task]]\ncommand = 'a'\n", 2);
  ASSERT_EQ(tasks.size(), 2U);
  EXPECT_EQ(tasks[0].name, "3");
  EXPECT_EQ(tasks[0].argv, (Words{"/bin/sh", "-c", "z"}));
  EXPECT_EQ(tasks[1].name, "4");
  EXPECT_EQ(tasks[1].place, "t.toml:3");
}

TEST(TomlTaskFile, KnowsThreeKindsOfProgress) {
  const auto progress = [](const std::string& value) {
    return toml("[[task]]\ncommand = 'a'\nprogress = " + value + "\n").at(0).progress.value();
  };
  EXPECT_EQ(progress("'lines'").kind, ProgressSpec::Kind::lines);
  EXPECT_EQ(progress("{ match = '[0-9]+' }").kind, ProgressSpec::Kind::match);
  const ProgressSpec file = progress("{ file = 'state.txt', match = 't=([0-9]+)' }");
  EXPECT_EQ(file.kind, ProgressSpec::Kind::file);
  EXPECT_EQ(file.file, "state.txt");
  EXPECT_EQ(file.pattern, "t=([0-9]+)");
  EXPECT_EQ(progress("{ file = 'state.txt' }").pattern, "");
}

TEST(TomlTaskFile, RefusalsNameFileAndLine) {
  const struct {
    const char* text;
    const char* place;
    const char* word;
  } kWrong[] = {
      {"[[task]]\ncommand = 'a'\ncolour = 1\n", "t.toml:3: ", "colour"},
      {"[[task]]\ncommand = 'a'\nafter = ['b']\n", "t.toml:3: ", "not in this version"},
      {"[[task]]\ncommand = 'a'\nmemory = '1G'\n", "t.toml:3: ", "not in this version"},
      {"tasks = 1\n", "t.toml:1: ", "[[task]]"},
      {"task = 1\n", "t.toml:1: ", "[[task]]"},
      {"task = [1]\n", "t.toml:1: ", "table"},
      {"\n[[task]]\nname = 'a'\n", "t.toml:2: ", "without a command"},
      {"[[task]]\ncommand = []\n", "t.toml:2: ", "without a program"},
      {"[[task]]\ncommand = ['']\n", "t.toml:2: ", "without a program"},
      {"[[task]]\ncommand = ' '\n", "t.toml:2: ", "empty"},
      {"[[task]]\ncommand = 7\n", "t.toml:2: ", "string"},
      {"[[task]]\ncommand = ['a', 7]\n", "t.toml:2: ", "string"},
      {"[[task]]\ncommand = \"a\\u0000b\"\n", "t.toml:2: ", "null"},
      {"[[task]]\ncommand = 'a'\nthreads = 0\n", "t.toml:3: ", "threads"},
      {"[[task]]\ncommand = 'a'\nthreads = 1.5\n", "t.toml:3: ", "threads"},
      {"[[task]]\ncommand = 'a'\nthreads = 70000\n", "t.toml:3: ", "threads"},
      {"[[task]]\ncommand = 'a'\nenv = ['A=1']\n", "t.toml:3: ", "env"},
      {"[[task]]\ncommand = 'a'\nenv = { \"A=B\" = '1' }\n", "t.toml:3: ", "A=B"},
      {"[[task]]\ncommand = 'a'\nenv = { A = 1.5 }\n", "t.toml:3: ", "whole number"},
      {"[[task]]\ncommand = 'a'\nenv = { A = true }\n", "t.toml:3: ", "in quotes"},
      {"[[task]]\ncommand = 'a'\ndir = ''\n", "t.toml:3: ", "dir"},
      {"[[task]]\ncommand = 'a'\npausable = 'no'\n", "t.toml:3: ", "pausable"},
      {"[[task]]\ncommand = 'a'\nprogress = 'often'\n", "t.toml:3: ", "lines"},
      {"[[task]]\ncommand = 'a'\nprogress = {}\n", "t.toml:3: ", "lines"},
      {"[[task]]\ncommand = 'a'\nprogress = { match = '(' }\n", "t.toml:3: ", "("},
      {"[[task]]\ncommand = 'a'\nprogress = { watch = 'a' }\n", "t.toml:3: ", "watch"},
      {"[[task]]\ncommand = 'a'\nname = \"a\\tb\"\n", "t.toml:3: ", "control"},
      {"[[task]]\ncommand = 'a'\nname = \"a\\u0085b\"\n", "t.toml:3: ", "control"},
      {"[[task]]\ncommand = 'a'\nname = ''\n", "t.toml:3: ", "empty"},
      {"[[task]]\ncommand = \n", "t.toml:2: ", ""},
      {"[[task]]\ncommand = 'a'\ncommand = 'b'\n", "t.toml:3: ", ""},
  };
  for (const auto& wrong : kWrong) {
    const std::string sentence = refusal(wrong.text);
    EXPECT_THAT(sentence, StartsWith(wrong.place)) << wrong.text;
    EXPECT_THAT(sentence, HasSubstr(wrong.word)) << wrong.text;
    EXPECT_FALSE(sentence.ends_with('.')) << sentence;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
  }
}

TEST(TomlTaskFile, RefusesANameTwice) {
  EXPECT_THAT(refusal("[[task]]\ncommand = 'a'\nname = 'x'\n[[task]]\nname = 'x'\ncommand = 'b'\n"),
              StartsWith("t.toml:4: the name 'x'"));
  EXPECT_THAT(refusal("[[task]]\ncommand = 'a'\nname = '2'\n[[task]]\ncommand = 'b'\n"),
              HasSubstr("'2' is that of another task too: a task without a name is called by its"));
  EXPECT_THAT(refusal("[[task]]\ncommand = 'a'\nname = '1'\n", 1), HasSubstr("'1'"));
}

TEST(TomlTaskFile, RefusesALongName) {
  const std::string longest(100, 'n');
  EXPECT_EQ(toml("[[task]]\ncommand = 'a'\nname = '" + longest + "'\n").at(0).name, longest);
  EXPECT_THAT(refusal("[[task]]\ncommand = 'a'\nname = '" + longest + "n'\n"),
              HasSubstr("100 bytes"));
}

TEST(TomlTaskFile, TakesCarriageReturns) {
  EXPECT_EQ(toml("[[task]]\r\ncommand = 'a'\r\n").at(0).text, "a");
}

TEST(TaskFiles, OfTheExamplesAreRight) {
  const std::string examples = TEST_DATA "/../../share/examples/";
  EXPECT_EQ(parse_plain(core::read_file(examples + "tasks.txt"), "tasks.txt", 0).size(), 4U);
  EXPECT_EQ(parse_toml(core::read_file(examples + "tasks.toml"), "tasks.toml", 0).size(), 3U);
}

}  // namespace
