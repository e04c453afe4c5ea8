// SPDX-License-Identifier: BSD-3-Clause
#include "gemm_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using benchmarks::product_is_right;
using benchmarks::small_integers;
using benchmarks::Square;

/// The definition of a product, `times` times over.
Square product(const Square& a, const Square& b, unsigned times) {
  Square c{a.n, std::vector<double>(a.n * a.n)};
  for (std::size_t i = 0; i < a.n; ++i)
    for (std::size_t j = 0; j < a.n; ++j)
      for (std::size_t k = 0; k < a.n; ++k)
        c.values[i * a.n + j] += times * a.values[i * a.n + k] * b.values[k * a.n + j];
  return c;
}

class GemmCheck : public testing::Test {
 protected:
  Square a = small_integers(23, 1), b = small_integers(23, 2);
};

TEST_F(GemmCheck, AcceptsTheProduct) { EXPECT_TRUE(product_is_right(product(a, b, 1), a, b, 1)); }

TEST_F(GemmCheck, AcceptsTheSumOfSeveralProducts) {
  EXPECT_TRUE(product_is_right(product(a, b, 5), a, b, 5));
}

TEST_F(GemmCheck, FindsASmallErrorWhereverItIs) {
  for (std::size_t i = 0; i < 23 * 23; ++i) {
    Square c = product(a, b, 1);
    c.values[i] += 0.5;
    EXPECT_FALSE(product_is_right(c, a, b, 1)) << i;
  }
}

TEST_F(GemmCheck, FindsAMissingProduct) {
  EXPECT_FALSE(product_is_right(product(a, b, 4), a, b, 5));
}

TEST_F(GemmCheck, FindsAResultThatIsNoNumber) {
  Square c = product(a, b, 1);
  c.values[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(product_is_right(c, a, b, 1));
}

TEST_F(GemmCheck, FindsTwoSwappedElements) {
  Square c = product(a, b, 1);
  std::swap(c.values[0], c.values[1]);
  ASSERT_NE(c.values[0], c.values[1]);
  EXPECT_FALSE(product_is_right(c, a, b, 1));
}

TEST(SmallIntegers, AreTheSameOnEveryHost) {
  EXPECT_EQ(small_integers(50, 7).values, small_integers(50, 7).values);
  EXPECT_NE(small_integers(50, 7).values, small_integers(50, 8).values);
}

TEST(SmallIntegers, AreSmallAndWhole) {
  for (const double value : small_integers(50, 3).values) {
    EXPECT_LE(std::abs(value), 4);
    EXPECT_EQ(value, std::round(value));
  }
}

}  // namespace
