// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/speed/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"

namespace cosched_exec {
namespace {

using Kind = ProgressSpec::Kind;
using testing::HasSubstr;
using testing::Optional;

Progress matching(const std::string& pattern) { return Progress({Kind::match, pattern, ""}, "."); }

std::optional<double> shown(const std::string& pattern, std::string_view output) {
  Progress progress = matching(pattern);
  progress.feed(output);
  return progress.value();
}

/// A folder that is gone with the test.
class ProgressFile : public testing::Test {
 protected:
  ProgressFile() {
    std::string name = testing::TempDir() + "progressXXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~ProgressFile() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& text) { std::ofstream(folder_ + "/at") << text; }
  Progress reading(const std::string& pattern = "") {
    return Progress({Kind::file, pattern, "at"}, folder_);
  }

  std::string folder_;
};

TEST(ProgressLines, HasNoValueBeforeTheFirstLine) {
  Progress progress({Kind::lines, "", ""}, ".");
  EXPECT_EQ(progress.value(), std::nullopt);
  progress.feed("no end yet");
  EXPECT_EQ(progress.value(), std::nullopt);
  progress.feed("\n");
  EXPECT_THAT(progress.value(), Optional(1.0));
}

TEST(ProgressLines, CountsEndsOfLinesWhateverThePieces) {
  Progress progress({Kind::lines, "", ""}, ".");
  for (const char* piece : {"a\nb", "\n", "", "\n\nc\n", "d"}) progress.feed(piece);
  EXPECT_THAT(progress.value(), Optional(5.0));
}

TEST(ProgressEvents, AreLinesAndNewNumbersAndUnknownForAFile) {
  Progress lines({Kind::lines, "", ""}, ".");
  lines.feed("a\nb\n");
  EXPECT_THAT(lines.events(), Optional(2.0));
  Progress numbers = matching("step ([0-9]+)");
  EXPECT_THAT(numbers.events(), Optional(0.0));
  numbers.feed("step 100\nstep 100\nno\nstep 200\nstep 300");
  EXPECT_THAT(numbers.events(), Optional(2.0));
  EXPECT_EQ(Progress({Kind::file, "", "at"}, ".").events(), std::nullopt);
}

TEST(ProgressLines, DoesNotCountCarriageReturns) {
  Progress progress({Kind::lines, "", ""}, ".");
  progress.feed("10%\r20%\rdone\r\n");
  EXPECT_THAT(progress.value(), Optional(1.0));
}

TEST(ProgressMatch, TakesGroupOneElseTheWholeMatch) {
  EXPECT_THAT(shown("step (\\d+) of", "step 17 of 90\n"), Optional(17.0));
  EXPECT_THAT(shown("\\d+", "step 17 of 90\n"), Optional(90.0));
}

TEST(ProgressMatch, KeepsTheLastNumber) {
  EXPECT_THAT(shown("t=(\\S+)", "t=0.5\nnothing\nt=1.25e1\nt=far\n"), Optional(12.5));
}

TEST(ProgressMatch, UnderstandsPaddingAndSigns) {
  EXPECT_THAT(shown("at(.*)%", "at   7 %\n"), Optional(7.0));
  EXPECT_THAT(shown("x=([-+0-9.]+)", "x=+4\n"), Optional(4.0));
  EXPECT_THAT(shown("x=([-+0-9.]+)", "x=-4\n"), Optional(-4.0));
}

TEST(ProgressMatch, HasNoValueWithoutANumber) {
  EXPECT_EQ(shown("step (\\d+)", "step\nsteps 3\n"), std::nullopt);
  EXPECT_EQ(shown("step (\\w+)", "step three\n"), std::nullopt);
  EXPECT_EQ(shown("step( \\d+)?x", "stepx\n"), std::nullopt) << "group 1 did not take part";
}

TEST(ProgressMatch, JoinsTornLines) {
  const std::string output = "step 100 of 900\nstep 123 of 900\n";
  for (std::size_t cut = 0; cut <= output.size(); ++cut) {
    Progress progress = matching("step (\\d+)");
    progress.feed(output.substr(0, cut));
    progress.feed(output.substr(cut));
    EXPECT_THAT(progress.value(), Optional(123.0)) << "cut at " << cut;
  }
  Progress byte_by_byte = matching("step (\\d+)");
  for (const char& byte : output) byte_by_byte.feed({&byte, 1});
  EXPECT_THAT(byte_by_byte.value(), Optional(123.0));
}

TEST(ProgressMatch, WaitsForTheEndOfALine) {
  Progress progress = matching("step (\\d+)");
  progress.feed("step 1");
  EXPECT_EQ(progress.value(), std::nullopt) << "it may become step 12";
  progress.feed("2\r");
  EXPECT_THAT(progress.value(), Optional(12.0));
}

TEST(ProgressMatch, SeesProgressBarsThatGoBackToTheStartOfTheLine) {
  EXPECT_THAT(shown("(\\d+)%", "\r 10%|#   |\r 20%|##  |\r 3"), Optional(20.0));
}

TEST(ProgressMatch, BoundsWhatItKeepsOfALine) {
  Progress progress = matching("step (\\d+)");
  progress.feed("step 5 ");
  const std::string rest(1 << 16, 'x');
  for (int i = 0; i < 256; ++i) progress.feed(rest);
  progress.feed("step 6\nstep 7\n");
  EXPECT_THAT(progress.value(), Optional(7.0));
  progress.feed("step 8 " + rest + "\n");
  EXPECT_THAT(progress.value(), Optional(8.0)) << "the start of a long line counts";
}

TEST(ProgressMatch, LooksAtEachPlaceOnce) {
  // With backtracking the first takes 2^40 steps, the second a stack of some hundred KB.
  EXPECT_EQ(shown("(a+a+)+c", std::string(40, 'a') + "\n"), std::nullopt);
  EXPECT_EQ(shown("((a|b)*)c ([0-9]+)", std::string(4000, 'a') + "\n"), std::nullopt);
}

TEST(ProgressMatch, GoesOnAfterAnEmptyMatch) {
  EXPECT_THAT(shown("[0-9]*", "step 12 of 90, x\n"), Optional(90.0));
}

TEST(ProgressMatch, TakesAnyBytes) {
  EXPECT_THAT(shown("(\\d+)%", std::string_view("\0\xff\xfe 5%\n", 8)), Optional(5.0));
}

TEST_F(ProgressFile, HasNoValueUntilTheFileIsThere) {
  Progress progress = reading();
  EXPECT_EQ(progress.value(), std::nullopt);
  write("");
  EXPECT_EQ(progress.value(), std::nullopt);
  write("nothing yet");
  EXPECT_EQ(progress.value(), std::nullopt);
  write("done: 3.5 of 10");
  EXPECT_THAT(progress.value(), Optional(3.5));
}

TEST_F(ProgressFile, FollowsAFileThatIsRewritten) {
  Progress progress = reading();
  write("1\n");
  EXPECT_THAT(progress.value(), Optional(1.0));
  write("2\n");
  EXPECT_THAT(progress.value(), Optional(2.0));
  std::filesystem::remove(folder_ + "/at");
  EXPECT_THAT(progress.value(), Optional(2.0)) << "gone for a moment: the last number stays";
}

TEST_F(ProgressFile, TakesTheLastMatchOfTheLastLineThatHasOne) {
  Progress progress = reading("step (\\d+)");
  write("step 1\nstep 2 step 3\nend\n");
  EXPECT_THAT(progress.value(), Optional(3.0));
}

TEST_F(ProgressFile, ReadsALongLogAtItsEnd) {
  Progress progress = reading("step (\\d+)");
  write("step 1\n" + std::string(1 << 20, '\n') + "step 2\n");
  EXPECT_THAT(progress.value(), Optional(2.0));
  write("step 3\n" + std::string(1 << 20, '\n'));
  EXPECT_THAT(progress.value(), Optional(2.0)) << "only the end is read";
}

TEST_F(ProgressFile, TakesAnAbsoluteName) {
  write("4");
  Progress progress({Kind::file, "", folder_ + "/at"}, "/");
  EXPECT_THAT(progress.value(), Optional(4.0));
}

TEST_F(ProgressFile, DoesNotWaitForAFifo) {
  ASSERT_EQ(::mkfifo((folder_ + "/at").c_str(), 0600), 0);
  EXPECT_EQ(reading().value(), std::nullopt);
}

TEST_F(ProgressFile, IgnoresTheOutput) {
  Progress progress = reading();
  progress.feed("1\n2\n");
  EXPECT_EQ(progress.value(), std::nullopt);
}

TEST(ProgressCheck, NamesABadPattern) {
  try {
    check_progress({Kind::match, "step (\\d+", ""});
    FAIL() << "taken";
  } catch (const core::Error& e) {
    EXPECT_EQ(e.status(), core::ExitStatus::usage);
    EXPECT_THAT(e.what(), HasSubstr("step (\\\\d+"));
  }
}

TEST(ProgressCheck, WantsAPatternForMatchAndAName) {
  EXPECT_THROW(check_progress({Kind::match, "", ""}), core::Error);
  EXPECT_THROW(check_progress({Kind::file, "\\d+", ""}), core::Error);
  EXPECT_THROW(check_progress({Kind::file, "[", "at"}), core::Error);
  EXPECT_THROW(check_progress({Kind::match, "(.)\\1", ""}), core::Error) << "needs backtracking";
  EXPECT_NO_THROW(check_progress({Kind::lines, "", ""}));
  EXPECT_NO_THROW(check_progress({Kind::match, "\\d+", ""}));
  EXPECT_NO_THROW(check_progress({Kind::file, "", "at"}));
}

}  // namespace
}  // namespace cosched_exec
