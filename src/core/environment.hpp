// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace core {

/// Looks up one environment variable. Pure code takes this instead of calling getenv.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

Environment process_environment();
Environment fixed_environment(std::map<std::string, std::string> variables);

/// gethostname(), or localhost when that is no host name.
std::string own_host_name();

}  // namespace core
