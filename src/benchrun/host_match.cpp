// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/host_match.hpp"

#include <netdb.h>
#include <sys/socket.h>

#include <array>
#include <utility>

#include "core/host_name.hpp"

namespace benchrun {

namespace {

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1";
}

bool numeric_host(const std::string& host) {
  return host.find_first_not_of("0123456789.") == std::string::npos;
}

}  // namespace

HostMatch::HostMatch(std::vector<std::string> hosts, std::string own_name, Resolve resolve)
    : hosts_(std::move(hosts)), own_name_(std::move(own_name)), resolve_(std::move(resolve)) {
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    exact_.emplace(hosts_[i], i);
    if (numeric_host(hosts_[i])) continue;  // 10.0.0.1 and 10.0.0.2 have no common label
    const auto [entry, is_new] =
        by_label_.try_emplace(std::string(core::first_label(hosts_[i])), i);
    if (!is_new) entry->second.reset();
  }
}

std::optional<std::size_t> HostMatch::find(const std::string& name,
                                           const std::vector<std::string>& addresses) {
  const auto [entry, is_new] = found_.try_emplace(name);
  if (is_new) entry->second = find_uncached(name, addresses);
  return entry->second;
}

std::optional<std::size_t> HostMatch::find_uncached(const std::string& name,
                                                    const std::vector<std::string>& addresses) {
  if (const auto same = exact_.find(name); same != exact_.end()) return same->second;
  const auto label = by_label_.find(std::string(core::first_label(name)));
  if (label != by_label_.end() && label->second) return label->second;
  if (hosts_.size() == 1) return 0;
  resolve_all();
  for (const std::string& address : addresses)
    if (const auto same = by_address_.find(address); same != by_address_.end()) return same->second;
  if (name == own_name_)
    for (const auto& [address, host] : by_address_)
      if (is_loopback(address)) return host;
  return std::nullopt;
}

void HostMatch::resolve_all() {
  if (std::exchange(resolved_, true)) return;
  for (std::size_t i = 0; i < hosts_.size(); ++i)
    for (const std::string& address : resolve_(hosts_[i])) by_address_.emplace(address, i);
}

std::vector<std::string> addresses_of(const std::string& host) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  std::vector<std::string> addresses;
  if (::getaddrinfo(host.c_str(), nullptr, &hints, &list) != 0) return addresses;
  for (const addrinfo* entry = list; entry != nullptr; entry = entry->ai_next) {
    std::array<char, NI_MAXHOST> text{};
    if (::getnameinfo(entry->ai_addr, entry->ai_addrlen, text.data(), text.size(), nullptr, 0,
                      NI_NUMERICHOST) == 0)
      addresses.emplace_back(text.data());
  }
  ::freeaddrinfo(list);
  return addresses;
}

}  // namespace benchrun
