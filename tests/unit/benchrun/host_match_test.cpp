// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/host_match.hpp"

#include <gtest/gtest.h>

#include <map>

namespace {

using benchrun::HostMatch;
using Names = std::vector<std::string>;

HostMatch::Resolve no_names() {
  return [](const std::string&) { return Names{}; };
}

HostMatch::Resolve names(std::map<std::string, Names> table) {
  return [table](const std::string& host) {
    const auto found = table.find(host);
    return found == table.end() ? Names{} : found->second;
  };
}

TEST(HostMatch, FindsTheSameName) {
  EXPECT_EQ(HostMatch({"n1", "n2"}, "login", no_names()).find("n2", {}), 1U);
}

TEST(HostMatch, FindsAShortNameByAFullOneAndTheReverse) {
  EXPECT_EQ(HostMatch({"n1", "n2"}, "login", no_names()).find("n2.cluster.org", {}), 1U);
  EXPECT_EQ(HostMatch({"n1.cluster", "n2.cluster"}, "login", no_names()).find("n2", {}), 1U);
}

TEST(HostMatch, PrefersTheWholeNameToTheFirstLabel) {
  HostMatch match({"w.1", "w.2"}, "login", no_names());
  EXPECT_EQ(match.find("w.2", {}), 1U);
}

TEST(HostMatch, DoesNotGuessBetweenEqualFirstLabels) {
  EXPECT_FALSE(HostMatch({"w.1", "w.2"}, "login", no_names()).find("w", {}));
}

TEST(HostMatch, FindsAHostByItsAddress) {
  HostMatch match({"node-ib1", "node-ib2"}, "login",
                  names({{"node-ib1", {"10.0.0.1"}}, {"node-ib2", {"10.0.0.2"}}}));
  EXPECT_EQ(match.find("n2", {"192.168.0.2", "10.0.0.2"}), 1U);
}

TEST(HostMatch, TakesAddressesForHostsWithoutFirstLabels) {
  HostMatch match({"10.0.0.1", "10.0.0.2"}, "login",
                  names({{"10.0.0.1", {"10.0.0.1"}}, {"10.0.0.2", {"10.0.0.2"}}}));
  EXPECT_EQ(match.find("n2", {"10.0.0.2"}), 1U);
}

TEST(HostMatch, KnowsThatLocalhostIsThisHost) {
  HostMatch match({"n9", "localhost"}, "login", names({{"localhost", {"::1", "127.0.0.1"}}}));
  EXPECT_EQ(match.find("login", {"10.0.0.9"}), 1U);
  EXPECT_FALSE(match.find("elsewhere", {"10.0.0.8"}));
}

TEST(HostMatch, NeedsNoNameWhenThereIsOneHost) {
  EXPECT_EQ(HostMatch({"alias"}, "login", no_names()).find("-", {}), 0U);
}

TEST(HostMatch, AsksTheNameServiceOnlyWhereNamesDoNotTell) {
  HostMatch match({"n1", "n2"}, "login", [](const std::string& host) -> Names {
    ADD_FAILURE() << "asked for " << host;
    return {};
  });
  match.find("n1", {"10.0.0.1"});
}

}  // namespace
