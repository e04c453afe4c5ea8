// SPDX-License-Identifier: BSD-3-Clause
#include "core/picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "temp_dir.hpp"

namespace {

using testing::HasSubstr;

core::Picture line() {
  core::Picture picture;
  picture.title = "a title";
  picture.series = {{"curve", {{0, 1}, {1, 2}}, core::Series::Style::line}};
  return picture;
}

TEST(Picture, TextOfTheUserCannotLeaveItsString) {
  core::Picture picture = line();
  picture.title = "it's\nset output 'x'";
  EXPECT_THAT(core::gnuplot_script(picture, "png"),
              HasSubstr("set title 'it''s set output ''x''' noenhanced\n"));
}

TEST(Picture, TextOfTheUserIsNeverRun) {
  if (::access("/usr/bin/gnuplot", X_OK) != 0) GTEST_SKIP() << "gnuplot is not installed";
  const TempDir dir;
  core::Picture picture = line();
  const std::string attack = "`touch " + (dir / "run") + "`\"; system(\"touch " + (dir / "run") +
                             "\")'; system('touch " + (dir / "run") + "')";
  picture.title = picture.x_label = picture.series[0].title = attack;
  picture.marks = {{0.5, attack}};
  core::write_picture(picture, dir / "a.svg");
  EXPECT_FALSE(std::filesystem::exists(dir / "run"));
}

TEST(Picture, NamesThatWouldBePipesOrOtherTypesAreRefused) {
  for (const char* bad : {"|id.png", "<a.svg", "a.pdf", "png", ".png"}) {
    try {
      core::check_picture_path(bad);
      ADD_FAILURE() << bad;
    } catch (const core::Error& e) {
      EXPECT_EQ(e.status(), core::ExitStatus::usage) << bad;
    }
  }
  core::check_picture_path("a.png");
  core::check_picture_path("/x/y.svg");
}

TEST(Picture, RendersBothTypes) {
  if (::access("/usr/bin/gnuplot", X_OK) != 0) GTEST_SKIP() << "gnuplot is not installed";
  const TempDir dir;
  core::write_picture(line(), dir / "a.png");
  core::write_picture(line(), dir / "a.svg");
  EXPECT_THAT(core::read_file(dir / "a.png"), testing::StartsWith("\x89PNG"));
  EXPECT_THAT(core::read_file(dir / "a.svg"), HasSubstr("</svg>"));
}

TEST(Picture, WithoutGnuplotTheMessageNamesThePackageAndNothingIsWritten) {
  const TempDir dir;
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", dir.path().c_str(), 1);
  try {
    core::write_picture(line(), dir / "a.png");
    ADD_FAILURE() << "no error";
  } catch (const core::Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("gnuplot-nox"));
  }
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(Picture, DrawsASeriesWithoutPointsAsNothing) {
  if (::access("/usr/bin/gnuplot", X_OK) != 0) GTEST_SKIP() << "gnuplot is not installed";
  const TempDir dir;
  core::Picture picture = line();
  picture.series[0].points.clear();
  picture.x_range = {0, 1};
  picture.y_range = {0, 1};
  core::write_picture(picture, dir / "a.png");
  EXPECT_GT(std::filesystem::file_size(dir / "a.png"), 1000U);
}

TEST(Picture, DrawsPanelsBelowEachOther) {
  if (::access("/usr/bin/gnuplot", X_OK) != 0) GTEST_SKIP() << "gnuplot is not installed";
  const TempDir dir;
  const std::vector<core::Picture> panels{line(), line(), line()};
  core::write_picture(panels, dir / "a.svg");
  const std::string svg = core::read_file(dir / "a.svg");
  std::size_t titles = 0;
  for (auto at = svg.find("a title"); at != svg.npos; at = svg.find("a title", at + 1)) ++titles;
  EXPECT_EQ(titles, 3U);
}

TEST(Picture, TakesTheSameWidthForAPanelWithItsKeyBelow) {
  core::Picture below = line();
  below.key_below = true;
  const std::string script = core::gnuplot_script(std::vector<core::Picture>{line(), below}, "png");
  EXPECT_THAT(script, HasSubstr("set key outside below"));
  EXPECT_EQ(script.find("rmargin"), script.rfind("rmargin"));
}

}  // namespace
