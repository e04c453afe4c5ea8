// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/select.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "scores.hpp"

namespace mpisel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Status = core::RowStatus;

std::string complaint(const Selection& selection) {
  try {
    require_enough(selection);
  } catch (const core::Error& e) {
    EXPECT_EQ(e.status(), core::ExitStatus::unmet);
    return e.what();
  }
  return "";
}

TEST(Select, ChoosesTheFastestInAllocationOrder) {
  const Selection s =
      select(scores({host("a", 3), host("b", 1), host("c", 9), host("d", 2)}), want(3));
  EXPECT_THAT(names(s), ElementsAre("a", "b", "d"));
  EXPECT_EQ(s.hosts[2].verdict, Verdict::slower);
  EXPECT_EQ(reason(s, s.hosts[0]), "kept");
  EXPECT_EQ(reason(s, s.hosts[2]), "slower than the 3 kept");
  EXPECT_EQ(complaint(s), "");
}

TEST(Select, WritesTheFastestFirstWhenAsked) {
  Request request = want(3);
  request.order = Order::speed;
  const Selection s =
      select(scores({host("a", 3), host("b", 1), host("c", 9), host("d", 2)}), request);
  EXPECT_THAT(names(s), ElementsAre("b", "d", "a"));
}

TEST(Select, PrefersTheEarlierOfHostsWithEqualTimes) {
  const core::Scores tied = scores({host("d", 1), host("a", 1), host("c", 1), host("b", 1)});
  EXPECT_THAT(names(select(tied, want(2))), ElementsAre("d", "a"));
  Request by_speed = want(3);
  by_speed.order = Order::speed;
  EXPECT_THAT(names(select(tied, by_speed)), ElementsAre("d", "a", "c"));
}

TEST(Select, NeverChoosesAHostThatIsNotUsable) {
  const Selection s = select(
      scores({broken("a", Status::timeout), host("b", 2), broken("c", Status::ok), host("d", 1)}),
      want(2));
  EXPECT_THAT(names(s), ElementsAre("b", "d"));
  EXPECT_EQ(reason(s, s.hosts[0]), "timeout");
  EXPECT_EQ(reason(s, s.hosts[2]), "not measured");
}

TEST(Select, NeverChoosesAnExcludedHost) {
  Request request = want(1);
  request.exclude = {"a", "stranger"};
  const Selection s = select(scores({host("a", 1), host("b", 2)}), request);
  EXPECT_THAT(names(s), ElementsAre("b"));
  EXPECT_EQ(reason(s, s.hosts[0]), "excluded");
}

TEST(Select, KeepsAHostExactlyAtTheMaximalRatio) {
  Request request = want(2);
  request.max_ratio = 1.5;
  const Selection s =
      select(scores({host("a", 1, 1), host("b", 1.5, 1.5), host("c", 1.6, 1.6)}), request);
  EXPECT_THAT(names(s), ElementsAre("a", "b"));
  EXPECT_EQ(reason(s, s.hosts[2]), "above --max-ratio 1.5");
}

TEST(Select, ChoosesOnlyHostsOfTheJobInTheJobsOrder) {
  Request request = want(2);
  request.allocation = {"c", "b", "a"};
  const Selection s =
      select(scores({host("old", 0.1), host("a", 1), host("b", 2), host("c", 1)}), request);
  EXPECT_THAT(names(s), ElementsAre("c", "a"));
  EXPECT_EQ(s.hosts.back().score.host, "old");
  EXPECT_EQ(reason(s, s.hosts.back()), "not in this allocation");
}

TEST(Select, ChoosesNothingWhenTooFewAreLeft) {
  const Selection s = select(scores({host("a", 1), broken("b", Status::failed)}), want(2));
  EXPECT_THAT(names(s), IsEmpty());
  EXPECT_EQ(reason(s, s.hosts[0]), "usable");
}

TEST(Select, CountsWhyTooFewAreLeft) {
  Request request = want(8);
  request.exclude = {"x"};
  request.max_ratio = 1.25;
  request.allocation = {"a", "t", "u", "x", "v", "s"};
  const Selection s =
      select(scores({host("a", 1), broken("t", Status::timeout), broken("u", Status::unreachable),
                     host("x", 1), broken("v", Status::timeout), host("s", 2, 2), host("old", 1)}),
             request);
  EXPECT_EQ(complaint(s),
            "asked for 8 hosts, 1 usable: 2 timeout, 1 unreachable, 1 excluded, 1 above "
            "--max-ratio 1.25, 1 not in this allocation");
}

TEST(Select, SaysThatTheTableIsTooShort) {
  EXPECT_EQ(complaint(select(scores({host("a", 1)}), want(2))),
            "asked for 2 hosts, 1 usable, the table has no more");
}

TEST(Select, CanChooseEveryHost) {
  EXPECT_THAT(names(select(scores({host("b", 2), host("a", 1)}), want(2))), ElementsAre("b", "a"));
}

}  // namespace
}  // namespace mpisel
