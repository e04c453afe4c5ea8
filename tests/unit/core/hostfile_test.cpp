// SPDX-License-Identifier: BSD-3-Clause
#include "core/hostfile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "message_of.hpp"

namespace core {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Entries = std::vector<HostSlots>;

Entries read(const std::string& text) {
  std::istringstream in(text);
  return read_hostfile(in, "hosts");
}

std::string write(const Entries& hosts, HostfileFormat format) {
  std::ostringstream out;
  write_hostfile(out, hosts, format);
  return out.str();
}

TEST(Hostfile, ReadsOpenMpisForm) {
  EXPECT_EQ(read("# my hosts\n\nn1 slots=4 max_slots=8  # big\nme@n2 slots = 2 // small\nn3\n"),
            (Entries{{"n1", 4}, {"n2", 2}, {"n3", 0}}));
  EXPECT_EQ(read("n1\tmax-slots=8"), (Entries{{"n1", 0}}));
}

TEST(Hostfile, ReadsMpichsForm) { EXPECT_EQ(read("n1:4\nn2\n"), (Entries{{"n1", 4}, {"n2", 0}})); }

TEST(Hostfile, SlotsOfBareHostsAreUnknown) {
  EXPECT_EQ(read("b\na\n"), (Entries{{"b", 0}, {"a", 0}}));
}

TEST(Hostfile, RepeatedHostsAddUp) {
  EXPECT_EQ(read("n1\nn1\nn2\n"), (Entries{{"n1", 2}, {"n2", 1}}));
  EXPECT_EQ(read("n1 slots=3\nn2\nn1:2\nn1\n"), (Entries{{"n1", 6}, {"n2", 1}}));
}

TEST(Hostfile, RefusesMalformedLines) {
  for (const char* line : {"n1 slots=0",
                           "n1 slots=-1",
                           "n1 slots=",
                           "n1 slots",
                           "n1 slots=x",
                           "n1 slots=1.5",
                           "n1:0",
                           "n1:",
                           "n1:x",
                           "n1:2 slots=2",
                           "n1 slots=2 slots=2",
                           "n1 n2",
                           "n1,n2",
                           "n[1-2]",
                           "-n1",
                           "--hostfile",
                           "$(id)",
                           "n1;id",
                           "a|b",
                           "n1 slots=1048577",
                           "n1:1048577",
                           "n1 cores=2",
                           "=2",
                           "a@b@c",
                           "@n1",
                           "-o@n1",
                           "n1 slots==2",
                           "n1 slots=2 3",
                           "rank 0=n1 slot=0",
                           "\x01",
                           "n1 slots=18446744073709551617",
                           "/* x */ n1"})
    EXPECT_THAT(message_of([line] { read("ok\n" + std::string(line) + "\n"); }),
                StartsWith("hosts:2: "))
        << line;
  EXPECT_THAT(message_of([] { read(std::string(300, 'a')); }),
              testing::AllOf(StartsWith("hosts:1: "), HasSubstr("300 bytes")));
}

TEST(Hostfile, NamesWindowsLineEnds) {
  EXPECT_THAT(message_of([] { read("n1\r\nn2\r\n"); }),
              testing::AllOf(StartsWith("hosts:1: "), HasSubstr("carriage return")));
}

TEST(Hostfile, RefusesAFileWithoutHosts) {
  EXPECT_EQ(message_of([] { read(""); }), "hosts: there is no host in it");
  EXPECT_EQ(message_of([] { read("\n# none\n"); }), "hosts: there is no host in it");
}

TEST(Hostfile, RefusesMoreThanAMillionSlotsOfOneHost) {
  EXPECT_THAT(message_of([] { read("n1:1048576\nn1\n"); }), StartsWith("hosts:2: "));
}

TEST(Hostfile, WritesEachFormat) {
  const Entries hosts{{"n2", 2}, {"n1", 1}};
  EXPECT_EQ(write(hosts, HostfileFormat::openmpi), "n2 slots=2\nn1 slots=1\n");
  EXPECT_EQ(write(hosts, HostfileFormat::mpich), "n2:2\nn1:1\n");
  EXPECT_EQ(write(hosts, HostfileFormat::rankfile),
            "rank 0=n2 slot=0\nrank 1=n2 slot=1\nrank 2=n1 slot=0\n");
  EXPECT_EQ(write(hosts, HostfileFormat::slurm_hostfile), "n2\nn2\nn1\n");
  EXPECT_EQ(write(hosts, HostfileFormat::slurm_nodelist), "n[2,1]\n");
  EXPECT_EQ(write(hosts, HostfileFormat::plain), "n2\nn1\n");
}

TEST(Hostfile, UnknownSlotsAreWrittenAsOne) {
  EXPECT_EQ(write({{"n1", 0}}, HostfileFormat::openmpi), "n1 slots=1\n");
}

TEST(Hostfile, ReadsBackWhatItWrites) {
  const Entries hosts{{"n2", 2}, {"n1", 1}, {"x.example.org", 1048576}};
  EXPECT_EQ(read(write(hosts, HostfileFormat::openmpi)), hosts);
  EXPECT_EQ(read(write(hosts, HostfileFormat::mpich)), hosts);
  const Entries few{{"n2", 3}, {"n1", 1}};
  EXPECT_EQ(read(write(few, HostfileFormat::slurm_hostfile)), few);
}

TEST(Hostfile, KnowsTheNamesOfFormats) {
  EXPECT_THAT(hostfile_format_names(), ElementsAre("openmpi", "mpich", "intel", "rankfile",
                                                   "slurm-hostfile", "slurm-nodelist", "plain"));
  for (const std::string& name : hostfile_format_names())
    EXPECT_TRUE(hostfile_format(name)) << name;
  EXPECT_EQ(hostfile_format("intel"), HostfileFormat::mpich);
  EXPECT_FALSE(hostfile_format("OpenMPI"));
}

TEST(Hostfile, OnlyRankfileAndSlurmHostfileKeepOrder) {
  EXPECT_TRUE(keeps_order(HostfileFormat::rankfile));
  EXPECT_TRUE(keeps_order(HostfileFormat::slurm_hostfile));
  for (const auto format : {HostfileFormat::openmpi, HostfileFormat::mpich,
                            HostfileFormat::slurm_nodelist, HostfileFormat::plain})
    EXPECT_FALSE(keeps_order(format));
}

}  // namespace
}  // namespace core
