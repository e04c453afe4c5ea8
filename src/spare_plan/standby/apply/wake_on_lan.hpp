// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace spare_plan::standby::apply {

using Mac = std::array<std::uint8_t, 6>;

/// Where the packet for a host goes.
struct WakeTarget {
  Mac mac{};
  std::string address = "255.255.255.255";  ///< IPv4, mostly the broadcast address of its network
};

/// "HOST MAC [ADDRESS]" a line, # begins a comment; a MAC as 02:00:0a:63:00:01, or with '-'. Throws
/// Error naming NAME:LINE.
std::map<std::string, WakeTarget> parse_wake_table(std::string_view text, const std::string& name);

/// The magic packet: six bytes FF, then the MAC 16 times. (AMD, Magic Packet Technology, 1995.)
std::array<std::uint8_t, 102> magic_packet(const Mac& mac);

/// Sends each its packet by UDP to port 9, three times 100 ms apart, since nothing answers. Throws
/// Error that names the address when it cannot be sent.
void wake_on_lan(const std::vector<WakeTarget>& targets);

std::string print_mac(const Mac& mac);

}  // namespace spare_plan::standby::apply
