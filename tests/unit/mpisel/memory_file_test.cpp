// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/memory_file.hpp"

#include <gtest/gtest.h>

#include "core/fd.hpp"
#include "core/process.hpp"

namespace mpisel {
namespace {

TEST(MemoryFile, CanBeReadFromItsStartAgainAndAgain) {
  const std::string path = keep_in_memory("n1 slots=2\n");
  EXPECT_EQ(core::read_file(path), "n1 slots=2\n");
  EXPECT_EQ(core::read_file(path), "n1 slots=2\n");
}

TEST(MemoryFile, SurvivesExec) {
  const std::string path = keep_in_memory("n1 slots=2\n");
  EXPECT_EXIT(core::become({"grep", "-q", "n1 slots=2", path}), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace mpisel
