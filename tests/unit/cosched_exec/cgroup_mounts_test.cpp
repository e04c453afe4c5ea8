// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/pause/cgroup_mounts.hpp"

#include <gtest/gtest.h>

namespace {

using cosched_exec::own_group;
using cosched_exec::own_path;

constexpr const char* kHybrid =
    "31 23 0:28 / /sys/fs/cgroup ro - tmpfs tmpfs ro,mode=755\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
    "33 31 0:34 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer\n"
    "34 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr const char* kHybridGroups =
    "9:name=systemd:/user\n3:cpuset:/\n2:cpu,cpuacct:/jobs/7\n6:freezer:/\n0::/user.slice/a\n";

TEST(CgroupMounts, FindOurGroupInEachHierarchyOfAHybridMachine) {
  EXPECT_EQ(own_group("", kHybridGroups, kHybrid), "/sys/fs/cgroup/unified/user.slice/a");
  EXPECT_EQ(own_group("freezer", kHybridGroups, kHybrid), "/sys/fs/cgroup/freezer");
  EXPECT_EQ(own_group("cpu", kHybridGroups, kHybrid), "/sys/fs/cgroup/cpu,cpuacct/jobs/7");
}

TEST(CgroupMounts, KnowThatAHierarchyIsNotMounted) {
  EXPECT_EQ(own_group("cpuset", kHybridGroups, kHybrid), "");
  EXPECT_EQ(own_group("memory", kHybridGroups, kHybrid), "");
  EXPECT_EQ(own_group("", "6:freezer:/\n", kHybrid), "");
}

TEST(CgroupMounts, FindV2MountedAlone) {
  EXPECT_EQ(own_group("", "0::/a/b\n",
                      "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"),
            "/sys/fs/cgroup/a/b");
}

TEST(CgroupMounts, FollowAMountOfAPartOfTheTree) {
  const char* const part = "30 23 0:26 /box/7 /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
  EXPECT_EQ(own_group("", "0::/box/7/in\n", part), "/sys/fs/cgroup/in");
  EXPECT_EQ(own_group("", "0::/box/7\n", part), "/sys/fs/cgroup");
  EXPECT_EQ(own_group("", "0::/box/77\n", part), "");
}

TEST(CgroupMounts, ReadBlanksInPaths) {
  EXPECT_EQ(own_group("", "0::/\n", "30 23 0:26 / /mnt/my\\040groups rw - cgroup2 cgroup2 rw\n"),
            "/mnt/my groups");
}

TEST(CgroupMounts, TellThePathInAHierarchyByTheNameOfAController) {
  EXPECT_EQ(own_path("cpu", kHybridGroups), "/jobs/7");
  EXPECT_EQ(own_path("cpuacct", kHybridGroups), "/jobs/7");
  EXPECT_EQ(own_path("cp", kHybridGroups), "");
  EXPECT_EQ(own_path("", kHybridGroups), "/user.slice/a");
}

}  // namespace
