// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/gather.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"

namespace {

using benchrun::Gather;
using benchrun::Row;
using core::Record;
using core::RecordKind;
using core::RowStatus;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kTimeout = 30;

/// Three hosts, one rank each, one benchmark with two runs, launched at 0 s.
class ThreeHosts : public testing::Test {
 protected:
  ThreeHosts() : gather({"n1", "n2", "n3"}, 1) {
    gather.begin_phase(0, 2);
    launch = gather.begin_launch({0, 1, 2}, {1, 1, 1}, 0);
  }

  void hello(std::uint32_t rank, std::size_t host, double now = 1) {
    gather.hello(launch, {.kind = RecordKind::hello, .rank = rank, .size = 3}, host, now);
  }
  void time(std::uint32_t rank, std::uint32_t run, double seconds = 0.5, double now = 2) {
    gather.take(launch, {.kind = RecordKind::time, .rank = rank, .run = run, .seconds = seconds},
                now);
  }
  void end(std::uint32_t rank, std::uint32_t count = 2, double now = 3) {
    gather.take(launch, {.kind = RecordKind::end, .rank = rank, .count = count}, now);
  }
  void whole(std::uint32_t rank, std::size_t host) {
    hello(rank, host);
    time(rank, 0);
    time(rank, 1);
    end(rank);
  }
  std::string misfit(const std::function<void()>& cause) {
    try {
      cause();
    } catch (const core::Error& e) {
      return e.what();
    }
    return "";
  }

  Gather gather;
  std::size_t launch = 0;
};

TEST_F(ThreeHosts, FinishesAHostWhenItsRankHasEnded) {
  whole(2, 0);
  EXPECT_TRUE(gather.finished(0));
  EXPECT_THAT(gather.unfinished(), ElementsAre(1, 2));
  const std::vector<Row> rows = gather.take_rows();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].host, 0U);
  EXPECT_EQ(rows[0].rank, 2U);
  EXPECT_EQ(rows[1].run, 1U);
}

TEST_F(ThreeHosts, HandsOutRowsOnce) {
  whole(0, 0);
  gather.take_rows();
  EXPECT_THAT(gather.take_rows(), IsEmpty());
}

TEST_F(ThreeHosts, HoldsRowsOfAHostThatIsNotFinished) {
  hello(0, 0);
  time(0, 0);
  EXPECT_THAT(gather.take_rows(), IsEmpty());
  EXPECT_EQ(gather.held_rows().size(), 1U);
}

TEST_F(ThreeHosts, IsDoneWhenEveryHostIsFinishedOrLost) {
  whole(0, 0);
  whole(1, 1);
  EXPECT_FALSE(gather.phase_done());
  gather.lose(2, RowStatus::timeout, "silent");
  EXPECT_TRUE(gather.phase_done());
}

TEST_F(ThreeHosts, NamesASilentHost) {
  hello(0, 0, 20);
  hello(1, 1, 5);
  EXPECT_THAT(gather.silent(29.9, kTimeout), IsEmpty());
  EXPECT_THAT(gather.silent(30, kTimeout), ElementsAre(2));
  EXPECT_THAT(gather.silent(35, kTimeout), ElementsAre(1, 2));
}

TEST_F(ThreeHosts, KnowsWhenTheNextHostBecomesSilent) {
  hello(0, 0, 20);
  EXPECT_EQ(gather.next_silence(kTimeout), 30);
  hello(1, 1, 21);
  hello(2, 2, 22);
  EXPECT_EQ(gather.next_silence(kTimeout), 50);
}

TEST_F(ThreeHosts, TakesASignOfLifeForLife) {
  hello(0, 0, 1);
  gather.take(launch, {.kind = RecordKind::alive, .rank = 0}, 25);
  EXPECT_THAT(gather.silent(40, kTimeout), ElementsAre(1, 2));
}

TEST_F(ThreeHosts, ForgivesAHostThatAnswered) {
  gather.heard(1, 30);
  EXPECT_THAT(gather.silent(31, kTimeout), ElementsAre(0, 2));
}

TEST_F(ThreeHosts, KnowsALateHostThatReportsByNow) {
  EXPECT_FALSE(gather.reporting(1, 31, kTimeout));
  hello(1, 1, 33);
  EXPECT_TRUE(gather.reporting(1, 34, kTimeout));
  EXPECT_FALSE(gather.reporting(1, 63, kTimeout));
  gather.end_launch(launch);
  EXPECT_FALSE(gather.reporting(1, 34, kTimeout));
}

TEST_F(ThreeHosts, DoesNotWaitForFinishedHosts) {
  whole(0, 0);
  EXPECT_THAT(gather.silent(1000, kTimeout), ElementsAre(1, 2));
}

TEST_F(ThreeHosts, GivesALostHostARowWithoutRankOrTime) {
  gather.lose(1, RowStatus::unreachable, "no route");
  const std::vector<Row> rows = gather.take_rows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].host, 1U);
  EXPECT_FALSE(rows[0].rank);
  EXPECT_EQ(rows[0].status, RowStatus::unreachable);
  EXPECT_TRUE(std::isnan(rows[0].seconds));
}

TEST_F(ThreeHosts, KeepsTheRowsThatALostHostHadReported) {
  hello(1, 1);
  time(1, 0, 0.25);
  gather.lose(1, RowStatus::timeout, "silent");
  const std::vector<Row> rows = gather.take_rows();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].seconds, 0.25);
  EXPECT_EQ(rows[1].run, 1U);
  EXPECT_EQ(rows[1].rank, 1U);
  EXPECT_EQ(rows[1].status, RowStatus::timeout);
}

TEST_F(ThreeHosts, WarnsOncePerHost) {
  gather.lose(1, RowStatus::timeout, "silent");
  gather.lose(1, RowStatus::timeout, "silent");
  EXPECT_EQ(gather.take_troubles().size(), 1U);
}

TEST_F(ThreeHosts, IgnoresLateRowsOfALostHost) {
  hello(1, 1);
  gather.lose(1, RowStatus::timeout, "silent");
  gather.take_rows();
  time(1, 0);
  time(1, 1);
  end(1);
  EXPECT_THAT(gather.take_rows(), IsEmpty());
  EXPECT_TRUE(gather.lost(1));
}

TEST_F(ThreeHosts, IgnoresRecordsOfALaunchThatIsOver) {
  hello(0, 0);
  gather.end_launch(launch);
  time(0, 0);
  EXPECT_THAT(gather.held_rows(), IsEmpty());
}

TEST_F(ThreeHosts, IgnoresRecordsOfARankThatSaidNoHello) {
  time(2, 0);
  time(2, 1);
  end(2);
  EXPECT_EQ(gather.unfinished().size(), 3U);
}

TEST_F(ThreeHosts, MeasuresAgainAHostWhoseRecordsWereTorn) {
  hello(0, 0);
  time(0, 0);
  end(0, 2);  // it had written two
  EXPECT_FALSE(gather.finished(0));
  EXPECT_THAT(gather.unfinished(), ElementsAre(0, 1, 2));
}

TEST_F(ThreeHosts, LeavesNoDoubleRowsWhenAHostIsMeasuredAgain) {
  hello(1, 1);
  time(1, 0, 9.0);
  gather.end_launch(launch);
  launch = gather.begin_launch({1}, {1}, 40);
  gather.hello(launch, {.kind = RecordKind::hello, .rank = 0, .size = 1}, 1, 41);
  time(0, 0, 0.5);
  time(0, 1, 0.5);
  end(0);
  const std::vector<Row> rows = gather.take_rows();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].seconds, 0.5);
}

TEST_F(ThreeHosts, KeepsFinishedHostsWhenOthersAreLaunchedAgain) {
  whole(0, 0);
  gather.end_launch(launch);
  gather.begin_launch({1, 2}, {1, 1}, 40);
  EXPECT_TRUE(gather.finished(0));
  EXPECT_THAT(gather.unfinished(), ElementsAre(1, 2));
}

TEST_F(ThreeHosts, GivesARankThatFailedItsStatusAndReason) {
  hello(0, 0);
  gather.take(launch,
              {.kind = RecordKind::fail,
               .rank = 0,
               .status = RowStatus::failed,
               .split = {2, 0.5},
               .reason = "died"},
              2);
  end(0, 1);
  const std::vector<Row> rows = gather.take_rows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].split.compute, 2);
  EXPECT_EQ(rows[0].status, RowStatus::failed);
  EXPECT_EQ(gather.take_troubles().at(0).reason, "died");
}

TEST_F(ThreeHosts, KeepsOfARankThatItsLauncherEndedHowItsTimeWasSpent) {
  hello(0, 0);
  gather.take(launch, {.kind = RecordKind::cut, .rank = 0, .split = {3, 1}}, 2);
  EXPECT_FALSE(gather.finished(0));
  gather.lose(0, RowStatus::failed, "aborted");
  const std::vector<Row> rows = gather.take_rows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].status, RowStatus::failed);
  EXPECT_EQ(rows[0].split.compute, 3);
  EXPECT_EQ(rows[0].split.mpi, 1);
}

TEST(Gather, ARankThatFailedSpeaksForItsHostWhenTheLaunchHasEnded) {
  Gather gather({"n1", "n2"}, 1);
  gather.begin_phase(0, 1);
  const std::size_t launch = gather.begin_launch({0, 1}, {2, 1}, 0);
  for (const std::uint32_t rank : {0U, 1U, 2U})
    gather.hello(launch, {.kind = RecordKind::hello, .rank = rank, .size = 3}, rank / 2, 1);
  gather.take(launch, {.kind = RecordKind::fail, .rank = 1, .status = RowStatus::failed}, 2);
  gather.take(launch, {.kind = RecordKind::end, .rank = 1, .count = 1}, 2);
  gather.take(launch, {.kind = RecordKind::cut, .rank = 0, .split = {3, 1}}, 2);
  EXPECT_THAT(gather.unfinished(), ElementsAre(0, 1));
  gather.end_launch(launch);
  EXPECT_THAT(gather.unfinished(), ElementsAre(1));
  const std::vector<Row> rows = gather.take_rows();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].rank, 1U);
  EXPECT_EQ(rows[1].rank, 0U);
  EXPECT_EQ(rows[1].status, RowStatus::failed);
  EXPECT_EQ(rows[1].split.compute, 3);
}

TEST_F(ThreeHosts, TurnsAWrongResultIntoTroubleNotIntoATime) {
  hello(0, 0);
  time(0, 0);
  gather.take(launch, {.kind = RecordKind::time, .rank = 0, .run = 1, .status = RowStatus::wrong},
              2);
  end(0);
  EXPECT_EQ(gather.take_rows().at(1).status, RowStatus::wrong);
  EXPECT_EQ(gather.take_troubles().at(0).status, RowStatus::wrong);
}

TEST_F(ThreeHosts, CallsAHostFailedThatReportedTooFewRuns) {
  hello(0, 0);
  time(0, 0);
  end(0, 1);
  EXPECT_TRUE(gather.finished(0));
  EXPECT_EQ(gather.take_rows().at(1).status, RowStatus::failed);
}

TEST_F(ThreeHosts, SaysThatNothingFitsWhenEveryRankIsZero) {
  hello(0, 0);
  EXPECT_THAT(misfit([&] { hello(0, 1); }),
              HasSubstr("launcher and benchmark do not fit together"));
}

TEST_F(ThreeHosts, SaysThatNothingFitsWhenRanksHaveNoNumber) {
  EXPECT_THAT(misfit([&] { gather.hello(launch, {.kind = RecordKind::hello}, 0, 1); }),
              HasSubstr("do not fit together"));
}

TEST_F(ThreeHosts, SaysThatNothingFitsWhenARankCountsOthers) {
  EXPECT_THAT(misfit([&] {
                gather.hello(launch, {.kind = RecordKind::hello, .rank = 0, .size = 1}, 0, 1);
              }),
              HasSubstr("3 ranks were asked for, but rank 0 on n1 counts 1"));
}

TEST_F(ThreeHosts, SaysThatNothingFitsWhenARankIsBeyondTheLast) {
  EXPECT_THAT(misfit([&] { hello(3, 0); }), HasSubstr("rank 3"));
}

TEST_F(ThreeHosts, SaysThatNothingFitsWhenAHostGetsTwoRanksForOne) {
  hello(0, 0);
  EXPECT_THAT(misfit([&] { hello(1, 0); }), HasSubstr("n1 was to get 1 ranks"));
}

TEST_F(ThreeHosts, LearnsTheWarmUpFromTheMedian) {
  EXPECT_FALSE(gather.warm_up_seconds());
  for (std::uint32_t rank = 0; rank < 3; ++rank) {
    hello(rank, rank);
    gather.take(launch,
                {.kind = RecordKind::warm, .rank = rank, .seconds = rank == 2 ? 100.0 : 4.0}, 2);
  }
  EXPECT_EQ(gather.warm_up_seconds(), 4.0);
}

TEST(Gather, WaitsForAllRanksOfAHost) {
  Gather gather({"n1"}, 1);
  gather.begin_phase(0, 1);
  const std::size_t launch = gather.begin_launch({0}, {2}, 0);
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    EXPECT_FALSE(gather.finished(0));
    gather.hello(launch, {.kind = RecordKind::hello, .rank = rank, .size = 2}, 0, 1);
    gather.take(launch, {.kind = RecordKind::time, .rank = rank, .seconds = 1}, 1);
    gather.take(launch, {.kind = RecordKind::end, .rank = rank, .count = 1}, 1);
  }
  EXPECT_TRUE(gather.finished(0));
}

TEST(Gather, CallsAHostSilentWhenOneOfItsRanksIs) {
  Gather gather({"n1"}, 1);
  gather.begin_phase(0, 1);
  const std::size_t launch = gather.begin_launch({0}, {2}, 0);
  gather.hello(launch, {.kind = RecordKind::hello, .rank = 0, .size = 2}, 0, 1);
  gather.hello(launch, {.kind = RecordKind::hello, .rank = 1, .size = 2}, 0, 1);
  gather.take(launch, {.kind = RecordKind::alive, .rank = 0}, 30);
  EXPECT_THAT(gather.silent(31, kTimeout), ElementsAre(0));
}

TEST(Gather, NumbersRunsOfLaterPhasesOn) {
  Gather gather({"n1"}, 1);
  for (std::uint32_t phase = 0; phase < 2; ++phase) {
    gather.begin_phase(phase, 1);
    const std::size_t launch = gather.begin_launch({0}, {1}, 0);
    gather.hello(launch, {.kind = RecordKind::hello, .rank = 0, .size = 1}, 0, 1);
    gather.take(launch, {.kind = RecordKind::time, .rank = 0, .seconds = 1}, 1);
    gather.take(launch, {.kind = RecordKind::end, .rank = 0, .count = 1}, 1);
  }
  const std::vector<Row> rows = gather.take_rows();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].run, 1U);
}

TEST(Gather, WritesNoRowsOfAWarmUp) {
  Gather gather({"n1"}, 1);
  gather.begin_phase(0, 0);
  const std::size_t launch = gather.begin_launch({0}, {1}, 0);
  gather.hello(launch, {.kind = RecordKind::hello, .rank = 0, .size = 1}, 0, 1);
  gather.take(launch, {.kind = RecordKind::time, .rank = 0, .seconds = 7}, 1);
  gather.take(launch, {.kind = RecordKind::end, .rank = 0, .count = 1}, 1);
  EXPECT_TRUE(gather.finished(0));
  EXPECT_THAT(gather.take_rows(), IsEmpty());
  EXPECT_EQ(gather.warm_up_seconds(), 7);
}

TEST(Gather, LeavesOutOfLaterPhasesWhatFailedBefore) {
  Gather gather({"n1", "n2"}, 1);
  gather.begin_phase(0, 1);
  gather.begin_launch({0, 1}, {1, 1}, 0);
  gather.lose(0, RowStatus::timeout, "silent");
  gather.begin_phase(1, 1);
  EXPECT_THAT(gather.unfinished(), ElementsAre(1));
}

TEST(Gather, GivesALostHostARowForEveryBenchmark) {
  Gather gather({"n1"}, 2);
  gather.begin_phase(0, 3);
  gather.begin_launch({0}, {1}, 0);
  gather.lose(0, RowStatus::timeout, "silent");
  EXPECT_EQ(gather.take_rows().size(), 2U);
}

TEST_F(ThreeHosts, SomeRunsAreAResultWhenTimeIsUp) {
  hello(0, 0);
  time(0, 0, 0.5);
  EXPECT_TRUE(gather.settle_for_less(0));
  EXPECT_TRUE(gather.finished(0));
  const auto rows = gather.take_rows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].seconds, 0.5);
  time(0, 1);  // what comes later does not count
  end(0);
  EXPECT_THAT(gather.take_rows(), IsEmpty());
}

TEST_F(ThreeHosts, NoRunIsNoResultWhenTimeIsUp) {
  hello(0, 0);
  EXPECT_FALSE(gather.settle_for_less(0));
  EXPECT_FALSE(gather.settle_for_less(1));
  EXPECT_FALSE(gather.finished(0));
}

TEST_F(ThreeHosts, AHostWithAFailureDoesNotSettleForLess) {
  hello(0, 0);
  time(0, 0);
  gather.take(launch, {.kind = RecordKind::fail, .rank = 0, .status = RowStatus::failed}, 2);
  EXPECT_FALSE(gather.settle_for_less(0));
}

TEST_F(ThreeHosts, AFurtherPhaseThatIsCutShortCostsNothing) {
  whole(0, 0);
  EXPECT_EQ(gather.take_rows().size(), 2U);
  gather.begin_phase(2, 2);
  EXPECT_TRUE(gather.settle_for_less(0));  // not launched yet
  EXPECT_FALSE(gather.settle_for_less(1));
  EXPECT_THAT(gather.take_rows(), IsEmpty());
  EXPECT_THAT(gather.take_troubles(), IsEmpty());
}

TEST(Gather, OnlyRepetitionsOfAllRanksAndBenchmarksAreAResultWhenTimeIsUp) {
  Gather gather({"n1"}, 2);
  gather.begin_phase(12, 12);
  const std::size_t launch = gather.begin_launch({0}, {2}, 0);
  const auto time = [&](std::uint32_t rank, std::uint32_t bench, std::uint32_t run) {
    gather.take(launch,
                {.kind = RecordKind::time, .rank = rank, .bench = bench, .run = run, .seconds = 1},
                2);
  };
  for (const std::uint32_t rank : {0U, 1U})
    gather.hello(launch, {.kind = RecordKind::hello, .rank = rank, .size = 2}, 0, 1);
  for (const std::uint32_t run : {0U, 1U, 2U}) time(0, 0, run);
  for (const std::uint32_t run : {0U, 1U}) time(0, 1, run);
  for (const std::uint32_t run : {0U, 1U, 2U}) time(1, 0, run);
  time(1, 1, 0);
  EXPECT_TRUE(gather.settle_for_less(0));
  const auto rows = gather.take_rows();
  EXPECT_EQ(rows.size(), 4U);  // run 12 of two ranks and two benchmarks
  for (const Row& row : rows) EXPECT_EQ(row.run, 12U);
}

/// Three hosts, two runs, in each of which a host meets the two others.
class Meetings : public ThreeHosts {
 protected:
  void met(std::uint32_t rank, std::uint32_t run, std::uint32_t peer) {
    gather.take(launch,
                {.kind = RecordKind::time, .rank = rank, .run = run, .seconds = 1, .peer = peer},
                2);
  }
};

TEST_F(Meetings, ARunHasARowForEachPartner) {
  for (std::uint32_t rank = 0; rank < 3; ++rank) hello(rank, 2 - rank);
  for (std::uint32_t run = 0; run < 2; ++run)
    for (const std::uint32_t peer : {1U, 2U}) met(0, run, peer);
  end(0, 4);
  EXPECT_TRUE(gather.finished(2));
  EXPECT_TRUE(gather.take_troubles().empty());
  const std::vector<Row> rows = gather.take_rows();
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].host, 2U);
  EXPECT_EQ(rows[0].peer, 1U) << "the host of rank 1";
  EXPECT_EQ(rows[1].peer, 0U);
}

TEST_F(Meetings, AMissingRunIsMissedHoweverManyPartnersTheOtherHad) {
  for (std::uint32_t rank = 0; rank < 3; ++rank) hello(rank, rank);
  met(0, 0, 1);
  met(0, 0, 2);
  end(0, 2);
  EXPECT_EQ(gather.take_rows().back().status, RowStatus::failed);
}

TEST_F(Meetings, ForLackOfTimeWholeRunsCount) {
  for (std::uint32_t rank = 0; rank < 3; ++rank) hello(rank, rank);
  met(0, 0, 1);
  met(0, 0, 2);
  ASSERT_TRUE(gather.settle_for_less(0));
  EXPECT_EQ(gather.take_rows().size(), 2U);
}

TEST_F(Meetings, WithARankThatNeverSaidHelloIsARecordLost) {
  hello(0, 0);
  met(0, 0, 1);
  met(0, 1, 1);
  end(0, 2);
  EXPECT_FALSE(gather.finished(0));
}

}  // namespace
