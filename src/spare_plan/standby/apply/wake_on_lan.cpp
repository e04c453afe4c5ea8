// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/apply/wake_on_lan.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "core/error.hpp"
#include "core/fd.hpp"

namespace spare_plan::standby::apply {
namespace {

constexpr std::uint16_t kPort = 9;  // discard: nothing there minds the packet
constexpr int kTimes = 3;
constexpr std::chrono::milliseconds kApart{100};

core::Fd broadcasting_socket() {
  core::Fd fd(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const int yes = 1;
  if (!fd || ::setsockopt(fd.get(), SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes) != 0)
    throw core::Error(fmt::format("cannot send Wake-on-LAN: {}", std::strerror(errno)));
  return fd;
}

void send(const core::Fd& fd, const WakeTarget& target) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(kPort);
  ::inet_pton(AF_INET, target.address.c_str(), &to.sin_addr);
  const auto packet = magic_packet(target.mac);
  if (::sendto(fd.get(), packet.data(), packet.size(), 0, reinterpret_cast<const sockaddr*>(&to),
               sizeof to) < 0)
    throw core::Error(fmt::format("cannot send Wake-on-LAN to {} at {}: {}", print_mac(target.mac),
                                  target.address, std::strerror(errno)));
}

}  // namespace

void wake_on_lan(const std::vector<WakeTarget>& targets) {
  if (targets.empty()) return;
  const auto fd = broadcasting_socket();
  for (int time = 0; time < kTimes; ++time) {
    if (time > 0) std::this_thread::sleep_for(kApart);
    for (const auto& target : targets) send(fd, target);
  }
}

}  // namespace spare_plan::standby::apply
