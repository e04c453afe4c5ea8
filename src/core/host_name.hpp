// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace core {

inline constexpr std::size_t kMaxHostNameBytes = 253;
inline constexpr std::size_t kMaxHosts = std::size_t{1} << 20;

/// First [A-Za-z0-9_], then [A-Za-z0-9._-], 1 to 253 bytes. So a host name can never be an option,
/// a path or shell text.
bool valid_host_name(std::string_view name);

/// Throws Error "WHERE: NAME is not a host name ..." unless valid. `where` is FILE:LINE, an option
/// or an environment variable.
void check_host_name(std::string_view name, std::string_view where);

/// The name up to its first dot.
std::string_view first_label(std::string_view host);

}  // namespace core
