// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scores.hpp"

namespace mpisel {
namespace {

using nlohmann::json;

json written(const Selection& selection, const std::vector<core::HostSlots>& chosen) {
  std::ostringstream out;
  write_json(out, selection, chosen, Order::speed);
  return json::parse(out.str());
}

TEST(SelectionJson, TellsEveryHostInAllocationOrder) {
  Request request = want(2);
  request.order = Order::speed;
  const Selection s = select(scores({host("slow", 9, 4.5), host("b", 2, 1),
                                     broken("c", core::RowStatus::failed), host("d", 1, 0.5)}),
                             request);
  json answer = written(s, {{"d", 4}, {"b", 4}});
  EXPECT_EQ(answer["n"], 2);
  EXPECT_EQ(answer["order"], "speed");
  EXPECT_EQ(answer["benches"], json::array({"compute"}));
  EXPECT_EQ(answer["selected"], json::array({"d", "b"}));
  ASSERT_EQ(answer["hosts"].size(), 4U);
  EXPECT_NEAR(answer["hosts"][0]["ratio_to_others"], 9 / std::sqrt(2), 1e-12);
  EXPECT_TRUE(answer["hosts"][2]["ratio_to_others"].is_null());
  EXPECT_NEAR(answer["hosts"][3]["ratio_to_others"], 1 / std::sqrt(18), 1e-12);
  for (json& one : answer["hosts"]) one.erase("ratio_to_others");
  EXPECT_EQ(answer["hosts"][0],
            json::parse(R"({"host":"slow","slots":null,"seconds":{"compute":9.0},"score":9.0,
                            "ratio":4.5,"runs":1,"interval":null,
                            "pace":"undecided","hardware":null,"selected":false,"reason":"slower than the 2 kept"})"));
  EXPECT_EQ(answer["hosts"][2],
            json::parse(R"({"host":"c","slots":null,"seconds":{"compute":null},"score":null,
                            "ratio":null,"runs":0,"interval":null,
                            "pace":null,"hardware":null,"selected":false,"reason":"failed"})"));
  EXPECT_EQ(answer["hosts"][3],
            json::parse(R"({"host":"d","slots":4,"seconds":{"compute":1.0},"score":1.0,
                            "ratio":0.5,"runs":1,"interval":null,
                            "pace":"undecided","hardware":null,"selected":true,"reason":"kept"})"));
}

TEST(SelectionJson, TellsHowSureTheChoiceIs) {
  const Selection s = select(
      scores({steady("a", 1, 1, 24), steady("b", 1, 1, 24), steady("c", 2, 2, 24)}), want(2));
  const json answer = written(s, {{"a", 1}, {"b", 1}});
  EXPECT_EQ(answer["boundary"],
            json::parse(R"({"settled":true,"clear":true,"gain":0.5,"confidence":0.99})"));
  const json& slow = answer["hosts"][2];
  EXPECT_EQ(slow["runs"], 24);
  EXPECT_EQ(slow["interval"], json::array({2.0, 2.0}));
  EXPECT_EQ(slow["pace"], "slow");
}

TEST(SelectionJson, WhereNothingIsKnownThatIsNull) {
  const json few = written(select(scores({host("a", 1), host("b", 2)}), want(1)), {{"a", 1}});
  EXPECT_FALSE(few["boundary"]["settled"]);
  EXPECT_TRUE(few["boundary"]["gain"].is_null());
  const json all = written(select(scores({host("a", 1)}), want(1)), {{"a", 1}});
  EXPECT_TRUE(all["boundary"].is_null());
}

TEST(SelectionJson, SurvivesABenchmarkNameThatIsNotUtf8) {
  core::Scores odd = scores({host("a", 1)});
  odd.benches = {"\xff"};
  EXPECT_EQ(written(select(odd, want(1)), {{"a", 1}})["n"], 1);
}

}  // namespace
}  // namespace mpisel
