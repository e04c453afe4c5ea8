// SPDX-License-Identifier: BSD-3-Clause
#include "core/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "temp_dir.hpp"

namespace {

std::size_t entries(const TempDir& dir) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(dir.path()),
                                                std::filesystem::directory_iterator()));
}

TEST(OutputFile, AReaderSeesTheOldContentUntilCommit) {
  const TempDir dir;
  core::write_output(dir / "a", "old\n");
  core::OutputFile file(dir / "a");
  file.stream() << "new\n" << std::flush;
  EXPECT_EQ(core::read_file(dir / "a"), "old\n");
  file.commit();
  EXPECT_EQ(core::read_file(dir / "a"), "new\n");
  EXPECT_EQ(entries(dir), 1U);
}

TEST(OutputFile, WithoutCommitNothingIsLeft) {
  const TempDir dir;
  { core::OutputFile(dir / "a").stream() << "half"; }
  EXPECT_EQ(entries(dir), 0U);
}

TEST(OutputFile, KeepPartialKeepsWhatWasWrittenUnderAnotherName) {
  const TempDir dir;
  {
    core::OutputFile file(dir / "a");
    file.stream() << "half\n";
    EXPECT_EQ(file.keep_partial(), dir / "a.partial");
  }
  EXPECT_EQ(core::read_file(dir / "a.partial"), "half\n");
  EXPECT_FALSE(std::filesystem::exists(dir / "a"));
}

TEST(OutputFile, ASymbolicLinkStaysOneAndItsTargetChanges) {
  const TempDir dir;
  core::write_output(dir / "target", "old\n");
  std::filesystem::create_symlink("target", dir / "link");
  core::write_output(dir / "link", "new\n");
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "link"));
  EXPECT_EQ(core::read_file(dir / "target"), "new\n");
}

TEST(OutputFile, ADanglingLinkMakesItsTarget) {
  const TempDir dir;
  std::filesystem::create_symlink("absent", dir / "link");
  core::write_output(dir / "link", "new\n");
  EXPECT_EQ(core::read_file(dir / "absent"), "new\n");
}

TEST(OutputFile, TheModeOfAnExistingFileIsKept) {
  const TempDir dir;
  core::write_output(dir / "a", "old\n");
  ASSERT_EQ(::chmod((dir / "a").c_str(), 0640), 0);
  core::write_output(dir / "a", "new\n");
  struct stat info {};
  ASSERT_EQ(::stat((dir / "a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777U, 0640U);
}

TEST(OutputFile, ANumberedDescriptorIsWrittenInPlace) {
  const TempDir dir;
  core::write_output(dir / "a", "");
  const core::Fd fd(::open((dir / "a").c_str(), O_WRONLY | O_APPEND));
  core::write_output("/dev/fd/" + std::to_string(fd.get()), "one\n");
  core::write_output("/proc/self/fd/" + std::to_string(fd.get()), "two\n");
  EXPECT_EQ(core::read_file(dir / "a"), "one\ntwo\n");
}

TEST(OutputFile, AFullDiskIsAnError) {
  core::OutputFile file("/dev/full");
  file.stream() << "x";
  EXPECT_THROW(file.commit(), core::Error);
}

TEST(OutputFile, ABadPathFailsBeforeAnythingIsWritten) {
  const TempDir dir;
  EXPECT_THROW(core::OutputFile(dir / "no/such/folder/a"), core::Error);
  EXPECT_THROW(core::OutputFile{dir.path()}, core::Error);
}

}  // namespace
