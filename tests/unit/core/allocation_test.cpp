// SPDX-License-Identifier: BSD-3-Clause
#include "core/allocation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "message_of.hpp"
#include "temp_dir.hpp"

namespace core {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Entries = std::vector<HostSlots>;
using Variables = std::map<std::string, std::string>;

std::optional<Allocation> find(Variables variables) {
  return find_allocation(fixed_environment(std::move(variables)));
}

Variables slurm(Variables more) {
  more.insert({{"SLURM_JOB_ID", "42"}, {"SLURM_JOB_NODELIST", "n[01-02],m1"}});
  return more;
}

class AllocationFiles : public ::testing::Test {
 protected:
  std::string file(const std::string& text) {
    const std::string path = folder_ / "hosts";
    std::ofstream(path) << text;
    return path;
  }

 private:
  TempDir folder_;
};

TEST(Allocation, NothingOutsideOfAJob) {
  EXPECT_FALSE(find({}));
  EXPECT_FALSE(find({{"SLURM_JOB_NODELIST", "n1"}}));
  EXPECT_FALSE(find({{"SLURM_JOB_ID", "1"}}));
  EXPECT_FALSE(find({{"LSB_JOBID", "1"}}));
  EXPECT_FALSE(find({{"JOB_ID", "1"}, {"PBS_NODEFILE", ""}}));
}

TEST(Allocation, SlurmsTasksPerNodeAreTheSlots) {
  const auto found = find(slurm({{"SLURM_TASKS_PER_NODE", "2(x2),1"},
                                 {"SLURM_JOB_CPUS_PER_NODE", "72(x2),36"},
                                 {"SLURM_CPUS_PER_TASK", "9"}}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->scheduler, "Slurm");
  EXPECT_EQ(found->source, "SLURM_JOB_NODELIST");
  EXPECT_EQ(found->job_id, "42");
  EXPECT_EQ(found->hosts, (Entries{{"n01", 2}, {"n02", 2}, {"m1", 1}}));
  EXPECT_THAT(found->cpus, ElementsAre(72, 72, 36));
}

TEST(Allocation, SlurmsTasksPerNodeMayBeLongerThanTheList) {
  EXPECT_EQ(find(slurm({{"SLURM_TASKS_PER_NODE", "4(x9),2"}}))->hosts,
            (Entries{{"n01", 4}, {"n02", 4}, {"m1", 4}}));
  EXPECT_EQ(find(slurm({{"SLURM_TASKS_PER_NODE", "1,2,3,4"}}))->hosts,
            (Entries{{"n01", 1}, {"n02", 2}, {"m1", 3}}));
}

TEST(Allocation, WithoutTasksSlurmsCpusAreDividedByCpusPerTask) {
  EXPECT_EQ(
      find(slurm({{"SLURM_JOB_CPUS_PER_NODE", "72(x2),3"}, {"SLURM_CPUS_PER_TASK", "4"}}))->hosts,
      (Entries{{"n01", 18}, {"n02", 18}, {"m1", 1}}));
  EXPECT_EQ(find(slurm({{"SLURM_JOB_CPUS_PER_NODE", "8(x3)"}}))->hosts,
            (Entries{{"n01", 8}, {"n02", 8}, {"m1", 8}}));
}

TEST(Allocation, WithoutCountsSlurmsSlotsAreUnknown) {
  const auto found = find(slurm({}));
  EXPECT_EQ(found->hosts, (Entries{{"n01", 0}, {"n02", 0}, {"m1", 0}}));
  EXPECT_THAT(found->cpus, IsEmpty());
}

TEST(Allocation, NamesTheSlurmVariableThatIsMalformed) {
  for (const char* text : {"2", "2(x2)", "x", "2(x3", "2,,2", "(x3)", "2(x0)", "2(y3)", "0(x3)",
                           "-1(x3)", "2 (x3)", "2(x3)x", "1048577(x3)", "2(x-1)"})
    for (const char* name : {"SLURM_TASKS_PER_NODE", "SLURM_JOB_CPUS_PER_NODE"})
      EXPECT_THAT(message_of([&] { find(slurm({{name, text}})); }), StartsWith(name)) << text;
  EXPECT_THAT(message_of([] {
                find(slurm({{"SLURM_JOB_CPUS_PER_NODE", "8(x3)"}, {"SLURM_CPUS_PER_TASK", "x"}}));
              }),
              StartsWith("SLURM_CPUS_PER_TASK"));
}

TEST(Allocation, RefusesHostNamesThatAreOptionsOrShellText) {
  for (const std::string& name :
       {std::string("-n1"), std::string("--hostfile"), std::string("$(id)"), std::string("a;b"),
        std::string(300, 'a')}) {
    EXPECT_THAT(message_of([&] {
                  find({{"SLURM_JOB_ID", "1"}, {"SLURM_JOB_NODELIST", name}});
                }),
                StartsWith("SLURM_JOB_NODELIST: "));
    EXPECT_THAT(message_of([&] {
                  find({{"LSB_JOBID", "1"}, {"LSB_HOSTS", name}});
                }),
                StartsWith("LSB_HOSTS: "));
    EXPECT_THAT(message_of([&] {
                  find({{"LSB_JOBID", "1"}, {"LSB_MCPU_HOSTS", name + " 2"}});
                }),
                StartsWith("LSB_MCPU_HOSTS: "));
  }
}

TEST_F(AllocationFiles, PbsHasALinePerSlot) {
  const auto found =
      find({{"PBS_JOBID", "7.server"}, {"PBS_NODEFILE", file("n2\nn2\nn1.example.org\nn2\n")}});
  EXPECT_EQ(found->scheduler, "PBS");
  EXPECT_EQ(found->job_id, "7.server");
  EXPECT_EQ(found->source, "PBS_NODEFILE");
  EXPECT_EQ(found->hosts, (Entries{{"n2", 3}, {"n1.example.org", 1}}));
}

TEST_F(AllocationFiles, NamesVariableFileAndLine) {
  for (const char* line : {"-n2", "$(id)", "n1 n2", "n1:2", "n1\r"}) {
    const std::string path = file("n1\n" + std::string(line) + "\n");
    EXPECT_THAT(message_of([&] {
                  find({{"PBS_NODEFILE", path}});
                }),
                StartsWith("PBS_NODEFILE (" + path + ":2): "))
        << line;
  }
  EXPECT_THAT(message_of([] {
                find({{"PBS_NODEFILE", "/nonexistent/x"}});
              }),
              AllOf(StartsWith("PBS_NODEFILE: "), HasSubstr("/nonexistent/x")));
  EXPECT_THAT(message_of([&] { find({{"PBS_NODEFILE", file("\n")}}); }), HasSubstr("no host"));
}

TEST_F(AllocationFiles, LsfsHostFileHasALinePerSlotAndComesFirst) {
  const auto found = find(
      {{"LSB_JOBID", "9"}, {"LSB_DJOB_HOSTFILE", file("b1\na1\na1\n")}, {"LSB_MCPU_HOSTS", "x 1"}});
  EXPECT_EQ(found->scheduler, "LSF");
  EXPECT_EQ(found->job_id, "9");
  EXPECT_EQ(found->hosts, (Entries{{"b1", 1}, {"a1", 2}}));
}

TEST(Allocation, LsfsVariablesGiveHostsAndSlots) {
  EXPECT_EQ(find({{"LSB_JOBID", "9"}, {"LSB_MCPU_HOSTS", "a 2 b 1 "}, {"LSB_HOSTS", "x"}})->hosts,
            (Entries{{"a", 2}, {"b", 1}}));
  EXPECT_EQ(find({{"LSB_JOBID", "9"}, {"LSB_HOSTS", "a a b"}})->hosts,
            (Entries{{"a", 2}, {"b", 1}}));
  for (const char* text : {"a", "a 2 b", "a 0", "a x", "2 a", " "})
    EXPECT_THAT(message_of([&] {
                  find({{"LSB_JOBID", "9"}, {"LSB_MCPU_HOSTS", text}});
                }),
                StartsWith("LSB_MCPU_HOSTS: "))
        << text;
}

TEST_F(AllocationFiles, SgesRepeatedHostsAddUp) {
  const auto found = find({{"JOB_ID", "5"},
                           {"PE_HOSTFILE", file("n1 4 all.q@n1 UNDEFINED\nn2 2 all.q@n2 <NULL>\n"
                                                "n1 1 other.q@n1 UNDEFINED\n")}});
  EXPECT_EQ(found->scheduler, "SGE");
  EXPECT_EQ(found->job_id, "5");
  EXPECT_EQ(found->hosts, (Entries{{"n1", 5}, {"n2", 2}}));
  EXPECT_THAT(message_of([&] { find({{"PE_HOSTFILE", file("n1\n")}}); }), HasSubstr("one word"));
  EXPECT_THAT(message_of([&] {
                find({{"PE_HOSTFILE", file("n1 x all.q\n")}});
              }),
              HasSubstr("'x' is not a number of slots"));
}

/// A flux of ours first in PATH, as long as it lives.
class FakeFlux {
 public:
  explicit FakeFlux(const std::string& script) : before_(std::getenv("PATH")) {
    const std::string path = bin_ / "flux";
    std::ofstream(path) << "#!/bin/sh\n" << script;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    ::setenv("PATH", (bin_.path() + ":" + before_).c_str(), 1);
  }
  ~FakeFlux() { ::setenv("PATH", before_.c_str(), 1); }

 private:
  TempDir bin_;
  std::string before_;
};

TEST(Allocation, ATaskOfFluxAsksForTheHostsOfItsJob) {
  const FakeFlux flux("test \"$*\" = 'hostlist local' && echo 'n[1-2],x'\n");
  const auto found = find({{"FLUX_JOB_ID", "f1"}, {"FLUX_ENCLOSING_ID", "f0"}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->scheduler, "Flux");
  EXPECT_EQ(found->job_id, "f1");
  EXPECT_EQ(found->hosts, (Entries{{"n1", 0}, {"n2", 0}, {"x", 0}}));
}

// What the broker unsets and sets for a batch script: flux-environment(7). A host is named once for
// each broker on it.
TEST(Allocation, ABatchScriptOfFluxAsksForTheHostsOfItsInstance) {
  const FakeFlux flux("test \"$*\" = 'getattr hostlist' && echo 'tuolumne[1001-1002,1002]'\n");
  const auto found = find({{"FLUX_ENCLOSING_ID", "f2ab"}, {"FLUX_URI", "local:///run/flux"}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->scheduler, "Flux");
  EXPECT_EQ(found->job_id, "f2ab");
  EXPECT_EQ(found->hosts, (Entries{{"tuolumne1001", 0}, {"tuolumne1002", 0}}));
}

TEST(Allocation, AFluxThatDoesNotAnswerIsNamed) {
  const FakeFlux flux("exit 3\n");
  EXPECT_EQ(message_of([] {
              find({{"FLUX_JOB_ID", "f1"}});
            }),
            "FLUX_JOB_ID is set, but 'flux hostlist local' ended with status 3");
  EXPECT_EQ(message_of([] {
              find({{"FLUX_ENCLOSING_ID", "f1"}});
            }),
            "FLUX_ENCLOSING_ID is set, but 'flux getattr hostlist' ended with status 3");
}

TEST(Allocation, NamesTwoHostsThatShareTheirFirstLabel) {
  EXPECT_EQ(message_of([] {
              check_first_labels({{"n1.a", 1}, {"n2.a", 1}, {"n1.b", 1}});
            }).substr(0, 46),
            "n1.a and n1.b begin with the same label, Open ");
  EXPECT_EQ(message_of([] {
              check_first_labels({{"n1", 1}, {"n1.a", 1}});
            }).substr(0, 11),
            "n1 and n1.a");
  EXPECT_EQ(message_of([] { check_first_labels({{"n1.a", 1}, {"n2.a", 1}}); }), "no error");
  EXPECT_EQ(message_of([] { check_first_labels({{"10.0.0.1", 1}, {"10.0.0.2", 1}}); }), "no error");
}

}  // namespace
}  // namespace core
