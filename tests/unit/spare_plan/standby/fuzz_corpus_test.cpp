// SPDX-License-Identifier: BSD-3-Clause
#include "../../../fuzz/corpus.hpp"
#include "../../../fuzz/history_properties.hpp"

namespace {

TEST(FuzzCorpus, HistoriesOfJobs) {
  EXPECT_GE(run_over_corpus("history", properties::history), 10U);
}

}  // namespace
