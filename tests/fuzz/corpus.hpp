// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/fd.hpp"

/// Runs over every file that tests/fuzz keeps for a parser; returns how many there are.
inline std::size_t run_over_corpus(const std::string& parser, void (*property)(std::string_view)) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(TEST_DATA "/../fuzz/corpus/" + parser)) {
    ++files;
    EXPECT_NO_THROW(property(core::read_file(entry.path()))) << entry.path();
  }
  return files;
}
