// SPDX-License-Identifier: BSD-3-Clause
#include "core/duration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "message_of.hpp"

namespace core {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

double seconds_of(const char* text) { return parse_duration(text, "--walltime"); }

TEST(Duration, ReadsUnits) {
  EXPECT_EQ(seconds_of("90s"), 90);
  EXPECT_EQ(seconds_of("1.5h"), 5400);
  EXPECT_EQ(seconds_of("2m30s"), 150);
  EXPECT_EQ(seconds_of("1d2h3m4s"), 93784);
  EXPECT_EQ(seconds_of("100ms"), 0.1);
  EXPECT_EQ(seconds_of("1m500ms"), 60.5);
  EXPECT_EQ(seconds_of("0s"), 0);
}

TEST(Duration, ReadsSlurmsClock) {
  EXPECT_EQ(seconds_of("10:30"), 630);
  EXPECT_EQ(seconds_of("90:00"), 5400);
  EXPECT_EQ(seconds_of("1:30:00"), 5400);
  EXPECT_EQ(seconds_of("100:00:00"), 360000);
  EXPECT_EQ(seconds_of("1-12"), 129600);
  EXPECT_EQ(seconds_of("1-12:30"), 131400);
  EXPECT_EQ(seconds_of("2-00:00:01"), 172801);
  EXPECT_EQ(seconds_of("0-0:5"), 300);
}

TEST(Duration, ABareNumberIsSeconds) {
  EXPECT_EQ(seconds_of("60"), 60);
  EXPECT_EQ(seconds_of("0.25"), 0.25);
  EXPECT_EQ(seconds_of("1e3"), 1000);
}

TEST(Duration, ABareNumberIsRefusedWhereItWouldBeMinutesInSlurm) {
  EXPECT_EQ(message_of([] { parse_duration("60", "--walltime", BareNumber::refused); }),
            "--walltime: 60 is minutes in Slurm: write 60m or 60s");
  EXPECT_EQ(parse_duration("60m", "--walltime", BareNumber::refused), 3600);
  EXPECT_EQ(parse_duration("60:00", "--walltime", BareNumber::refused), 3600);
}

TEST(Duration, RefusesMalformedText) {
  for (const char* text : {"",
                           " 1s",
                           "1s ",
                           "s",
                           "-1s",
                           "-1",
                           "+1s",
                           "1x",
                           "1S",
                           "1s2",
                           "1s2m",
                           "1m1m",
                           "1h 30m",
                           "inf",
                           "infs",
                           "nan",
                           "1e999s",
                           "1e308d",
                           "1:60",
                           "1:2:60",
                           "1:60:00",
                           "1-24",
                           "1-1:60",
                           "1-",
                           "-1",
                           "1-2-3",
                           "1:",
                           ":1",
                           "1:2:3:4",
                           "1-1:2:3:4",
                           "1:+2",
                           "1.5:00",
                           "1:000",
                           "1:-1",
                           "1-0001",
                           "0x10s",
                           "1,5s",
                           "1ss",
                           "1e",
                           "1.2.3s",
                           "1mss",
                           "10:30s",
                           "99999999999999999999:00",
                           "1\n",
                           "1s\r",
                           "\x01",
                           "m30s"})
    EXPECT_THAT(message_of([text] { seconds_of(text); }), StartsWith("--walltime: ")) << text;
}

TEST(Duration, NamesTheTextAndWhatIsExpected) {
  EXPECT_THAT(message_of([] { parse_duration("ten\n", "jobs:3"); }),
              testing::AllOf(StartsWith("jobs:3: 'ten\\n' is not a duration"), HasSubstr("2m30s")));
}

TEST(Duration, PrintsForPeople) {
  EXPECT_EQ(human_duration(0), "0 s");
  EXPECT_EQ(human_duration(12e-6), "12 us");
  EXPECT_EQ(human_duration(0.00123), "1.23 ms");
  EXPECT_EQ(human_duration(4.56), "4.56 s");
  EXPECT_EQ(human_duration(150), "2m30s");
  EXPECT_EQ(human_duration(3900), "1h05m");
  EXPECT_EQ(human_duration(3 * 86400 + 4 * 3600), "3d04h");
  EXPECT_EQ(human_duration(-150), "-2m30s");
}

TEST(Duration, RoundsUpIntoTheLargerUnit) {
  EXPECT_EQ(human_duration(0.9996), "1 s");
  EXPECT_EQ(human_duration(59.96), "1m00s");
  EXPECT_EQ(human_duration(3599.7), "1h00m");
  EXPECT_EQ(human_duration(86399), "1d00h");
  EXPECT_EQ(human_duration(0.00099996), "1 ms");
}

}  // namespace
}  // namespace core
