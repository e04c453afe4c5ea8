// SPDX-License-Identifier: BSD-3-Clause
#include "core/environment.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace core {
namespace {

TEST(Environment, ReadsTheProcess) {
  ASSERT_EQ(::setenv("LAUNCHWISE_UNIT_TEST", "x y", 1), 0);
  EXPECT_EQ(process_environment()("LAUNCHWISE_UNIT_TEST"), "x y");
  ASSERT_EQ(::unsetenv("LAUNCHWISE_UNIT_TEST"), 0);
  EXPECT_FALSE(process_environment()("LAUNCHWISE_UNIT_TEST"));
}

TEST(Environment, AFixedOneKnowsNothingElse) {
  const auto environment = fixed_environment({{"A", "1"}, {"B", ""}});
  EXPECT_EQ(environment("A"), "1");
  EXPECT_EQ(environment("B"), "");
  EXPECT_FALSE(environment("PATH"));
}

}  // namespace
}  // namespace core
