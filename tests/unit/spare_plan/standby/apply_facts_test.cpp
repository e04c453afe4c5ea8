// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "spare_plan/standby/apply/reconcile.hpp"
#include "spare_plan/standby/apply/slurm_facts.hpp"
#include "spare_plan/standby/apply/wake_on_lan.hpp"

namespace {

using namespace spare_plan::standby::apply;
using spare_plan::standby::live::Cluster;
using spare_plan::standby::live::Ledger;
using spare_plan::standby::live::NodeState;
using testing::ElementsAre;

TEST(SlurmFacts, Versions) {
  EXPECT_EQ(parse_slurm_version("slurm-wlm 22.05.8\n"), 2205);
  EXPECT_EQ(parse_slurm_version("slurm 23.11.4"), 2311);
  EXPECT_EQ(parse_slurm_version("slurm 24.05.0-rc1"), 2405);
  for (const char* bad : {"", "slurm", "slurm 22", "slurm 22.", "slurm x.y"})
    EXPECT_THROW(parse_slurm_version(bad), core::Error) << bad;
}

TEST(SlurmFacts, UpTo2311TheCountIsOfIdleNodesThenOfUsedOnesToo) {
  const std::vector<std::string> nodes = {"n1", "n2", "n3", "n4", "n5"};
  EXPECT_EQ(exc_nodes(nodes, 2, 1, 2205), "n[1-5]:2");
  EXPECT_EQ(exc_nodes(nodes, 2, 1, 2311), "n[1-5]:2");
  EXPECT_EQ(exc_nodes(nodes, 2, 1, 2405), "n[1-5]:3");
  EXPECT_EQ(exc_nodes(nodes, 9, 9, 2405), "n[1-5]:5");  // no more than there are
  EXPECT_EQ(exc_nodes(nodes, 0, 3, 2205), "");
}

TEST(SlurmFacts, LaterVersionsTakeACountForOneRangeAlone) {
  for (const auto& nodes : {std::vector<std::string>{"n1", "n2", "m1"}, {"n1", "n3"}}) {
    EXPECT_NO_THROW(exc_nodes(nodes, 1, 0, 2205));
    EXPECT_THROW(exc_nodes(nodes, 1, 0, 2302), core::Error);
  }
}

TEST(SlurmFacts, PowerSavingMustBeOn) {
  const auto config = [](const char* time) {
    return parse_slurm_config(std::string("Configuration data\nSuspendProgram          = /a/off\n"
                                          "SuspendTime             = ") +
                              time + "\nResumeProgram = /a/on\nSuspendExcNodes = (null)\n");
  };
  EXPECT_NO_THROW(require_power_saving(config("300 sec")));
  EXPECT_EQ(config("300 sec").suspend_exc_nodes, "");
  EXPECT_THROW(require_power_saving(config("INFINITE")), core::Error);
  EXPECT_THROW(require_power_saving(config("NONE")), core::Error);
  EXPECT_THROW(require_power_saving(parse_slurm_config("")), core::Error);
}

TEST(WakeOnLan, ThePacketIsSixTimesFfAndSixteenTimesTheAddress) {
  const Mac mac = {0x02, 0x00, 0x0a, 0x63, 0x00, 0xfe};
  const auto packet = magic_packet(mac);
  ASSERT_EQ(packet.size(), 102U);
  for (std::size_t i = 0; i < packet.size(); ++i)
    EXPECT_EQ(packet[i], i < 6 ? 0xff : mac[i % 6]) << i;
}

TEST(WakeOnLan, TheTableOfAddresses) {
  const auto table = parse_wake_table(
      "# hosts\nn1 02:00:0A:63:00:01\n\nn2 02-00-0a-63-00-02 10.0.0.255 # x\n", "macs");
  EXPECT_EQ(print_mac(table.at("n1").mac), "02:00:0a:63:00:01");
  EXPECT_EQ(table.at("n1").address, "255.255.255.255");
  EXPECT_EQ(table.at("n2").address, "10.0.0.255");
  for (const char* bad : {"n1", "n1 02:00:0a:63:00", "n1 02:00:0a:63:00:0g",
                          "n1 02:00:0a:63:00:01 host", "n1 02:00:0a:63:00:01 10.0.0.255 9",
                          "-n 02:00:0a:63:00:01", "n1 02:00:0a:63:00:01\nn1 02:00:0a:63:00:01"})
    EXPECT_THROW(parse_wake_table(bad, "macs"), core::Error) << bad;
}

/// What is to be done about n1 at 100, with orders that may take 50 s.
Reconciled after(const char* entry, NodeState state, bool scheduler_knows) {
  Cluster cluster;
  cluster.nodes.push_back({"n1", state});
  const Ledger ledger("# launchwise-ledger: 1\n" + std::string(entry) + " n1\n", "ledger");
  return reconcile(cluster, ledger, scheduler_knows, 100, 50);
}

TEST(Reconcile, OrdersToSwitchOffThatACrashCutShort) {
  EXPECT_THAT(after("90 stopping", NodeState::off, true).off, ElementsAre("n1"));
  EXPECT_THAT(after("90 stopping", NodeState::down, false).off, ElementsAre("n1"));
  EXPECT_THAT(after("90 stopping", NodeState::idle, true).up, ElementsAre("n1"));
  EXPECT_THAT(after("90 stopping", NodeState::idle, false).finish_off, ElementsAre("n1"));
  EXPECT_THAT(after("90 stopping", NodeState::held, false).finish_off, ElementsAre("n1"));
  EXPECT_THAT(after("90 stopping", NodeState::busy, false).up, ElementsAre("n1"));
}

TEST(Reconcile, ANodeThatSomebodyElseWoke) {
  EXPECT_THAT(after("90 off", NodeState::busy, true).up, ElementsAre("n1"));
  EXPECT_THAT(after("90 off", NodeState::idle, true).up, ElementsAre("n1"));
  EXPECT_TRUE(after("90 off", NodeState::idle, false).up.empty());  // not noticed yet
  EXPECT_THAT(after("40 off", NodeState::idle, false).up, ElementsAre("n1"));
}

TEST(Reconcile, ANodeThatWasWoken) {
  EXPECT_THAT(after("90 waking", NodeState::off, true).wake_again, ElementsAre("n1"));
  EXPECT_THAT(after("40 waking", NodeState::off, true).late, ElementsAre("n1"));
  EXPECT_THAT(after("40 waking", NodeState::booting, true).late, ElementsAre("n1"));
  EXPECT_TRUE(after("90 waking", NodeState::booting, true).late.empty());
  EXPECT_THAT(after("40 waking", NodeState::idle, true).up, ElementsAre("n1"));
  EXPECT_THAT(after("90 waking", NodeState::held, false).up, ElementsAre("n1"));
  EXPECT_TRUE(after("90 waking", NodeState::held, true).up.empty());  // drained by somebody
  EXPECT_THAT(after("40 late", NodeState::idle, true).up, ElementsAre("n1"));
  EXPECT_TRUE(after("40 late", NodeState::off, true).late.empty());  // told once
}

}  // namespace
