// SPDX-License-Identifier: BSD-3-Clause
#include "core/schedulers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace core {
namespace {

TEST(Schedulers, AreFoundByTheirSubmitters) {
  EXPECT_EQ(scheduler_of_submitter("sbatch")->name, "Slurm");
  EXPECT_EQ(scheduler_of_submitter("/usr/bin/salloc")->name, "Slurm");
  EXPECT_EQ(scheduler_of_submitter("qsub")->name, "PBS");
  EXPECT_EQ(scheduler_of_submitter("bsub")->name, "LSF");
  for (const char* program : {"srun", "mpirun", "", "sbatch/", "sbatchx", "flux"})
    EXPECT_EQ(scheduler_of_submitter(program), nullptr) << program;
}

TEST(Schedulers, EachOneThatSubmitsTellsHowNodesAreAskedFor) {
  for (const Scheduler& scheduler : schedulers()) {
    EXPECT_EQ(scheduler.submitters.empty(), scheduler.node_request.empty());
    if (scheduler.submitters.empty()) continue;
    EXPECT_THAT(scheduler.node_request, testing::Contains(testing::HasSubstr("{n}")));
    EXPECT_FALSE(scheduler.node_options.empty());
  }
}

TEST(Schedulers, WhoseNodesCanBeGivenBackAreToldWhichOnes) {
  for (const Scheduler& scheduler : schedulers()) {
    EXPECT_EQ(&core::scheduler(scheduler.name), &scheduler);
    if (scheduler.give_back.empty()) continue;
    EXPECT_THAT(scheduler.give_back, testing::Contains(testing::HasSubstr("{job}")));
    EXPECT_THAT(scheduler.give_back, testing::Contains(testing::AnyOf(testing::HasSubstr("{kept}"),
                                                                      testing::Eq("{given}"))));
  }
}

}  // namespace
}  // namespace core
