// SPDX-License-Identifier: BSD-3-Clause
#include "core/times.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <sstream>

#include "message_of.hpp"

namespace core {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::StartsWith;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
const std::string kHeader = "host,rank,run,bench,seconds,status\n";

std::vector<TimesBlock> read(const std::string& text) { return read_times(text, "t.csv"); }

std::string refusal(const std::string& text) {
  return message_of([&text] { read(text); });
}

TEST(Times, ReadsATableMadeByHand) {
  const auto blocks = read(kHeader + "n1,0,0,compute,1.5,ok\nn2,,0,compute,,unreachable\n");
  ASSERT_EQ(blocks.size(), 1U);
  const TimesBlock& block = blocks[0];
  EXPECT_FALSE(block.marked);
  EXPECT_FALSE(block.incomplete());
  EXPECT_THAT(block.hosts, ElementsAre("n1", "n2"));
  EXPECT_THAT(block.benches, ElementsAre("compute"));
  ASSERT_EQ(block.rows.size(), 2U);
  EXPECT_EQ(block.rows[0].seconds, 1.5);
  EXPECT_EQ(block.rows[0].rank, 0U);
  EXPECT_EQ(block.rows[1].host, 1U);
  EXPECT_EQ(block.rows[1].status, RowStatus::unreachable);
  EXPECT_FALSE(block.rows[1].rank);
  EXPECT_TRUE(std::isnan(block.rows[1].seconds));
}

const std::string kSplitHeader = "mpi_seconds,host,rank,run,bench,seconds,compute_seconds,status\n";

TEST(Times, ReadsHowRanksSpentTheirTime) {
  const auto blocks =
      read(kSplitHeader + "0.5,n1,0,0,c,2,1.25,ok\n,n1,1,0,c,2,,ok\n0.25,n2,2,0,c,,3,failed\n");
  ASSERT_EQ(blocks.at(0).rows.size(), 3U);
  EXPECT_EQ(blocks[0].rows[0].split.compute, 1.25);
  EXPECT_EQ(blocks[0].rows[0].split.mpi, 0.5);
  EXPECT_FALSE(blocks[0].rows[1].split.known());
  EXPECT_EQ(blocks[0].rows[2].split.compute, 3);
}

TEST(Times, EachBlockHasItsOwnFurtherColumns) {
  const auto blocks = read(kSplitHeader + "0.5,n1,0,0,c,2,1.25,ok\n" + kHeader + "n1,0,0,c,2,ok\n");
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_FALSE(blocks[1].rows.at(0).split.known());
}

TEST(Times, SplitTimesAreNumbersOrNothing) {
  EXPECT_THAT(refusal(kSplitHeader + "0.5,n1,0,0,c,2,-1,ok\n"),
              AllOf(HasSubstr("t.csv:2"), HasSubstr("compute_seconds is '-1'")));
  EXPECT_THAT(refusal(kSplitHeader + "x,n1,0,0,c,2,1,ok\n"), HasSubstr("mpi_seconds is 'x'"));
  EXPECT_THAT(refusal("compute_seconds,compute_seconds," + kHeader + "1,1,n1,0,0,c,2,ok\n"),
              HasSubstr("column compute_seconds is there twice"));
}

TEST(Times, ReadsAMarkedBlock) {
  const auto blocks = read(
      "# launchwise-times: 1\n# job: 17\n# launcher: mpirun: the one\n# allocation: n1:2,n2\n" +
      kHeader + "n1,0,0,compute,1,ok\n# complete: rows=1 elapsed=2.5\n");
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_TRUE(blocks[0].marked);
  EXPECT_TRUE(blocks[0].complete);
  EXPECT_EQ(blocks[0].elapsed, 2.5);
  EXPECT_THAT(blocks[0].metadata,
              ElementsAre(Pair("job", "17"), Pair("launcher", "mpirun: the one"),
                          Pair("allocation", "n1:2,n2")));
  EXPECT_EQ(blocks[0].value("job"), "17");
  EXPECT_FALSE(blocks[0].value("date"));
  EXPECT_EQ(blocks[0].allocation(), (std::vector<HostSlots>{{"n1", 2}, {"n2", 0}}));
}

TEST(Times, FindsColumnsByNameAndIgnoresUnknownOnes) {
  const auto blocks = read(
      "status,note,seconds,bench,run,rank,host\nok,x,2,memory,3,4,n1\nwrong,,,memory,0,5,n1\n");
  ASSERT_EQ(blocks.at(0).rows.size(), 2U);
  const TimesRow& row = blocks[0].rows[0];
  EXPECT_EQ(row.seconds, 2);
  EXPECT_EQ(row.rank, 4U);
  EXPECT_EQ(row.run, 3U);
  EXPECT_EQ(blocks[0].benches.at(row.bench), "memory");
  EXPECT_EQ(blocks[0].rows[1].status, RowStatus::wrong);
}

TEST(Times, FilesCanBeConcatenated) {
  const std::string marked =
      "# launchwise-times: 1\n" + kHeader + "n1,0,0,compute,1,ok\n# complete: rows=1 elapsed=1\n";
  const std::string by_hand = kHeader + "n2,0,0,compute,2,ok\n";
  const std::string commented = "# about: this\n" + by_hand;
  const auto blocks = read(marked + by_hand + by_hand + commented + marked);
  ASSERT_EQ(blocks.size(), 5U);
  EXPECT_EQ(blocks[0].first_line, 1U);
  EXPECT_EQ(blocks[1].first_line, 5U);
  EXPECT_FALSE(blocks[1].marked);
  EXPECT_EQ(blocks[2].first_line, 7U);
  EXPECT_EQ(blocks[3].value("about"), "this");
  EXPECT_TRUE(blocks[4].complete);
  for (const TimesBlock& block : blocks) EXPECT_EQ(block.rows.size(), 1U);
}

TEST(Times, ManyBlocksDoNotEachReserveTheWholeFile) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += kHeader + "n1,0,0,compute,1,ok\n";
  const auto blocks = read(text);
  ASSERT_EQ(blocks.size(), 1000U);
  EXPECT_LT(blocks[1].rows.capacity(), 100U);
}

TEST(Times, EachBlockHasItsOwnNamesAndColumns) {
  const auto blocks =
      read(kHeader + "n1,0,0,a,1,ok\nstatus,seconds,bench,run,rank,host\n" + "ok,2,b,0,0,n2\n");
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_THAT(blocks[1].hosts, ElementsAre("n2"));
  EXPECT_EQ(blocks[1].rows.at(0).host, 0U);
}

TEST(Times, ABlockThatLacksAMatchingEndLineIsIncomplete) {
  const std::string begin = "# launchwise-times: 1\n" + kHeader + "n1,0,0,compute,1,ok\n";
  for (const char* end :
       {"", "# complete: rows=2 elapsed=1\n", "# complete: rows=1 elapsed=1", "# complete:\n",
        "# complete: rows=1\n", "# complete: elapsed=1 rows=1\n", "# complete: rows=1 elapsed=x\n",
        "# complete: rows=1 elapsed=-1\n", "# complete: rows= elapsed=1\n", "# compl"})
    EXPECT_TRUE(read(begin + end).at(0).incomplete()) << end;
  EXPECT_FALSE(read(begin + "# complete: rows=1 elapsed=1\n").at(0).incomplete());
}

TEST(Times, ALastLineThatWasCutShortIsLeftOutOfAnIncompleteBlock) {
  const std::string begin = "# launchwise-times: 1\n" + kHeader + "n1,0,0,compute,1,ok\n";
  const std::string row = "n2,10,0,compute,1.25,ok";
  for (std::size_t size = 1; size <= row.size(); ++size) {
    const auto blocks = read(begin + row.substr(0, size));
    ASSERT_EQ(blocks.size(), 1U);
    EXPECT_TRUE(blocks[0].incomplete());
    EXPECT_EQ(blocks[0].rows.size(), 1U);
  }
}

TEST(Times, ATableMadeByHandNeedsNoFinalNewline) {
  EXPECT_EQ(read(kHeader + "n1,0,0,compute,1,ok").at(0).rows.size(), 1U);
}

TEST(Times, AMarkWithoutRowsIsABlockOfItsOwn) {
  const std::string cut = "# launchwise-times: 1\n# job: 1\n" + kHeader;
  const auto blocks = read(cut + cut + "n1,0,0,compute,1,ok\n# complete: rows=1 elapsed=1\n");
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_TRUE(blocks[0].incomplete());
  EXPECT_TRUE(blocks[0].rows.empty());
  EXPECT_TRUE(blocks[1].complete);
}

TEST(Times, ABlockMayHaveNoRows) {
  EXPECT_TRUE(read("").empty());
  EXPECT_EQ(read(kHeader).size(), 1U);
  EXPECT_TRUE(
      read("# launchwise-times: 1\n" + kHeader + "# complete: rows=0 elapsed=3\n").at(0).complete);
}

TEST(Times, BlankLinesAndPlainCommentsAreSkipped) {
  const auto blocks = read("# what I measured\n\n" + kHeader + "\nn1,0,0,compute,1,ok\n\n");
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_TRUE(blocks[0].metadata.empty());
}

struct BadRow {
  const char* row;
  const char* message;
};

TEST(Times, RefusesMalformedRowsWithFileAndLine) {
  const BadRow bad_rows[] = {
      {"n1,0,0,compute,1", "5 fields, want 6"},
      {"n1,0,0,compute,1,ok,", "7 fields, want 6"},
      {"n1", "1 field, want 6"},
      {"n1,0,0,compute,,ok", "seconds is ''"},
      {"n1,0,0,compute,abc,ok", "seconds is 'abc', want a number >= 0"},
      {"n1,0,0,compute,-1,ok", "seconds is '-1'"},
      {"n1,0,0,compute,-0,ok", "seconds is '-0'"},
      {"n1,0,0,compute,inf,ok", "seconds is 'inf'"},
      {"n1,0,0,compute,nan,ok", "seconds is 'nan'"},
      {"n1,0,0,compute,1e999,ok", "seconds is '1e999'"},
      {"n1,0,0,compute, 1,ok", "seconds is ' 1'"},
      {"n1,0,0,compute,+1,ok", "seconds is '+1'"},
      {"n1,0,0,compute,0x1,ok", "seconds is '0x1'"},
      {"n1,0,0,compute,1,timeout", "seconds is '1' in a row that is not ok, want nothing"},
      {"n1,0,0,compute,1,OK", "status is 'OK', want ok, timeout, unreachable, failed or wrong"},
      {"n1,0,0,compute,1,", "status is ''"},
      {"n1,,0,compute,1,ok", "rank is empty in a row that is ok"},
      {"n1,-1,0,compute,1,ok", "rank is '-1'"},
      {"n1,x,0,compute,,failed", "rank is 'x'"},
      {"n1,4294967296,0,compute,1,ok", "rank is '4294967296'"},
      {"n1,0,,compute,1,ok", "run is ''"},
      {"n1,0,1.0,compute,1,ok", "run is '1.0'"},
      {"n1,0,4294967296,compute,1,ok", "run is '4294967296'"},
      {"n1,0,0,,1,ok", "bench is empty"},
      {",0,0,compute,1,ok", "'' is not a host name"},
      {"-n1,0,0,compute,1,ok", "'-n1' is not a host name"},
      {"$(id),0,0,compute,1,ok", "'$(id)' is not a host name"},
      {"a;b,0,0,compute,1,ok", "'a;b' is not a host name"},
      {" n1,0,0,compute,1,ok", "' n1' is not a host name"},
      {"\"n1\",0,0,compute,1,ok", "a quote, want CSV without quoting"},
      {"n1,0,0,compute,1,ok\r", "a carriage return"},
      {"n1,0,0,com\tpute,1,ok", "a control character (0x09)"},
      {"n1,0,0,comp\x7fute,1,ok", "a control character (0x7f)"},
      {"n1;0;0;compute;1;ok", "1 field, want 6"},
  };
  for (const auto& [row, message] : bad_rows)
    EXPECT_THAT(refusal(kHeader + "n1,0,0,compute,1,ok\n" + row + "\n"),
                AllOf(StartsWith("t.csv:3: "), HasSubstr(message)))
        << row;
}

TEST(Times, RefusesLongHostNames) {
  EXPECT_THAT(refusal(kHeader + std::string(300, 'a') + ",0,0,compute,1,ok\n"),
              AllOf(StartsWith("t.csv:2: "), HasSubstr("300 bytes")));
}

TEST(Times, RefusesNulBytes) {
  EXPECT_THAT(refusal(kHeader + std::string("n1,0,0,a\0b,1,ok\n", 16)),
              AllOf(StartsWith("t.csv:2: "), HasSubstr("control character (0x00)")));
}

TEST(Times, RefusesMalformedHeaders) {
  EXPECT_THAT(refusal("host,rank,run,bench,seconds\n"),
              AllOf(StartsWith("t.csv:1: "), HasSubstr("column status is missing")));
  EXPECT_THAT(refusal("n1,0,0,compute,1,ok\n"), HasSubstr("column host is missing"));
  EXPECT_THAT(refusal("host,host,rank,run,bench,seconds,status\n"),
              HasSubstr("column host is there twice"));
  EXPECT_THAT(refusal("Host,rank,run,bench,seconds,status\n"), HasSubstr("column host is missing"));
}

TEST(Times, TellsHowToRemoveBlanksBesideColumnNames) {
  for (const char* header :
       {"host, rank,run,bench,seconds,status\n", "host,rank ,run,bench,seconds,status\n",
        "host,  rank  ,run,bench,seconds,status\n"})
    EXPECT_THAT(refusal(header), AllOf(StartsWith("t.csv:1: blanks beside the column name rank"),
                                       HasSubstr("sed -i 's/ *, */,/g; s/^ *//; s/ *$//'")))
        << header;
}

TEST(Times, TellsHowToRemoveAByteOrderMark) {
  const std::string mark = "\xef\xbb\xbf", row = "n1,0,0,compute,1,ok\n";
  for (const std::string& text : {mark + kHeader + row, mark + "# launchwise-times: 1\n" + kHeader})
    EXPECT_THAT(refusal(text), AllOf(StartsWith("t.csv:1: a byte order mark"),
                                     HasSubstr("sed -i 's/^\\xef\\xbb\\xbf//'")));
  EXPECT_THAT(refusal(kHeader + row + mark + kHeader), StartsWith("t.csv:3: a byte order mark"));
}

TEST(Times, ACommentAfterRowsBeginsABlockThatNeedsItsOwnHeader) {
  EXPECT_THAT(refusal(kHeader + "n1,0,0,compute,1,ok\n# more\nn2,0,0,compute,1,ok\n"),
              AllOf(StartsWith("t.csv:4: "), HasSubstr("each block has its own")));
  EXPECT_THAT(refusal("# launchwise-times: 1\n" + kHeader +
                      "n1,0,0,c,1,ok\n# complete: rows=1 elapsed=1\nn2,0,0,c,1,ok\n"),
              StartsWith("t.csv:5: "));
}

TEST(Times, RefusesOtherVersionsAndStrayEndLines) {
  EXPECT_EQ(refusal("# launchwise-times: 2\n"),
            "t.csv:1: version '2' of the format, this program reads version 1");
  EXPECT_THAT(refusal("# complete: rows=0 elapsed=0\n"), StartsWith("t.csv:1: an end line"));
}

TEST(Times, RefusesMoreThanSixtyFourBenchmarks) {
  std::string text = kHeader;
  for (int i = 0; i < 64; ++i) text += "n1,0,0,b" + std::to_string(i) + ",1,ok\n";
  EXPECT_EQ(read(text).at(0).benches.size(), 64U);
  EXPECT_THAT(refusal(text + "n1,0,0,b64,1,ok\n"), StartsWith("t.csv:66: more than"));
}

TEST(Times, RefusesMalformedAllocations) {
  for (const char* value : {"n1:0", "n1:", "n1:x", "n1:1:2", "n1,", ",n1", "n1,,n2", "n1:2,n1:2",
                            "-n1:2", "n[1-2]:2", "n1: 2", "n1:1048577", "$(id)"})
    EXPECT_THAT(message_of([value] {
                  read("\n# allocation: " + std::string(value) + "\n" + kHeader).at(0).allocation();
                }),
                StartsWith("t.csv:2: "))
        << value;
  EXPECT_TRUE(read(kHeader).at(0).allocation().empty());
}

TEST(Times, ReadsBackThePrintedAllocation) {
  const std::vector<HostSlots> hosts{{"n2", 4}, {"n1", 0}, {"n3.example.org", 1048576}};
  EXPECT_EQ(print_allocation(hosts), "n2:4,n1,n3.example.org:1048576");
  EXPECT_EQ(read("# allocation: " + print_allocation(hosts) + "\n").at(0).allocation(), hosts);
}

TEST(Times, WritesTheFormat) {
  std::ostringstream out;
  TimesWriter writer(out);
  writer.begin({{"job", "17"}, {"evil", "a\nn9,0,0,compute,0,ok\r"}});
  writer.row("n1", 0, 0, "compute", RowStatus::ok, 0.1);
  writer.row("n2", std::nullopt, 0, "compute", RowStatus::timeout, kNone);
  writer.row("n3", 7, 1, "compute", RowStatus::wrong, kNone);
  EXPECT_EQ(writer.rows(), 3U);
  writer.end(12.5);
  EXPECT_EQ(out.str(),
            "# launchwise-times: 1\n"
            "# job: 17\n"
            "# evil: a?n9,0,0,compute,0,ok?\n"
            "host,rank,run,bench,seconds,status\n"
            "n1,0,0,compute,0.1,ok\n"
            "n2,,0,compute,,timeout\n"
            "n3,7,1,compute,,wrong\n"
            "# complete: rows=3 elapsed=12.5\n");
}

TEST(Times, WritesTheHardwareInAHostsFirstRow) {
  std::ostringstream out;
  TimesWriter writer(out, {.split = true, .hardware = true});
  writer.begin({});
  writer.hardware("n1", "64 x AMD, \"7763\"\n");
  writer.hardware("n2", "8 processors");
  writer.row("n1", 0, 0, "c", RowStatus::ok, 1, {0.5, 0.25});
  writer.row("n1", 1, 0, "c", RowStatus::ok, 2);
  writer.row("n3", std::nullopt, 0, "c", RowStatus::timeout, kNone);
  writer.row("n2", 2, 0, "c", RowStatus::ok, 3);
  writer.end(1);
  EXPECT_EQ(out.str(),
            "# launchwise-times: 1\n"
            "host,rank,run,bench,seconds,status,compute_seconds,mpi_seconds,hardware\n"
            "n1,0,0,c,1,ok,0.5,0.25,64 x AMD   7763  \n"
            "n1,1,0,c,2,ok,,,\n"
            "n3,,0,c,,timeout,,,\n"
            "n2,2,0,c,3,ok,,,8 processors\n"
            "# complete: rows=4 elapsed=1\n");
}

TEST(Times, TheHardwareOfAHostIsInAnyOfItsRows) {
  const auto blocks = read_times(
      "host,rank,run,bench,seconds,status,hardware\n"
      "n1,0,0,c,1,ok,\nn2,1,0,c,1,ok,8 x A\nn1,0,1,c,1,ok,4 x B\nn3,2,0,c,1,ok,\n"
      "host,rank,run,bench,seconds,status\nn1,0,0,c,1,ok\n",
      "t");
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0].hardware_of(0), "4 x B");
  EXPECT_EQ(blocks[0].hardware_of(1), "8 x A");
  EXPECT_EQ(blocks[0].hardware_of(2), "");
  EXPECT_EQ(blocks[1].hardware_of(0), "");
}

TEST(Times, APeerIsAHostLikeOthers) {
  const auto blocks = read(
      "host,rank,run,bench,seconds,status,peer\nn1,0,0,net,1,ok,n2\n"
      "n2,1,0,net,1,ok,n1\nn2,1,0,compute,2,ok,\n");
  EXPECT_THAT(blocks.at(0).hosts, ElementsAre("n1", "n2"));
  EXPECT_EQ(blocks[0].rows.at(0).peer, 1U);
  EXPECT_EQ(blocks[0].rows.at(1).peer, 0U);
  EXPECT_EQ(blocks[0].rows.at(2).peer, kNoPeer);
}

TEST(Times, RefusesAPeerThatIsNone) {
  const std::string header = "host,rank,run,bench,seconds,status,peer\n";
  EXPECT_THAT(refusal(header + "n1,0,0,net,1,ok,n1\n"),
              HasSubstr("t.csv:2: peer is 'n1', the host itself"));
  EXPECT_THAT(refusal(header + "n1,0,0,net,1,ok,-x\n"), HasSubstr("t.csv:2"));
}

TEST(Times, ReadsBackWhatItWritesBitByBit) {
  std::mt19937_64 random(20240603);
  constexpr RowStatus kAll[] = {RowStatus::ok, RowStatus::timeout, RowStatus::unreachable,
                                RowStatus::failed, RowStatus::wrong};
  std::ostringstream out;
  TimesWriter writer(out, {.split = true, .peer = true});
  writer.begin({});
  std::vector<TimesRow> written;
  for (int i = 0; i < 20000; ++i) {
    TimesRow row;
    row.host = static_cast<std::uint32_t>(random() % 50);
    row.bench = static_cast<std::uint32_t>(random() % 3);
    row.run = static_cast<std::uint32_t>(random());
    row.status = kAll[random() % 8 < 4 ? 0 : random() % 5];
    row.seconds = std::bit_cast<double>(random() & ~(std::uint64_t{1} << 63));
    if (!std::isfinite(row.seconds)) row.seconds = 5e-324;
    if (random() % 2 == 0) row.split = {std::ldexp(static_cast<double>(random()), -60), 0.1};
    if (random() % 2 == 0)
      row.peer = (row.host + 1 + static_cast<std::uint32_t>(random() % 49)) % 50;
    if (row.status == RowStatus::ok || random() % 2 == 0)
      row.rank = static_cast<std::uint32_t>(random());
    writer.row("h" + std::to_string(row.host), row.rank, row.run, "b" + std::to_string(row.bench),
               row.status, row.seconds, row.split,
               row.peer == kNoPeer ? "" : "h" + std::to_string(row.peer));
    written.push_back(row);
  }
  writer.end(1);
  const auto blocks = read(out.str());
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_TRUE(blocks[0].complete);
  ASSERT_EQ(blocks[0].rows.size(), written.size());
  for (std::size_t i = 0; i < written.size(); ++i) {
    const TimesRow& back = blocks[0].rows[i];
    ASSERT_EQ(blocks[0].hosts[back.host], "h" + std::to_string(written[i].host));
    ASSERT_EQ(blocks[0].benches[back.bench], "b" + std::to_string(written[i].bench));
    ASSERT_EQ(back.rank, written[i].rank);
    ASSERT_EQ(back.run, written[i].run);
    ASSERT_EQ(back.status, written[i].status);
    ASSERT_EQ(back.peer == kNoPeer ? "" : blocks[0].hosts[back.peer],
              written[i].peer == kNoPeer ? "" : "h" + std::to_string(written[i].peer));
    ASSERT_EQ(back.split.known(), written[i].split.known());
    if (back.split.known()) {
      ASSERT_EQ(back.split.compute, written[i].split.compute);
      ASSERT_EQ(back.split.mpi, 0.1);
    }
    if (back.status == RowStatus::ok) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(back.seconds),
                std::bit_cast<std::uint64_t>(written[i].seconds));
    }
  }
}

TEST(Times, StatusesAreSpelledInLowerCase) {
  for (const auto status : {RowStatus::ok, RowStatus::timeout, RowStatus::unreachable,
                            RowStatus::failed, RowStatus::wrong})
    EXPECT_EQ(row_status(to_string(status)), status);
  EXPECT_EQ(to_string(RowStatus::unreachable), "unreachable");
  EXPECT_FALSE(row_status("Ok"));
}

TEST(Times, AFileThatCannotBeReadIsNamed) {
  EXPECT_THAT(message_of([] { read_times_file("/nonexistent/times.csv"); }),
              HasSubstr("/nonexistent/times.csv"));
}

TEST(Times, ATableThatBenchrunDidNotFinishIsRefused) {
  const std::string whole = "# launchwise-times: 1\n" + kHeader + "n1,0,0,compute,1,ok\n";
  const auto blocks = read(whole + "# complete: rows=1 elapsed=2\n" + whole);
  const std::string text = message_of([&] { check_complete(blocks, "t.csv"); });
  EXPECT_THAT(text, AllOf(HasSubstr("t.csv:5: "), HasSubstr("measure again")));
}

TEST(Times, ATableWithoutRowsIsRefused) {
  EXPECT_THAT(message_of([] { check_complete({}, "t.csv"); }), HasSubstr("t.csv: "));
}

TEST(Times, ATableMadeByHandIsComplete) {
  const auto blocks = read(kHeader + "n1,0,0,compute,1,ok\n");
  EXPECT_NO_THROW(check_complete(blocks, "t.csv"));
}

}  // namespace
}  // namespace core
