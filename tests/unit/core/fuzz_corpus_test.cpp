// SPDX-License-Identifier: BSD-3-Clause
#include "../../fuzz/corpus.hpp"
#include "../../fuzz/properties.hpp"

namespace {

TEST(FuzzCorpus, HostLists) { EXPECT_GE(run_over_corpus("hostlist", properties::hostlist), 10U); }
TEST(FuzzCorpus, TimesTables) { EXPECT_GE(run_over_corpus("times", properties::times), 8U); }
TEST(FuzzCorpus, Hostfiles) { EXPECT_GE(run_over_corpus("hostfile", properties::hostfile), 5U); }
TEST(FuzzCorpus, Durations) { EXPECT_GE(run_over_corpus("duration", properties::duration), 10U); }

}  // namespace
