// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/preflight.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "core/error.hpp"

namespace mpisel {
namespace {

namespace fs = std::filesystem;

class Preflight : public testing::Test {
 protected:
  Preflight() {
    std::string pattern = (fs::temp_directory_path() / "preflight.XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~Preflight() override { fs::remove_all(folder_); }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  std::string file(const std::string& name, int mode) const {
    std::ofstream(at(name)) << "#!/bin/sh\n";
    ::chmod(at(name).c_str(), static_cast<mode_t>(mode));
    return at(name);
  }
  std::string link(const std::string& target, const std::string& name) const {
    fs::create_symlink(target, at(name));
    return at(name);
  }

  fs::path folder_;
};

std::string refusal(core::ExitStatus status, const std::function<void()>& check) {
  try {
    check();
  } catch (const core::Error& e) {
    EXPECT_EQ(e.status(), status);
    return e.what();
  }
  return "";
}

std::string run_refusal(const std::string& program, const std::string& search_path) {
  return refusal(core::ExitStatus::unmet, [&] { check_runnable(program, search_path); });
}

bool kept_refused(const std::string& path) {
  return !refusal(core::ExitStatus::usage, [&] { check_kept_file(path); }).empty();
}

TEST_F(Preflight, AProgramIsRunnableByPathOrByNameInTheSearchPath) {
  const std::string program = file("mpirun", 0755);
  EXPECT_EQ(run_refusal(program, ""), "");
  EXPECT_EQ(run_refusal("mpirun", "/nowhere:" + folder_.string()), "");
  EXPECT_EQ(run_refusal("mpirun", folder_.string() + ":/nowhere"), "");
}

TEST_F(Preflight, AProgramThatIsNotThereIsToldAsExecTellsIt) {
  EXPECT_EQ(run_refusal(at("mpirun"), ""),
            "cannot run " + at("mpirun") + ": No such file or directory");
  EXPECT_EQ(run_refusal("mpirun", folder_.string()),
            "cannot run mpirun: No such file or directory");
}

TEST_F(Preflight, AFileWithoutThePermissionOrAFolderIsNoProgram) {
  file("mpirun", 0644);
  fs::create_directory(at("srun"));
  EXPECT_EQ(run_refusal(at("mpirun"), ""), "cannot run " + at("mpirun") + ": Permission denied");
  EXPECT_EQ(run_refusal("mpirun", folder_.string() + ":/nowhere"),
            "cannot run mpirun: Permission denied");
  EXPECT_EQ(run_refusal(at("srun"), ""), "cannot run " + at("srun") + ": Permission denied");
}

TEST_F(Preflight, AKeptFileIsRegularOrNotThereYet) {
  EXPECT_FALSE(kept_refused(file("hosts", 0644)));
  EXPECT_FALSE(kept_refused(at("new")));
  EXPECT_FALSE(kept_refused(at("none/new")));  // told when it is written
  EXPECT_FALSE(kept_refused("preflight-relative-and-absent"));
  EXPECT_FALSE(kept_refused(link("hosts", "to-a-file")));
  EXPECT_FALSE(kept_refused(link("absent", "to-nothing")));
}

TEST_F(Preflight, AKeptFileIsNoDeviceFifoOrFolder) {
  ASSERT_EQ(::mkfifo(at("fifo").c_str(), 0600), 0);
  EXPECT_TRUE(kept_refused(at("fifo")));
  EXPECT_TRUE(kept_refused("/dev/null"));
  EXPECT_TRUE(kept_refused(folder_.string()));
  EXPECT_TRUE(kept_refused(link("fifo", "to-a-fifo")));
  EXPECT_TRUE(kept_refused(link("/dev/null", "to-null")));
}

TEST_F(Preflight, AKeptFileIsNoDescriptorEvenOfARegularFile) {
  std::FILE* const open = std::fopen(file("hosts", 0644).c_str(), "r");
  ASSERT_NE(open, nullptr);
  const std::string number = std::to_string(::fileno(open));
  EXPECT_TRUE(kept_refused("/dev/fd/" + number));
  EXPECT_TRUE(kept_refused("/proc/self/fd/" + number));
  EXPECT_TRUE(kept_refused("/dev/../dev/fd/" + number));
  EXPECT_TRUE(kept_refused(link("/dev/fd/" + number, "to-a-descriptor")));
  EXPECT_TRUE(kept_refused(link("to-a-descriptor", "to-the-link")));
  EXPECT_TRUE(kept_refused("/dev/stdout"));
  EXPECT_TRUE(kept_refused("/dev/stderr"));
  EXPECT_TRUE(kept_refused("/dev/fd/1234567"));  // not even open
  std::fclose(open);
}

}  // namespace
}  // namespace mpisel
