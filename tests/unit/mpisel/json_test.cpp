// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/json.hpp"

#include <gtest/gtest.h>

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
  const json answer = written(s, {{"d", 4}, {"b", 4}});
  EXPECT_EQ(answer["n"], 2);
  EXPECT_EQ(answer["order"], "speed");
  EXPECT_EQ(answer["benches"], json::array({"compute"}));
  EXPECT_EQ(answer["selected"], json::array({"d", "b"}));
  ASSERT_EQ(answer["hosts"].size(), 4U);
  EXPECT_EQ(answer["hosts"][0],
            json::parse(R"({"host":"slow","slots":null,"seconds":{"compute":9.0},"score":9.0,
                            "ratio":4.5,"selected":false,"reason":"slower than the 2 kept"})"));
  EXPECT_EQ(answer["hosts"][2],
            json::parse(R"({"host":"c","slots":null,"seconds":{"compute":null},"score":null,
                            "ratio":null,"selected":false,"reason":"failed"})"));
  EXPECT_EQ(answer["hosts"][3],
            json::parse(R"({"host":"d","slots":4,"seconds":{"compute":1.0},"score":1.0,
                            "ratio":0.5,"selected":true,"reason":"kept"})"));
}

TEST(SelectionJson, SurvivesABenchmarkNameThatIsNotUtf8) {
  core::Scores odd = scores({host("a", 1)});
  odd.benches = {"\xff"};
  EXPECT_EQ(written(select(odd, want(1)), {{"a", 1}})["n"], 1);
}

}  // namespace
}  // namespace mpisel
