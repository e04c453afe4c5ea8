// SPDX-License-Identifier: BSD-3-Clause
#include "hardware.hpp"

#include <gtest/gtest.h>

namespace benchmarks {
namespace {

TEST(Hardware, IsTheNumberOfProcessorsAndTheModel) {
  EXPECT_EQ(hardware_of(64,
                        "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel\t\t: 1\n"
                        "model name\t: AMD EPYC 7763 64-Core Processor\nstepping\t: 1\n"),
            "64 x AMD EPYC 7763 64-Core Processor");
}

TEST(Hardware, IsNamedAsTheArchitectureNamesIt) {
  EXPECT_EQ(
      hardware_of(176, "processor\t: 0\ncpu\t\t: POWER9, altivec supported\nclock\t: 2300MHz"),
      "176 x POWER9, altivec supported");
  EXPECT_EQ(
      hardware_of(4, "processor\t: 0\nhart\t: 1\nisa\t: rv64imafdc\nuarch\t: sifive,u74-mc\n"),
      "4 x sifive,u74-mc");
  EXPECT_EQ(hardware_of(80,
                        "processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\n"
                        "CPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\n"),
            "80 x Arm 0x41:0xd0c");
}

TEST(Hardware, WithoutAModelIsTheNumberAlone) {
  EXPECT_EQ(hardware_of(8, ""), "8 processors");
  EXPECT_EQ(hardware_of(8, "model name\t:\nno colon\n"), "8 processors");
  EXPECT_EQ(hardware_of(-1, "model name : X"), "X");
  EXPECT_EQ(hardware_of(-1, ""), "");
}

TEST(Hardware, OfThisHostIsKnown) { EXPECT_NE(own_hardware(), ""); }

}  // namespace
}  // namespace benchmarks
