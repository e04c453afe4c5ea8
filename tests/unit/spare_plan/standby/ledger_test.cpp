// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "spare_plan/standby/live/ledger.hpp"

namespace {

using namespace spare_plan::standby::live;
using testing::HasSubstr;

Ledger ledger_of(const std::string& lines) {
  return Ledger(std::string(kLedgerTitle) + lines, "ledger");
}

Node with(const std::string& lines, NodeState state, double now, double limit = 100) {
  Cluster cluster;
  cluster.nodes.push_back({"n1", state});
  add_ledger(cluster, ledger_of(lines), now, limit);
  return cluster.nodes[0];
}

TEST(Ledger, KnowsTheLastDeedOfEachNode) {
  const auto ledger = ledger_of("100 stopping n1\n101.5 off n1\n102 waking n2\n");
  EXPECT_EQ(ledger.last("n1")->deed, Deed::off);
  EXPECT_EQ(ledger.last("n1")->time, 101.5);
  EXPECT_EQ(ledger.last("n2")->deed, Deed::waking);
  EXPECT_FALSE(ledger.last("n3"));
}

TEST(Ledger, ALineThatACrashToreDoesNotCount) {
  const std::string whole = std::string(kLedgerTitle) + "100 off n1\n";
  for (const char* torn : {"200 wak", "200 waking n1", "x"}) {
    const Ledger ledger(whole + torn, "ledger");
    EXPECT_EQ(ledger.last("n1")->deed, Deed::off) << torn;
    EXPECT_EQ(ledger.whole_bytes(), whole.size());
  }
  EXPECT_EQ(Ledger("# launchw", "ledger").whole_bytes(), 0U);  // torn in its first line
  EXPECT_EQ(Ledger("", "ledger").whole_bytes(), 0U);
}

TEST(Ledger, WhatItWritesItReads) {
  const auto ledger =
      ledger_of(ledger_line(1796143931.25, Deed::late, "n-1.x") + ledger_line(1796143932, 16));
  EXPECT_EQ(ledger.last("n-1.x")->time, 1796143931.25);
  EXPECT_EQ(ledger.last("n-1.x")->deed, Deed::late);
  EXPECT_EQ(ledger.last_keep(), 16U);
}

TEST(Ledger, TheLargestKeepThatHeldWithinATime) {
  const auto ledger = ledger_of("100 keep 32\n200 keep 16\n300 keep 8\n");
  EXPECT_EQ(ledger.largest_keep(310, 260), 32U);
  EXPECT_EQ(ledger.largest_keep(310, 111), 32U);  // it held until 200
  EXPECT_EQ(ledger.largest_keep(310, 110), 16U);
  EXPECT_EQ(ledger.largest_keep(310, 9), 8U);
  EXPECT_FALSE(ledger_of("").largest_keep(310, 310));
}

TEST(Ledger, CountsOrders) {
  const auto ledger = ledger_of("100 stopping n1\n101 off n1\n150 waking n2\n151 up n2\n");
  EXPECT_EQ(ledger.orders_within(160, 61), 2U);
  EXPECT_EQ(ledger.orders_within(160, 60), 1U);
}

TEST(Ledger, OfDownNodesThoseSwitchedOffAreOff) {
  EXPECT_EQ(with("100 off n1\n", NodeState::down, 500).state, NodeState::off);
  EXPECT_EQ(with("100 off n1\n", NodeState::down, 500).off_since, 100);
  EXPECT_EQ(with("100 off n2\n", NodeState::down, 500).state, NodeState::down);
  EXPECT_EQ(with("100 up n1\n", NodeState::down, 500).state, NodeState::down);  // it broke
}

TEST(Ledger, AWokenNodeBootsUntilTheLimitAndIsLateThen) {
  EXPECT_EQ(with("100 waking n1\n", NodeState::off, 199).state, NodeState::booting);
  EXPECT_EQ(with("100 waking n1\n", NodeState::down, 199).state, NodeState::booting);
  const auto late = with("100 waking n1\n", NodeState::down, 200);
  EXPECT_EQ(late.state, NodeState::off);
  EXPECT_TRUE(late.late);
  EXPECT_TRUE(with("100 late n1\n", NodeState::down, 101).late);
}

TEST(Ledger, ANodeThatIsLateIsNotOnAlthoughTheSchedulerStillWaitsForIt) {
  EXPECT_EQ(with("100 waking n1\n", NodeState::booting, 199).state, NodeState::booting);
  EXPECT_EQ(with("100 waking n1\n", NodeState::booting, 200).state, NodeState::down);
  EXPECT_EQ(with("100 off n1\n", NodeState::booting, 500).state, NodeState::booting);
}

TEST(Ledger, WhatAClockThatWasSetBackHasLeftAheadIsPast) {
  const auto ledger = ledger_of("9000 keep 32\n9000 waking n1\n100 keep 8\n9100 keep 4\n");
  EXPECT_EQ(ledger.orders_within(200, 60), 0U);
  EXPECT_EQ(ledger.largest_keep(150, 1000), 32U);  // until 100
  EXPECT_EQ(ledger.largest_keep(2000, 1000), 4U);
  EXPECT_TRUE(with("9000 waking n1\n", NodeState::down, 200).late);
  EXPECT_EQ(with("210 waking n1\n", NodeState::down, 200).state, NodeState::booting);  // a little
}

TEST(Ledger, TheSchedulerIsBelievedWhereItTells) {
  EXPECT_EQ(with("100 off n1\n", NodeState::idle, 500).state, NodeState::idle);
  EXPECT_EQ(with("100 waking n1\n", NodeState::held, 101).state, NodeState::held);
  EXPECT_EQ(with("100 waking n1\n", NodeState::idle, 120).booted, 100);
}

TEST(Ledger, RefusesWhatIsNotALedger) {
  for (const char* line : {"100 off\n", "x off n1\n", "100 gone n1\n", "100 off n1 n2\n",
                           "100 keep -1\n", "100 off -n\n", "100 keep\n"}) {
    try {
      ledger_of(line);
      ADD_FAILURE() << line;
    } catch (const core::Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("ledger:2: "));
      EXPECT_THAT(error.what(), HasSubstr("repair or remove"));
    }
  }
  EXPECT_THROW(Ledger("something else\n", "ledger"), core::Error);
  EXPECT_THROW(Ledger("a note without its newline", "ledger"), core::Error);  // apply would cut it
}

}  // namespace
