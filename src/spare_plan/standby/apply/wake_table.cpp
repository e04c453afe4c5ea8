// SPDX-License-Identifier: BSD-3-Clause
#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/error.hpp"
#include "core/host_name.hpp"
#include "core/number.hpp"
#include "spare_plan/standby/apply/wake_on_lan.hpp"

namespace spare_plan::standby::apply {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool read_mac(std::string_view text, Mac& mac) {
  if (text.size() != 17) return false;
  for (std::size_t i = 0; i < mac.size(); ++i) {
    const int high = hex_digit(text[3 * i]), low = hex_digit(text[3 * i + 1]);
    const char between = i + 1 < mac.size() ? text[3 * i + 2] : ':';
    if (high < 0 || low < 0 || (between != ':' && between != '-')) return false;
    mac[i] = static_cast<std::uint8_t>(16 * high + low);
  }
  return true;
}

bool is_ipv4(const std::string& text) {
  in_addr parsed{};
  return ::inet_pton(AF_INET, text.c_str(), &parsed) == 1;
}

}  // namespace

std::map<std::string, WakeTarget> parse_wake_table(std::string_view text, const std::string& name) {
  std::map<std::string, WakeTarget> table;
  std::istringstream lines{std::string(text)};
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto where = fmt::format("{}:{}", name, ++number);
    std::istringstream words(line.substr(0, line.find('#')));
    std::string host, mac, rest;
    WakeTarget target;
    if (!(words >> host)) continue;
    core::check_host_name(host, where);
    words >> mac;
    if (!read_mac(mac, target.mac))
      throw core::Error(fmt::format("{}: {} is not a MAC address like 02:00:0a:63:00:01", where,
                                    core::quoted(mac)));
    if (words >> rest) target.address = rest;
    if (!is_ipv4(target.address) || words >> rest)
      throw core::Error(
          fmt::format("{}: want HOST MAC [IPV4 ADDRESS], found {}", where, core::quoted(line)));
    if (!table.emplace(host, target).second)
      throw core::Error(fmt::format("{}: {} is there twice", where, host));
  }
  return table;
}

std::array<std::uint8_t, 102> magic_packet(const Mac& mac) {
  std::array<std::uint8_t, 102> packet{};
  std::fill_n(packet.begin(), mac.size(), std::uint8_t{0xff});
  for (auto* place = packet.begin() + mac.size(); place != packet.end(); place += mac.size())
    std::ranges::copy(mac, place);
  return packet;
}

std::string print_mac(const Mac& mac) {
  return fmt::format("{:02x}:{:02x}:{:02x}:{:02x}:{:02x}:{:02x}", mac[0], mac[1], mac[2], mac[3],
                     mac[4], mac[5]);
}

}  // namespace spare_plan::standby::apply
