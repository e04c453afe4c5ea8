// SPDX-License-Identifier: BSD-3-Clause
#include "../../../fuzz/corpus.hpp"
#include "../../../fuzz/live_properties.hpp"

TEST(FuzzCorpus, ClusterStates) {
  EXPECT_GE(run_over_corpus("cluster_state", properties::cluster_state), 8U);
}
TEST(FuzzCorpus, Ledgers) { EXPECT_GE(run_over_corpus("ledger", properties::ledger), 2U); }
