// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using benchrun::judge;
using benchrun::ProbeEnd;
using benchrun::telling_line;
using core::RowStatus;
using testing::HasSubstr;

ProbeEnd ended(const std::string& complaints, int status = 1) {
  ProbeEnd end;
  end.status = status;
  end.complaints = complaints;
  return end;
}

TEST(Probe, ClearsAHostThatSaidHello) {
  ProbeEnd end = ended("some warning", 1);
  end.said_hello = true;
  EXPECT_FALSE(judge(end));
}

TEST(Probe, CallsAHostLateThatSaidNothingInTime) {
  ProbeEnd end;
  end.timed_out = true;
  end.limit = 10;
  EXPECT_EQ(judge(end)->status, RowStatus::timeout);
}

TEST(Probe, CallsAHostUnreachableWhoseNameDoesNotResolve) {
  const auto verdict =
      judge(ended("ssh: Could not resolve hostname n9: Name or service not known\n"
                  "--------\nORTE was unable to reliably start one or more daemons.\n"));
  EXPECT_EQ(verdict->status, RowStatus::unreachable);
  EXPECT_EQ(verdict->reason, "ssh: Could not resolve hostname n9: Name or service not known");
}

TEST(Probe, CallsAHostUnreachableThatRefusesUs) {
  for (const char* line : {"ssh: connect to host n3 port 22: No route to host",
                           "ssh: connect to host n3 port 22: Connection refused",
                           "root@n3: Permission denied (publickey)."})
    EXPECT_EQ(judge(ended(line))->status, RowStatus::unreachable) << line;
}

TEST(Probe, CallsAHostFailedThatLacksTheProgram) {
  const auto verdict = judge(
      ended("------\nmpirun was unable to launch the specified application as it could not access\n"
            "or execute an executable:\n\nExecutable: /opt/rank\nNode: n3\n"
            "could not access or execute an executable"));
  EXPECT_EQ(verdict->status, RowStatus::failed);
  EXPECT_THAT(verdict->reason, HasSubstr("at the same path on all hosts"));
}

TEST(Probe, TellsTheStatusOfALauncherThatSaysNothing) {
  EXPECT_THAT(judge(ended("", 213))->reason, HasSubstr("213"));
}

TEST(TellingLine, SkipsRulersAndBlankLines) {
  EXPECT_EQ(telling_line("-----\n\n  something odd\nmore\n"), "something odd");
}

TEST(TellingLine, IsEmptyWhenNothingWasSaid) { EXPECT_EQ(telling_line("\n---\n"), ""); }

}  // namespace
