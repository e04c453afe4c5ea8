// SPDX-License-Identifier: BSD-3-Clause
#include "core/topology.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace {

using Units = std::vector<unsigned>;

TEST(Topology, CountsCoresNotHardwareThreads) {
  EXPECT_EQ(core::Topology::synthetic("pack:2 core:4 pu:2").cores(), 8U);
}

TEST(Topology, CountsNumaNodes) {
  EXPECT_EQ(core::Topology::synthetic("pack:2 [numa] core:4 pu:1").numa_nodes(), 2U);
}

TEST(Topology, SumsAllLastLevelCaches) {
  const auto machine =
      core::Topology::synthetic("pack:2 l3:2(size=8388608) l2:4(size=1048576) core:1 pu:1");
  EXPECT_EQ(machine.last_level_cache_bytes(), 4U * 8388608U);
}

TEST(Topology, TakesTheLevelNearestToMemoryAsTheLast) {
  const auto machine = core::Topology::synthetic("pack:1 l2:4(size=524288) core:1 pu:1");
  EXPECT_EQ(machine.last_level_cache_bytes(), 4U * 524288U);
}

TEST(Topology, KnowsMemoryOfAllNumaNodes) {
  const auto machine = core::Topology::synthetic("pack:2 [numa(memory=1073741824)] core:2 pu:1");
  EXPECT_EQ(machine.memory_bytes(), 2147483648U);
}

TEST(Topology, BindsACoreToAllItsHardwareThreads) {
  const auto machine = core::Topology::synthetic("pack:1 core:2 pu:2");
  EXPECT_EQ(machine.core_cpuset(1), (Units{2, 3}));
}

TEST(Topology, BindsANumaNodeToItsCores) {
  const auto machine = core::Topology::synthetic("pack:2 [numa] core:2 pu:1");
  EXPECT_EQ(machine.numa_cpuset(1), (Units{2, 3}));
}

TEST(Topology, HasNoUnitsForACoreThatIsNotThere) {
  EXPECT_TRUE(core::Topology::synthetic("pack:1 core:2 pu:1").core_cpuset(2).empty());
}

TEST(Topology, GivesOneUnitACore) {
  EXPECT_EQ(core::Topology::synthetic("pack:1 core:3 pu:2").core_units(), (Units{0, 2, 4}));
}

TEST(Topology, RefusesADescriptionThatHwlocDoesNotUnderstand) {
  EXPECT_THROW(core::Topology::synthetic("no such machine"), core::Error);
}

TEST(Topology, HasAtLeastOneCoreHere) { EXPECT_GE(core::Topology::here().cores(), 1U); }

TEST(Topology, ReadsListsOfItsUnits) {
  const auto machine = core::Topology::synthetic("pack:1 core:4 pu:2");
  EXPECT_EQ(machine.units_in("--cores", "0-2,7"), (Units{0, 1, 2, 7}));
  EXPECT_EQ(machine.units_in("--cores", "5"), Units{5});
  EXPECT_EQ(machine.units_in("--cores", "3,1,3"), (Units{1, 3}));
}

TEST(Topology, RefusesOtherListsAndUnitsOfOthers) {
  const auto machine = core::Topology::synthetic("pack:1 core:4 pu:2");
  for (const char* bad :
       {"", "a", "0x3", "1-", "3-1", "-1", "1,,2", "8", "0-8", "99999999999", " 1"}) {
    try {
      machine.units_in("--cores", bad);
      ADD_FAILURE() << bad;
    } catch (const core::Error& e) {
      EXPECT_EQ(e.status(), core::ExitStatus::usage) << bad;
      EXPECT_EQ(std::string(e.what()).find("--cores: "), 0U) << e.what();
    }
  }
}

TEST(Topology, RefusesToBindToNothing) { EXPECT_THROW(core::bind_to({}), core::Error); }

}  // namespace
