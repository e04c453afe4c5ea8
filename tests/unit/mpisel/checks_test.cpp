// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "scores.hpp"

namespace mpisel {
namespace {

using Format = core::HostfileFormat;
using core::HostSlots;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

core::Allocation job(std::vector<HostSlots> hosts, const std::string& id = "7") {
  core::Allocation allocation;
  allocation.scheduler = "Slurm";
  allocation.source = "SLURM_JOB_NODELIST";
  allocation.job_id = id;
  allocation.hosts = std::move(hosts);
  return allocation;
}

core::TimesBlock block(std::vector<std::pair<std::string, std::string>> metadata) {
  core::TimesBlock made;
  made.file = "times.csv";
  made.metadata = std::move(metadata);
  made.rows.resize(1);
  return made;
}

template <class Action>
std::string complaint(Action action) {
  try {
    action();
  } catch (const core::Error& e) {
    return e.what();
  }
  return "";
}

Selection three_kept() {
  core::HostScore with_ranks = host("c", 1);
  with_ranks.ranks = 6;
  return select(scores({host("a", 1), host("b", 1), with_ranks}), want(3));
}

TEST(Slots, ComeFromTheOptionBeforeAllElse) {
  EXPECT_THAT(with_slots(three_kept(), {5, {{"a", 2}}, job({{"b", 3}})}),
              ElementsAre(HostSlots{"a", 5}, HostSlots{"b", 5}, HostSlots{"c", 5}));
}

TEST(Slots, ComeFromTheTableThenTheJobThenTheRanks) {
  const SlotSources sources{{}, {{"a", 2}}, job({{"a", 9}, {"b", 3}, {"c", 0}})};
  EXPECT_THAT(with_slots(three_kept(), sources),
              ElementsAre(HostSlots{"a", 2}, HostSlots{"b", 3}, HostSlots{"c", 6}));
}

TEST(Slots, OfTheLastBlockWin) {
  const std::vector blocks{block({{"allocation", "a:2,b:2"}}), block({{"allocation", "a:4"}})};
  EXPECT_THAT(with_slots(three_kept(), {{}, table_allocation(blocks), {}}),
              ElementsAre(HostSlots{"a", 4}, HostSlots{"b", 2}, HostSlots{"c", 6}));
}

TEST(Slots, AreAtLeastOneForAHostWithoutRanks) {
  core::HostScore unknown = host("a", 1);
  unknown.ranks = 0;
  EXPECT_THAT(with_slots(select(scores({unknown}), want(1)), {}), ElementsAre(HostSlots{"a", 1}));
}

TEST(Labels, RefusesTwoChosenHostsThatOpenMpiTakesForOne) {
  const std::vector<HostSlots> chosen{{"worker.1", 1}, {"worker.2", 1}};
  EXPECT_THAT(complaint([&] { check_labels(chosen, {}, Format::openmpi); }),
              testing::AllOf(HasSubstr("worker.1"), HasSubstr("worker.2")));
  EXPECT_EQ(complaint([&] { check_labels(chosen, {}, Format::mpich); }), "");
}

TEST(Labels, RefusesAChosenHostThatOpenMpiTakesForOneLeftOut) {
  const std::vector<HostSlots> chosen{{"worker.1", 1}};
  const auto all = job({{"other.1", 1}, {"other.2", 1}, {"worker.1", 1}, {"worker.2", 1}});
  EXPECT_THAT(complaint([&] { check_labels(chosen, all, Format::rankfile); }),
              HasSubstr("worker.2"));
}

TEST(Labels, AcceptsCollisionsAmongHostsLeftOut) {
  const std::vector<HostSlots> chosen{{"fine", 1}};
  const auto all = job({{"other.1", 1}, {"other.2", 1}, {"fine", 1}});
  EXPECT_EQ(complaint([&] { check_labels(chosen, all, Format::openmpi); }), "");
}

TEST(Warnings, NameTheFirstHostWithMoreSlotsThanTheJobHas) {
  const std::vector<HostSlots> chosen{{"a", 2}, {"b", 9}, {"c", 9}};
  const auto all = job({{"a", 2}, {"b", 4}, {"c", 4}});
  EXPECT_THAT(warnings(chosen, {}, all, Format::openmpi, Order::allocation),
              ElementsAre("b has 4 slots in this job (SLURM_JOB_NODELIST) but gets 9 in the "
                          "hostfile (and 1 more); Open MPI will not use more than the job has"));
  EXPECT_THAT(warnings(chosen, {}, all, Format::mpich, Order::allocation), IsEmpty());
  EXPECT_THAT(warnings(chosen, {}, {}, Format::openmpi, Order::allocation), IsEmpty());
}

TEST(Warnings, SayThatAFormatDoesNotKeepTheOrder) {
  const std::vector<HostSlots> chosen{{"a", 1}};
  EXPECT_THAT(warnings(chosen, {}, {}, Format::openmpi, Order::speed),
              ElementsAre(HasSubstr("rankfile and slurm-hostfile")));
  EXPECT_THAT(warnings(chosen, {}, {}, Format::rankfile, Order::speed), IsEmpty());
  EXPECT_THAT(warnings(chosen, {}, {}, Format::openmpi, Order::allocation), IsEmpty());
}

TEST(Warnings, TellATableFromAnotherJob) {
  const std::vector<HostSlots> chosen{{"a", 1}};
  const std::vector blocks{block({{"job", "6"}})};
  EXPECT_THAT(warnings(chosen, blocks, job({{"a", 1}}, "7"), Format::openmpi, Order::allocation),
              ElementsAre(testing::StartsWith("times.csv was measured in job")));
  EXPECT_THAT(warnings(chosen, blocks, job({{"a", 1}}, "6"), Format::openmpi, Order::allocation),
              IsEmpty());
}

TEST(SpellingHint, NamesBothSpellings) {
  Request request = want(1);
  request.allocation = {"n1"};
  const Selection none = select(scores({host("n1.cluster", 1)}), request);
  EXPECT_EQ(spelling_hint(none, job({{"n1", 1}})),
            "the table says n1.cluster, this job (SLURM_JOB_NODELIST) says n1: write hosts as the "
            "job does");
  EXPECT_EQ(spelling_hint(none, job({{"m1", 1}})), std::nullopt);
}

}  // namespace
}  // namespace mpisel
