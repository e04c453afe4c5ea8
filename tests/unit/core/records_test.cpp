// SPDX-License-Identifier: BSD-3-Clause
#include "core/records.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <climits>

namespace {

using core::parse_record;
using core::print_record;
using core::Record;
using core::RecordKind;
using testing::ElementsAre;

Record time_record() {
  return {.kind = RecordKind::time, .rank = 7, .bench = 1, .run = 2, .seconds = 0.1};
}

/// Collects what a reader tells apart.
struct Reading {
  std::vector<Record> records;
  std::vector<std::string> text;
  core::RecordReader reader{"k9", [this](const Record& r) { records.push_back(r); },
                            [this](std::string_view t) { text.emplace_back(t); }};
};

std::string without_newline(std::string line) {
  line.pop_back();
  return line;
}

TEST(Records, ComeBackAsTheyWereWritten) {
  const auto record = parse_record("k9", without_newline(print_record("k9", time_record())));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->kind, RecordKind::time);
  EXPECT_EQ(record->rank, 7U);
  EXPECT_EQ(record->bench, 1U);
  EXPECT_EQ(record->run, 2U);
  EXPECT_EQ(record->seconds, 0.1);
  EXPECT_EQ(record->status, core::RowStatus::ok);
}

TEST(Records, CarryHowTheTimeWasSplit) {
  Record time = time_record();
  time.split = {0.25, 1e-9};
  const auto record = parse_record("k9", without_newline(print_record("k9", time)));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->split.compute, 0.25);
  EXPECT_EQ(record->split.mpi, 1e-9);
  const Record fail{.kind = RecordKind::fail, .rank = 1, .split = {3, 4}, .reason = "- 5"};
  const auto failed = parse_record("k9", without_newline(print_record("k9", fail)));
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->split.mpi, 4);
  EXPECT_EQ(failed->reason, "- 5");
}

TEST(Records, CarryWithWhomItWasMeasured) {
  Record time = time_record();
  EXPECT_FALSE(parse_record("k9", without_newline(print_record("k9", time)))->peer);
  time.peer = 12;
  EXPECT_EQ(parse_record("k9", without_newline(print_record("k9", time)))->peer, 12U);
}

TEST(Records, CarryWhatWasKnownWhenTheLauncherEndedARank) {
  const Record cut{.kind = RecordKind::cut, .rank = 4, .bench = 1, .split = {0.5, 0}};
  const auto record = parse_record("k9", without_newline(print_record("k9", cut)));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->kind, RecordKind::cut);
  EXPECT_EQ(record->bench, 1U);
  EXPECT_EQ(record->split.compute, 0.5);
  EXPECT_EQ(record->split.mpi, 0);
}

TEST(Records, CarryWhichMpiKnewNothingOfTheOtherRanks) {
  const Record alone{.kind = RecordKind::alone, .rank = 3, .mpi = "Open MPI"};
  const auto record = parse_record("k9", without_newline(print_record("k9", alone)));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->kind, RecordKind::alone);
  EXPECT_EQ(record->rank, 3U);
  EXPECT_EQ(record->mpi, "Open MPI");
}

TEST(Records, SayWhenTheTimeIsNotSplit) {
  const auto record = parse_record("k9", without_newline(print_record("k9", time_record())));
  ASSERT_TRUE(record);
  EXPECT_FALSE(record->split.known());
}

TEST(Records, CarryHostAndAddresses) {
  const Record hello{.kind = RecordKind::hello,
                     .rank = 0,
                     .size = 4,
                     .host = "n1.cluster",
                     .addresses = {"10.0.0.1", "fe80::1"},
                     .hardware = "64 x AMD EPYC 7763"};
  const auto record = parse_record("k9", without_newline(print_record("k9", hello)));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->size, 4U);
  EXPECT_EQ(record->host, "n1.cluster");
  EXPECT_THAT(record->addresses, ElementsAre("10.0.0.1", "fe80::1"));
  EXPECT_EQ(record->hardware, "64 x AMD EPYC 7763");
}

TEST(Records, SayWhenTheLauncherTellsNoRank) {
  const auto record = parse_record(
      "k9", without_newline(print_record("k9", {.kind = RecordKind::hello, .host = "n1"})));
  ASSERT_TRUE(record);
  EXPECT_FALSE(record->rank);
  EXPECT_FALSE(record->size);
  EXPECT_EQ(record->hardware, "");
}

TEST(Records, KeepAReasonOfSeveralWords) {
  const auto record = parse_record(
      "k9", without_newline(print_record("k9", {
                                                   .kind = RecordKind::fail,
                                                   .rank = 1,
                                                   .status = core::RowStatus::failed,
                                                   .reason = "cannot run a b: No such file",
                                               })));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->reason, "cannot run a b: No such file");
}

TEST(Records, StayOneLineWhateverTheReason) {
  const std::string line =
      print_record("k9", {.kind = RecordKind::fail, .rank = 1, .reason = "two\nlines\r\x1b[2J"});
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_EQ(line.find('\x1b'), std::string::npos);
}

TEST(Records, FitIntoOneAtomicWrite) {
  const std::vector<std::string> addresses(1000, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
  const std::string line = print_record("0123456789abcdef", {.kind = RecordKind::hello,
                                                             .rank = 1,
                                                             .host = std::string(250, 'n'),
                                                             .addresses = addresses,
                                                             .hardware = std::string(999, 'x')});
  EXPECT_LE(line.size(), static_cast<std::size_t>(PIPE_BUF));
}

TEST(Records, OfAnotherRunAreNone) {
  EXPECT_FALSE(parse_record("other", without_newline(print_record("k9", time_record()))));
}

TEST(Records, AreRefusedWhenOneByteChanged) {
  const std::string line = without_newline(print_record("k9", time_record()));
  for (std::size_t i = 0; i < line.size(); ++i) {
    std::string damaged = line;
    damaged[i] = damaged[i] == '1' ? '2' : '1';
    EXPECT_FALSE(parse_record("k9", damaged)) << damaged;
  }
}

TEST(Records, AreRefusedWhenCutShort) {
  const std::string line = without_newline(print_record("k9", time_record()));
  for (std::size_t length = 0; length < line.size(); ++length)
    EXPECT_FALSE(parse_record("k9", line.substr(0, length)));
}

TEST(Records, AreFoundInAnyPortionsOfBytes) {
  Reading reading;
  for (const char c : "noise\n" + print_record("k9", time_record()) + "more\n")
    if (c != '\0') reading.reader.take(std::string_view(&c, 1));
  EXPECT_EQ(reading.records.size(), 1U);
  EXPECT_THAT(reading.text, ElementsAre("noise", "more"));
}

TEST(Records, AreFoundAfterALineWithoutNewline) {
  Reading reading;
  reading.reader.take("partial " + print_record("k9", time_record()));
  EXPECT_EQ(reading.records.size(), 1U);
  EXPECT_THAT(reading.text, ElementsAre("partial "));
}

TEST(Records, AreReadFromATerminalsLines) {
  Reading reading;
  reading.reader.take(without_newline(print_record("k9", time_record())) + "\r\n");
  EXPECT_EQ(reading.records.size(), 1U);
}

TEST(Records, OfTwoRanksThatInterleavedAreBothDropped) {
  const std::string a = print_record("k9", time_record()), b = print_record("k9", time_record());
  Reading reading;
  reading.reader.take(a.substr(0, 20) + b.substr(0, 30) + a.substr(20) + b.substr(30));
  EXPECT_TRUE(reading.records.empty());
}

TEST(Records, EndWithTheStream) {
  Reading reading;
  reading.reader.take("last words");
  EXPECT_TRUE(reading.text.empty());
  reading.reader.finish();
  EXPECT_THAT(reading.text, ElementsAre("last words"));
}

TEST(Records, OfAnEndlessLineDoNotFillTheMemory) {
  Reading reading;
  for (int i = 0; i < 100; ++i) reading.reader.take(std::string(10000, 'x'));
  EXPECT_GE(reading.text.size(), 10U);
}

}  // namespace
