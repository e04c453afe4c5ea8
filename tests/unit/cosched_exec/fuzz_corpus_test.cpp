// SPDX-License-Identifier: BSD-3-Clause
#include "../../fuzz/corpus.hpp"
#include "../../fuzz/task_properties.hpp"

namespace {

TEST(FuzzCorpus, PlainTaskFiles) {
  EXPECT_GE(run_over_corpus("tasks_plain", properties::tasks_plain), 8U);
}
TEST(FuzzCorpus, TomlTaskFiles) {
  EXPECT_GE(run_over_corpus("tasks_toml", properties::tasks_toml), 9U);
}

}  // namespace
