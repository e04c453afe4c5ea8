// SPDX-License-Identifier: BSD-3-Clause
#include "core/number.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <clocale>
#include <cmath>
#include <random>

namespace core {
namespace {

TEST(Number, ReadsDecimalNotation) {
  EXPECT_EQ(parse_number("0"), 0.0);
  EXPECT_EQ(parse_number("1e-3"), 0.001);
  EXPECT_EQ(parse_number("-2.5"), -2.5);
  EXPECT_EQ(parse_number("1E+2"), 100.0);
}

TEST(Number, RefusesEverythingElse) {
  for (const char* text : {"", " 1", "1 ", "+1", "0x10", "inf", "nan", "-inf", "1,5", "1e", "--1",
                           "1e999", "1_000", "1.2.3", "."})
    EXPECT_FALSE(parse_number(text)) << text;
}

TEST(Number, CountsAreDigitsUpToALimit) {
  EXPECT_EQ(parse_count("007"), 7U);
  EXPECT_EQ(parse_count("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(parse_count("10", 10), 10U);
  EXPECT_FALSE(parse_count("11", 10));
  for (const char* text : {"", "-1", "+1", " 1", "1.0", "1e3", "18446744073709551616", "0x1"})
    EXPECT_FALSE(parse_count(text)) << text;
}

TEST(Number, PrintsTheShortestTextThatReadsBack) {
  EXPECT_EQ(print_number(0.1), "0.1");
  EXPECT_EQ(print_number(100), "100");
  EXPECT_EQ(print_number(1e300), "1e+300");
  EXPECT_EQ(print_number(-0.0), "-0");
}

TEST(Number, PrintingAndReadingKeepsTheBits) {
  std::mt19937_64 random(20240601);
  int finite = 0;
  for (int i = 0; i < 100000; ++i) {
    const auto x = std::bit_cast<double>(random());
    if (!std::isfinite(x)) continue;
    ++finite;
    const auto back = parse_number(print_number(x));
    ASSERT_TRUE(back) << print_number(x);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(*back), std::bit_cast<std::uint64_t>(x));
  }
  EXPECT_GT(finite, 90000);
}

TEST(Number, TheLocaleHasNoInfluence) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* locale : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"})
    if (std::setlocale(LC_ALL, locale) != nullptr) {
      EXPECT_EQ(parse_number("1.5"), 1.5);
      EXPECT_EQ(print_number(1.5), "1.5");
    }
  std::setlocale(LC_ALL, before.c_str());
}

TEST(Number, QuotesTextOfUnknownOriginSafely) {
  EXPECT_EQ(core::quoted("abc"), "'abc'");
  EXPECT_EQ(core::quoted("a\nb\rc\td"), "'a\\nb\\rc\\td'");
  EXPECT_EQ(core::quoted("\x1b[31m"), "'\\x1b[31m'");
  EXPECT_EQ(core::quoted("it's"), "'it\\'s'");
  EXPECT_EQ(core::quoted(std::string_view("\0x", 2)), "'\\x00x'");
  EXPECT_EQ(core::quoted("\xc3\xa9"), "'\\xc3\\xa9'");
}

TEST(Number, QuotingShortensBeyondSixtyBytes) {
  EXPECT_EQ(core::quoted(std::string(60, 'x')), "'" + std::string(60, 'x') + "'");
  EXPECT_EQ(core::quoted(std::string(61, 'x')), "'" + std::string(60, 'x') + "'...");
}

}  // namespace
}  // namespace core
