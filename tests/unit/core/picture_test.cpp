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
using testing::Not;

core::Picture line() {
  core::Picture picture;
  picture.title = "a title";
  picture.series = {{"curve", {{0, 1}, {1, 2}}, core::Series::Style::line}};
  return picture;
}

TEST(Picture, TextOfTheUserCannotLeaveItsString) {
  core::Picture picture = line();
  picture.title = "\"; system(\"touch x\")\nset output \\";
  picture.marks = {{1, "`id`\" at 0,0"}};
  const std::string script = core::gnuplot_script(picture, "png");
  EXPECT_THAT(
      script,
      HasSubstr("set title \"\\\"; system(\\\"touch x\\\") set output \\\\\" noenhanced\n"));
  EXPECT_THAT(script, Not(HasSubstr("\nset output")));
  EXPECT_THAT(script, HasSubstr("\"`id`\\\" at 0,0\""));
}

TEST(Picture, NamesThatWouldBePipesOrOtherTypesAreRefused) {
  for (const std::string& bad : {"|id.png", "<a.svg", "a.pdf", "png", ".png"}) {
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

}  // namespace
