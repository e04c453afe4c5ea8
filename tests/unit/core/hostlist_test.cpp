// SPDX-License-Identifier: BSD-3-Clause
#include "core/hostlist.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "core/host_name.hpp"
#include "message_of.hpp"

namespace core {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Hosts = std::vector<std::string>;

Hosts expand(std::string_view text) { return parse_hostlist(text, "--hosts"); }

TEST(HostList, ExpandsPlainNamesInOrderWithDuplicates) {
  EXPECT_THAT(expand("b,a,b"), ElementsAre("b", "a", "b"));
}

TEST(HostList, ExpandsRangesAndKeepsLeadingZeros) {
  EXPECT_THAT(expand("n[01-03,7]"), ElementsAre("n01", "n02", "n03", "n7"));
  EXPECT_THAT(expand("n[08-11]"), ElementsAre("n08", "n09", "n10", "n11"));
  EXPECT_THAT(expand("n[9-11]"), ElementsAre("n9", "n10", "n11"));
  EXPECT_THAT(expand("n[099-101]"), ElementsAre("n099", "n100", "n101"));
}

TEST(HostList, TheLastGroupVariesFastest) {
  EXPECT_THAT(expand("rack[0-1]_blade[0-1]"),
              ElementsAre("rack0_blade0", "rack0_blade1", "rack1_blade0", "rack1_blade1"));
  EXPECT_THAT(expand("a[1-2][3-4]"), ElementsAre("a13", "a14", "a23", "a24"));
}

TEST(HostList, ExpandsListsSeenInTheWild) {
  EXPECT_THAT(expand("foo003,foo0[10-12],foo-m11-16"),
              ElementsAre("foo003", "foo010", "foo011", "foo012", "foo-m11-16"));
  EXPECT_THAT(expand("c439-[121-122]"), ElementsAre("c439-121", "c439-122"));
  EXPECT_THAT(expand("node[1-2]-ib,x"), ElementsAre("node1-ib", "node2-ib", "x"));
  EXPECT_THAT(expand("[3-4]"), ElementsAre("3", "4"));
  EXPECT_THAT(expand("17"), ElementsAre("17"));
  EXPECT_THAT(expand("n[01-04,7],rack[0-1]_blade[0-2]"),
              ElementsAre("n01", "n02", "n03", "n04", "n7", "rack0_blade0", "rack0_blade1",
                          "rack0_blade2", "rack1_blade0", "rack1_blade1", "rack1_blade2"));
  EXPECT_THAT(expand("n[1-2].example.org"), ElementsAre("n1.example.org", "n2.example.org"));
  EXPECT_EQ(expand("n[0-65535]").size(), 65536U);
}

TEST(HostList, RefusesMalformedText) {
  for (const char* text :
       {"",        ",",        "a,",       ",a",      "a,,b",   "n[1-2",
        "n1-2]",   "n[1-2]]",  "n[[1]]",   "n[]",     "n[1,]",  "n[,1]",
        "n[1-]",   "n[-1]",    "n[1-2-3]", "n[2-1]",  "n[a-b]", "n[1 -2]",
        "n[+1]",   "n[0x1]",   "n[1.5]",   "[",       "]",      "n[99999999999999999999]",
        "a, b",    " a",       "a ",       "a\n",     "a\r",    "-n1",
        "--hosts", "-[1-2]",   "$(id)",    "a;b",     "`x`",    "a|b",
        "../a",    "n[1-2];x", "a b",      "n[1-2]/x"})
    EXPECT_THAT(message_of([text] { expand(text); }), StartsWith("--hosts: ")) << text;
}

TEST(HostList, RefusesNamesThatAreTooLong) {
  EXPECT_EQ(expand(std::string(253, 'a')).size(), 1U);
  EXPECT_THAT(message_of([] { expand(std::string(300, 'a')); }), HasSubstr("300 bytes"));
  EXPECT_THAT(message_of([] { expand(std::string(252, 'a') + "[9-10]"); }), HasSubstr("254 bytes"));
  std::string groups;
  for (int i = 0; i < 200000; ++i) groups += "[1]";
  EXPECT_THAT(message_of([&] { expand(groups); }), HasSubstr("254 bytes"));
  EXPECT_THAT(message_of([] { expand("n[" + std::string(300, '0') + "1-2]"); }),
              HasSubstr("301 digits"));
}

TEST(HostList, HoldsAtMostAMillionHosts) {
  EXPECT_EQ(expand("n[1-1048576]").size(), kMaxHosts);
  for (const char* text :
       {"n[0-1048576]", "n[1-1048576],x", "a[0-1023]b[0-1023],c[0-1]", "a[0-99999999][0-99999999]",
        "n[0-18446744073709551615]", "[1-18446744073709551615][0-18446744073709551615]"})
    EXPECT_THAT(message_of([text] { expand(text); }), HasSubstr("more than 1048576 hosts")) << text;
}

TEST(HostList, NamesTheItemThatIsWrong) {
  EXPECT_EQ(message_of([] { expand("a,n[3-1],b"); }),
            "--hosts: 'n[3-1]' in the host list has the descending range '3-1'");
}

TEST(HostList, FoldsConsecutiveNumbers) {
  EXPECT_EQ(print_hostlist(Hosts{"n01", "n02", "n03", "n04", "n7", "m1"}), "n[01-04,7],m1");
  EXPECT_EQ(print_hostlist(Hosts{"n9", "n10", "n11"}), "n[9-11]");
  EXPECT_EQ(print_hostlist(Hosts{"n1-ib", "n2-ib"}), "n[1-2]-ib");
  EXPECT_EQ(print_hostlist(Hosts{"n1.c2", "n2.c2", "n3.c2"}), "n[1-3].c2");
  EXPECT_EQ(print_hostlist(Hosts{"1", "2", "3"}), "[1-3]");
  EXPECT_EQ(print_hostlist(Hosts{"rack0_blade0", "rack0_blade1", "rack1_blade0"}),
            "rack0_blade[0-1],rack1_blade0");
}

TEST(HostList, KeepsOrderAndDuplicatesWhenFolding) {
  EXPECT_EQ(print_hostlist(Hosts{"n3", "n1", "n2"}), "n[3,1-2]");
  EXPECT_EQ(print_hostlist(Hosts{"n1", "n1", "n2"}), "n[1,1-2]");
  EXPECT_EQ(print_hostlist(Hosts{"a", "a", "b"}), "a,a,b");
}

TEST(HostList, LeavesSingleNamesAsTheyAre) {
  EXPECT_EQ(print_hostlist(Hosts{"n1"}), "n1");
  EXPECT_EQ(print_hostlist(Hosts{"login", "n1"}), "login,n1");
}

Hosts random_hosts(std::mt19937& random) {
  const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  Hosts hosts(1 + below(12));
  for (std::string& host : hosts) {
    host = std::string(1, "anN_0"[below(5)]);
    for (unsigned part = below(4); part > 0; --part) switch (below(4)) {
        case 0:
          host += fmt::format("{:0{}}", below(12), below(4));
          break;
        case 1:
          host += "-._x"[below(4)];
          break;
        case 2:
          host += std::to_string(random());
          break;
        default:
          host += std::string(below(3), '0') + std::to_string(below(3));
      }
  }
  return hosts;
}

TEST(HostList, ReadsBackWhatItPrints) {
  std::mt19937 random(20240602);
  for (int i = 0; i < 5000; ++i) {
    const Hosts hosts = random_hosts(random);
    ASSERT_EQ(expand(print_hostlist(hosts)), hosts) << print_hostlist(hosts);
  }
}

}  // namespace
}  // namespace core
