// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace benchrun {

/// Finds which host of the allocation a rank runs on. A host calls itself by a name that may differ
/// from the allocation's spelling (n1, n1.cluster.example, an address, localhost).
class HostMatch {
 public:
  /// Numeric addresses of a name; nothing when it does not resolve. Asked only where names do not
  /// tell, since it may take long.
  using Resolve = std::function<std::vector<std::string>(const std::string& host)>;

  /// own_name: gethostname() of this host, which is also what `localhost` means.
  HostMatch(std::vector<std::string> hosts, std::string own_name, Resolve resolve);

  /// Index into hosts: the same name; else the only host with the same first label; else the host
  /// one of whose addresses is the rank's; else, for a rank on this host, the host that is only
  /// another name for it (a loopback address). Nothing when none of these holds.
  std::optional<std::size_t> find(const std::string& name,
                                  const std::vector<std::string>& addresses);

 private:
  std::optional<std::size_t> find_uncached(const std::string& name,
                                           const std::vector<std::string>& addresses);
  void resolve_all();

  std::vector<std::string> hosts_;
  std::string own_name_;
  Resolve resolve_;
  std::unordered_map<std::string, std::size_t> exact_, by_address_;
  std::unordered_map<std::string, std::optional<std::size_t>> by_label_;  ///< nothing: ambiguous
  std::unordered_map<std::string, std::optional<std::size_t>> found_;
  bool resolved_ = false;
};

/// The Resolve of real runs: getaddrinfo.
std::vector<std::string> addresses_of(const std::string& host);

}  // namespace benchrun
