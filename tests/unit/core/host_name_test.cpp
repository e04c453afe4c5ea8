// SPDX-License-Identifier: BSD-3-Clause
#include "core/host_name.hpp"

#include <gtest/gtest.h>

#include "message_of.hpp"

namespace core {
namespace {

TEST(HostName, AcceptsWhatClustersUse) {
  for (const char* name : {"n1", "N1", "c439-122", "node-a.cluster.example.org", "0", "42", "_x",
                           "10.0.0.1", "rack0_blade1", "a-", "a."})
    EXPECT_TRUE(valid_host_name(name)) << name;
  EXPECT_TRUE(valid_host_name(std::string(253, 'a')));
}

TEST(HostName, RefusesOptionsPathsAndShellText) {
  for (const char* name :
       {"",    "-n1", "--host", ".n1",  "/etc/passwd", "a/b", "a b", "a;b",  "a|b", "$(id)", "`id`",
        "a$b", "a&b", "a'b",    "a\"b", "a*b",         "a:b", "a@b", "a,b",  "a=b", "a[1]",  "a\n",
        "a\r", "\ta", "~",      "a\\b", "h\xc3\xb6st", "a%b", "a#b", "a\x7f"})
    EXPECT_FALSE(valid_host_name(name)) << name;
  EXPECT_FALSE(valid_host_name(std::string_view("a\0b", 3)));
  EXPECT_FALSE(valid_host_name(std::string(254, 'a')));
}

TEST(HostName, SaysWhereAndWhatIsWrong) {
  EXPECT_EQ(message_of([] { check_host_name("-x", "times.csv:7"); }),
            "times.csv:7: '-x' is not a host name (first a letter, digit or _, then also . and -, "
            "at most 253 bytes)");
  EXPECT_EQ(message_of([] { check_host_name(std::string(300, 'a'), "--hosts"); }),
            "--hosts: '" + std::string(60, 'a') +
                "'... of 300 bytes is not a host name (first a letter, digit or _, then also . "
                "and -, at most 253 bytes)");
}

TEST(HostName, FirstLabelEndsBeforeTheFirstDot) {
  EXPECT_EQ(first_label("worker.1.example.org"), "worker");
  EXPECT_EQ(first_label("worker"), "worker");
}

}  // namespace
}  // namespace core
