// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "core/times.hpp"

namespace core {

/// $XDG_DATA_HOME/launchwise, else $HOME/.local/share/launchwise. Throws Error when neither
/// variable is set to an absolute path.
std::string default_history(const Environment& environment);

/// Adds one file `YYYYMMDDTHHMMSSZ-JOB-RANDOM.csv` (mode 0600; folders 0700) to the history folder,
/// complete before it has its name, never over an existing name; one row a host, benchmark and
/// repetition (the slowest rank). Returns the path. Throws Error; callers make it a warning.
std::string add_to_history(const std::string& folder, const TimesBlock& block);

/// The blocks of tables and history folders, in the order given (a folder's files by name). In a
/// folder: regular files only, links not followed, files of other users only when named_by_hand;
/// what is damaged or incomplete is named through `skipped` and left out. A table named by hand
/// that is malformed throws Error (file, line); an incomplete block in it is named and skipped.
std::vector<TimesBlock> read_tables_and_folders(
    const std::vector<std::string>& paths, bool named_by_hand,
    const std::function<void(const std::string& sentence)>& skipped);

}  // namespace core
