// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "spare_plan/standby/given.hpp"

namespace spare_plan::standby {

/// Reads the history of a file, plain or compressed by gzip, or of standard input for "-". Throws
/// Error that names the file.
JobHistory open_history(const std::string& path, const Reading& reading,
                        const std::optional<std::string>& format);

/// The history that the command line names; what is left out of it is logged. Throws Error when no
/// job is left.
JobHistory history_of(const Given& given);

}  // namespace spare_plan::standby
