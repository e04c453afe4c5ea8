// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "spare_plan/standby/live/parts.hpp"
#include "spare_plan/standby/live/read.hpp"

namespace {

using namespace spare_plan::standby::live;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kNow = 1796144732;  // when the state "booting" was recorded

Cluster recorded(std::initializer_list<const char*> files) {
  Cluster cluster;
  for (const char* file : files)
    read_state(cluster, core::read_file(std::string(TEST_DATA "/cluster_state/") + file), file,
               kNow);
  check_cluster(cluster);
  return cluster;
}

Cluster of(std::string_view text) {
  Cluster cluster;
  read_state(cluster, text, "file", kNow);
  return cluster;
}

std::vector<std::string> states(const Cluster& cluster) {
  std::vector<std::string> all;
  for (const auto& node : cluster.nodes) all.push_back(node.name + " " + name_of(node.state));
  return all;
}

std::vector<std::uint32_t> waiting(const Cluster& cluster) {
  std::vector<std::uint32_t> nodes;
  for (const auto& job : cluster.waiting) nodes.push_back(job.nodes);
  return nodes;
}

std::string why(const Cluster& cluster, const std::string& name) {
  for (const auto& node : cluster.nodes)
    if (node.name == name) return node.why;
  return "no such node";
}

NodeState state_of(const std::string& word) { return of("n1|" + word + "\n").nodes.at(0).state; }

TEST(ClusterState, Slurm2205WhileNodesBoot) {
  const auto cluster =
      recorded({"slurm_2205_sinfo_booting.json", "slurm_2205_squeue_booting.json"});
  EXPECT_THAT(states(cluster), ElementsAre("n1 busy", "n2 busy", "n3 busy", "n4 busy", "n5 held",
                                           "n6 held", "n7 busy", "n8 idle"));
  EXPECT_EQ(why(cluster, "n5"), "drain");
  EXPECT_EQ(why(cluster, "n6"), "off, planned");
  // The 8-node job, and of the array's tasks 2 to 5 the two that may run at once.
  EXPECT_THAT(waiting(cluster), ElementsAre(8, 4));
  ASSERT_EQ(cluster.running.size(), 1U);
  EXPECT_EQ(cluster.running[0].ends, 1796145312);
}

TEST(ClusterState, Slurm2205WhenTheyAreUp) {
  const auto cluster = recorded({"slurm_2205_sinfo_up.json", "slurm_2205_squeue_up.json"});
  EXPECT_THAT(states(cluster), ElementsAre("n1 idle", "n2 idle", "n3 busy", "n4 busy", "n5 held",
                                           "n6 idle", "n7 idle", "n8 held"));
  EXPECT_EQ(why(cluster, "n8"), "maintenance");
  EXPECT_EQ(cluster.nodes[1].booted, 1796144734);
  EXPECT_EQ(cluster.nodes[1].idle_since, 1796144742);
  EXPECT_THAT(waiting(cluster), ElementsAre(8));  // the array waits for its own limit
}

TEST(ClusterState, ANodeThatShutsDownCannotBeWoken) {
  const auto cluster = recorded({"slurm_2205_sinfo_stopping.json"});
  EXPECT_EQ(cluster.nodes[1].state, NodeState::stopping);
  EXPECT_EQ(cluster.nodes[4].state, NodeState::held);  // drained by a person
}

TEST(ClusterState, TextTellsTheSameStatesAsJson) {
  for (const char* when : {"booting", "up"}) {
    const std::string stem = std::string("slurm_2205_sinfo_") + when;
    const auto text = recorded({(stem + ".txt").c_str()}),
               json = recorded({(stem + ".json").c_str()});
    for (std::size_t i = 0; i < json.nodes.size(); ++i) {
      if (json.nodes[i].why == "off, planned") continue;  // sinfo's text shows one of the two flags
      EXPECT_EQ(text.nodes[i].state, json.nodes[i].state) << when << " " << json.nodes[i].name;
    }
  }
}

TEST(ClusterState, TextOfTheQueue) {
  const auto cluster = recorded({"slurm_2205_sinfo_booting.txt", "slurm_2205_squeue_booting.txt"});
  EXPECT_THAT(waiting(cluster), ElementsAre(2, 2, 2, 2));  // the tasks one by one
  ASSERT_EQ(cluster.running.size(), 1U);
  EXPECT_EQ(cluster.running[0].ends, kNow + 9 * 60 + 40);
}

TEST(ClusterState, Slurm2311TellsTheStateAsAnArray) {
  const auto cluster =
      recorded({"slurm_2311_sinfo_by_hand.json", "slurm_2311_squeue_by_hand.json"});
  EXPECT_THAT(states(cluster),
              ElementsAre("n1 idle", "n2 off", "n3 busy", "n4 booting", "n5 held", "n6 held"));
  EXPECT_EQ(why(cluster, "n6"), "newflag");
  EXPECT_EQ(cluster.nodes[0].idle_since, 1796143000);
  EXPECT_EQ(cluster.nodes[1].idle_since, std::nullopt);
  EXPECT_THAT(waiting(cluster), ElementsAre(4, 2));
  EXPECT_EQ(cluster.waiting[1].priority, 20);
  EXPECT_EQ(cluster.running.at(0).ends, 1796144060);
}

TEST(ClusterState, OpenPbs) {
  const auto cluster = recorded({"pbs_nodes_by_hand.json", "pbs_jobs_by_hand.json"});
  EXPECT_THAT(states(cluster),
              ElementsAre("n1 idle", "n2 busy", "n3 down", "n4 held", "n5 down", "n6 held"));
  EXPECT_EQ(why(cluster, "n6"), "resv-exclusive");
  EXPECT_EQ(cluster.time, 1796144000);
  EXPECT_EQ(cluster.nodes[0].idle_since, 1796143000);
  EXPECT_EQ(cluster.running.at(0).ends, 1796144000 + 60);  // an hour less 59 minutes used
  ASSERT_EQ(cluster.waiting.size(), 2U);                   // job 9 is before job 12
  for (const auto& job : cluster.waiting) EXPECT_EQ(job.nodes, job.priority == -9 ? 1U : 3U);
}

TEST(ClusterState, OurOwnDescription) {
  const auto cluster = of(R"({"launchwise_cluster": 1, "time": 1000, "nodes": [
      {"name": "n1", "state": "idle", "booted": 10, "idle_since": 500},
      {"name": "n2", "state": "off", "off_since": 700}, {"name": "n3", "state": "held", "why": "spill"}],
    "jobs": [{"state": "waiting", "nodes": 2}, {"state": "running", "nodes": 3, "ends": 1200}]})");
  EXPECT_THAT(states(cluster), ElementsAre("n1 idle", "n2 off", "n3 held"));
  EXPECT_EQ(cluster.nodes[1].off_since, 700);
  EXPECT_EQ(cluster.nodes[2].why, "spill");
  EXPECT_EQ(cluster.waiting.at(0).nodes, 2U);
  EXPECT_EQ(cluster.running.at(0).ends, 1200);
}

TEST(ClusterState, SuffixesOfSinfo) {
  EXPECT_EQ(state_of("idle"), NodeState::idle);
  EXPECT_EQ(state_of("idle~"), NodeState::off);
  EXPECT_EQ(state_of("idle#"), NodeState::booting);
  EXPECT_EQ(state_of("idle%"), NodeState::stopping);
  EXPECT_EQ(state_of("idle!"), NodeState::stopping);
  EXPECT_EQ(state_of("idle*"), NodeState::down);
  EXPECT_EQ(state_of("idle$"), NodeState::held);
  EXPECT_EQ(state_of("idle@"), NodeState::held);
  EXPECT_EQ(state_of("idle-"), NodeState::planned);
  EXPECT_EQ(state_of("planned"), NodeState::planned);
  EXPECT_EQ(state_of("down*"), NodeState::down);
  EXPECT_EQ(state_of("allocated#"), NodeState::busy);
  EXPECT_EQ(state_of("completing"), NodeState::busy);
  EXPECT_EQ(state_of("mixed"), NodeState::busy);
}

TEST(ClusterState, WhatIsNotKnownIsNeverFree) {
  for (const char* word : {"drained", "drained~", "draining", "reserved", "maint", "fail", "future",
                           "error", "reboot", "something_new", "idle?"})
    EXPECT_EQ(state_of(word), NodeState::held) << word;
}

TEST(ClusterState, ANodeThatSlurmHasGivenUpIsNotWokenEvenIfItIsOff) {
  EXPECT_EQ(state_of("down~"), NodeState::held);
  EXPECT_EQ(why(of("n1|down~\n"), "n1"), "down, off");
}

TEST(ClusterState, ANodeOfTwoPartitionsIsOne) {
  EXPECT_THAT(states(of("n1|idle\nn2|idle\nn1|idle\n")), ElementsAre("n1 idle", "n2 idle"));
}

TEST(ClusterState, TasksOfAnArray) {
  EXPECT_EQ(array_tasks("1-50"), 50U);
  EXPECT_EQ(array_tasks("1,3-9:2"), 5U);
  EXPECT_EQ(array_tasks("0-9%4"), 4U);
  EXPECT_EQ(array_tasks(""), 1U);
  EXPECT_EQ(array_tasks("5-1,x"), 1U);
}

struct Bad {
  const char* text;
  const char* sentence;
};

TEST(ClusterState, RefusesWhatItCannotRead) {
  for (const Bad& bad : {
           Bad{"n1 idle\n", "file:1: 'n1 idle' is neither JSON nor a line of sinfo"},
           Bad{"\n-x|idle\n", "file:2"},
           Bad{"1|PENDING|None|many|1:00\n", "file:1: 'many' is not a number of nodes"},
           Bad{"1|RUNNING|None|1|soon\n", "file:1"},
           Bad{R"({"nodes": )", "file: damaged JSON near byte"},
           Bad{R"({"hosts": []})", "file has no nodes and no jobs that are known here"},
           Bad{R"({"nodes": [{"state": "idle"}]})", "file: nodes[0].name"},
           Bad{R"({"launchwise_cluster": 2})", "launchwise_cluster is not 1"},
           Bad{R"({"launchwise_cluster": 1, "nodes": [{"name": "n1", "state": "on"}]})",
               "file: nodes[0].state: 'on' is none of idle, planned"},
           Bad{R"({"launchwise_cluster": 1, "jobs": [{"nodes": 1, "state": "new"}]})",
               "file: jobs[0].state is neither waiting nor running"},
           Bad{R"({"launchwise_cluster": 1, "jobs": [{"nodes": -1, "state": "waiting"}]})",
               "file: jobs[0].nodes"},
           Bad{R"({"launchwise_cluster": 1, "jobs": [{"nodes": 1.5, "state": "waiting"}]})",
               "file: jobs[0].nodes"},
       }) {
    try {
      of(bad.text);
      ADD_FAILURE() << bad.text;
    } catch (const core::Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(bad.sentence));
    }
  }
}

TEST(ClusterState, LinesMayEndAsOnWindows) {
  const auto cluster = of("n1|idle\r\n7|RUNNING|None|1|1:00\r\n");
  EXPECT_EQ(cluster.nodes.at(0).state, NodeState::idle);
  EXPECT_EQ(cluster.running.at(0).ends, kNow + 60);
}

TEST(ClusterState, ANodeToldTwiceIsRefused) {
  auto cluster = of("n1|idle\n");
  read_state(cluster, "n1|idle\n", "again", kNow);
  EXPECT_NO_THROW(check_cluster(cluster));  // text: as of two partitions
  read_state(cluster, R"({"nodes": [{"name": "n1", "state": "idle"}]})", "json", kNow);
  EXPECT_THROW(check_cluster(cluster), core::Error);
  EXPECT_THROW(check_cluster({}), core::Error);
}

}  // namespace
