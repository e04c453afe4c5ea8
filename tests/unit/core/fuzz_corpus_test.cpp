// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "../../fuzz/properties.hpp"
#include "core/fd.hpp"

namespace {

/// Runs over every file that tests/fuzz keeps for a parser; returns how many there are.
std::size_t run_over_corpus(const std::string& parser, void (*property)(std::string_view)) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(TEST_DATA "/../fuzz/corpus/" + parser)) {
    ++files;
    EXPECT_NO_THROW(property(core::read_file(entry.path()))) << entry.path();
  }
  return files;
}

TEST(FuzzCorpus, HostLists) { EXPECT_GE(run_over_corpus("hostlist", properties::hostlist), 10U); }
TEST(FuzzCorpus, TimesTables) { EXPECT_GE(run_over_corpus("times", properties::times), 8U); }
TEST(FuzzCorpus, Hostfiles) { EXPECT_GE(run_over_corpus("hostfile", properties::hostfile), 5U); }
TEST(FuzzCorpus, Durations) { EXPECT_GE(run_over_corpus("duration", properties::duration), 10U); }

}  // namespace
