// SPDX-License-Identifier: BSD-3-Clause
#include "core/history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "core/output_file.hpp"
#include "temp_dir.hpp"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

core::TimesBlock one_block() {
  return core::read_times(
             "# launchwise-times: 1\n# job: 12[3].server/x\nhost,rank,run,bench,seconds,status\n"
             "n1,0,0,compute,1,ok\nn1,1,0,compute,3,ok\nn1,0,1,compute,2,ok\n"
             "n2,2,0,compute,4,ok\nn2,3,0,compute,,failed\n# complete: rows=5 elapsed=9.5\n",
             "t")
      .front();
}

struct Read {
  std::vector<core::TimesBlock> blocks;
  std::vector<std::string> skipped;
};
Read read(const std::vector<std::string>& paths, bool by_hand = false) {
  Read result;
  result.blocks = core::read_tables_and_folders(
      paths, by_hand, [&](const std::string& sentence) { result.skipped.push_back(sentence); });
  return result;
}

TEST(History, AFileHoldsTheSlowestRankOfEachHostAndRepetition) {
  const TempDir dir;
  const std::string path = core::add_to_history(dir / "a/b", one_block());
  const auto blocks = core::read_times_file(path);
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_TRUE(blocks[0].complete);
  EXPECT_EQ(blocks[0].elapsed, 9.5);
  ASSERT_EQ(blocks[0].rows.size(), 3U);
  EXPECT_EQ(blocks[0].rows[0].seconds, 3);
  EXPECT_EQ(blocks[0].rows[1].seconds, 2);
  EXPECT_EQ(blocks[0].rows[2].status, core::RowStatus::failed);
}

TEST(History, OfPairsAFileHoldsTheHosts) {
  const TempDir dir;
  const std::string path =
      core::add_to_history(dir.path(), core::read_times("# launchwise-times: 1\n"
                                                        "host,rank,run,bench,seconds,status,peer\n"
                                                        "n1,0,0,net,2,ok,n2\nn2,1,0,net,2,ok,n1\n"
                                                        "# complete: rows=2 elapsed=1\n",
                                                        "t")
                                           .front());
  const auto blocks = core::read_times_file(path);
  ASSERT_EQ(blocks.at(0).rows.size(), 2U);
  for (const core::TimesRow& row : blocks[0].rows) {
    EXPECT_EQ(row.peer, core::kNoPeer);
    EXPECT_NEAR(row.seconds, 2, 1e-6);
  }
}

TEST(History, TheSlowestRankOfASynchronisedProgramIsTheOneThatComputes) {
  const TempDir dir;
  const std::string path = core::add_to_history(
      dir.path(),
      core::read_times("# launchwise-times: 1\n"
                       "host,rank,run,bench,seconds,status,compute_seconds,mpi_seconds\n"
                       "n1,0,0,app,5.1,ok,2,3\nn1,1,0,app,5,ok,4,1\n"
                       "# complete: rows=2 elapsed=9\n",
                       "t")
          .front());
  const auto blocks = core::read_times_file(path);
  ASSERT_EQ(blocks.at(0).rows.size(), 1U);
  EXPECT_EQ(blocks[0].rows[0].rank, 1U);
  EXPECT_EQ(blocks[0].rows[0].seconds, 5);
  EXPECT_EQ(blocks[0].rows[0].split.compute, 4);
  EXPECT_EQ(blocks[0].rows[0].split.mpi, 1);
}

TEST(History, KeepsTheHardwareOfAHostWhoseFirstRowItDrops) {
  const TempDir dir;
  const std::string path = core::add_to_history(
      dir.path(), core::read_times("# launchwise-times: 1\n"
                                   "host,rank,run,bench,seconds,status,hardware\n"
                                   "n1,0,0,c,1,ok,8 x A\nn1,1,0,c,2,ok,\n"
                                   "# complete: rows=2 elapsed=9\n",
                                   "t")
                      .front());
  const auto blocks = core::read_times_file(path);
  ASSERT_EQ(blocks.at(0).rows.size(), 1U);
  EXPECT_EQ(blocks[0].rows[0].rank, 1U);
  EXPECT_EQ(blocks[0].hardware_of(0), "8 x A");
}

TEST(History, NamesAreTimeJobAndChanceAndNothingElseIsLeft) {
  const TempDir dir;
  const std::string path = core::add_to_history(dir.path(), one_block());
  EXPECT_THAT(std::filesystem::path(path).filename().string(),
              testing::MatchesRegex("[0-9]{8}T[0-9]{6}Z-12_3__server_x-[0-9a-f]{8}\\.csv"));
  core::add_to_history(dir.path(), one_block());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 2);
}

TEST(History, FoldersAndFilesAreTheUsersAlone) {
  const TempDir dir;
  const std::string path = core::add_to_history(dir / "h", one_block());
  struct stat info {};
  ASSERT_EQ(::stat((dir / "h").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0700U);
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
}

TEST(History, DamagedIncompleteAndForeignKindsOfFilesAreNamedAndSkipped) {
  const TempDir dir;
  core::add_to_history(dir.path(), one_block());
  core::write_output(dir / "a.csv", "host,rank,run,bench,seconds,status\nn1,0,0,c,x,ok\n");
  core::write_output(dir / "b.csv",
                     "# launchwise-times: 1\nhost,rank,run,bench,seconds,status\nn1,0,0,c,1,ok\n");
  ASSERT_EQ(::mkfifo((dir / "c.csv").c_str(), 0600), 0);
  std::filesystem::create_symlink("/etc/passwd", dir / "d.csv");
  core::write_output(dir / "notes.txt", "not a table");
  const Read got = read({dir.path()});
  EXPECT_EQ(got.blocks.size(), 1U);
  EXPECT_THAT(got.skipped, ElementsAre(HasSubstr("a.csv:2"), HasSubstr("b.csv:1"),
                                       HasSubstr("regular file"), HasSubstr("symbolic link")));
}

TEST(History, FilesOfOtherUsersCountOnlyInAFolderNamedByHand) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to give a file away";
  const TempDir dir;
  const std::string path = core::add_to_history(dir.path(), one_block());
  ASSERT_EQ(::chown(path.c_str(), 65534, 65534), 0);
  EXPECT_THAT(read({dir.path()}, false).skipped, ElementsAre(HasSubstr("another user")));
  EXPECT_EQ(read({dir.path()}, true).blocks.size(), 1U);
}

TEST(History, AMalformedTableNamedByHandIsAnError) {
  const TempDir dir;
  core::write_output(dir / "a.csv", "host,rank\n");
  EXPECT_THROW(read({dir / "a.csv"}, true), core::Error);
  EXPECT_THROW(read({dir / "absent"}, true), core::Error);
}

TEST(History, TheDefaultFolderFollowsTheXdgRules) {
  using core::fixed_environment;
  EXPECT_EQ(core::default_history(fixed_environment({{"XDG_DATA_HOME", "/d"}, {"HOME", "/h"}})),
            "/d/launchwise");
  EXPECT_EQ(core::default_history(fixed_environment({{"XDG_DATA_HOME", "rel"}, {"HOME", "/h"}})),
            "/h/.local/share/launchwise");
  EXPECT_THROW(core::default_history(fixed_environment({})), core::Error);
}

TEST(History, AFolderThatCannotBeMadeIsAnError) {
  const TempDir dir;
  core::write_output(dir / "file", "");
  EXPECT_THROW(core::add_to_history(dir / "file/h", one_block()), core::Error);
}

}  // namespace
