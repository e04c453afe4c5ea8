// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace benchmarks {

/// What a host is made of, by which hosts are compared: "64 x AMD EPYC 7763 64-Core Processor", the
/// processors that are online and the model that the beginning of a /proc/cpuinfo names; "64
/// processors" where it names none. processors < 1: not known.
std::string hardware_of(long processors, std::string_view cpuinfo);

/// Of this host.
std::string own_hardware();

}  // namespace benchmarks
