// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "spare_plan/standby/bytes.hpp"
#include "spare_plan/standby/job_history.hpp"

namespace spare_plan::standby {

/// A format in which sites keep what ran on their machine; man page launchwise-formats(7).
struct HistoryFormat {
  std::string_view name;                      ///< of --format
  bool (*recognises)(std::string_view line);  ///< by the first line that is not blank
  void (*read)(Bytes& bytes, HistoryBuilder& history);
};

std::span<const HistoryFormat> history_formats();
/// "swf, sacct, ...", for messages.
std::string history_format_names();

/// Reads a history in the format of that name, or in the one that its first line has. Throws Error,
/// naming the file, on an unknown format and on one that tells no groups while some are wanted.
JobHistory read_history(Bytes& bytes, const std::string& name, const Reading& reading,
                        const std::optional<std::string>& format);

/// Calls `use` with each line that is not empty and its number; one that is too long is damaged.
void for_each_line(Bytes& bytes, HistoryBuilder& history,
                   const std::function<void(std::string_view, std::size_t)>& use);

/// One file a format.
bool is_swf(std::string_view line);
void read_swf(Bytes& bytes, HistoryBuilder& history);
bool is_sacct(std::string_view line);
void read_sacct(Bytes& bytes, HistoryBuilder& history);
bool is_jobcomp(std::string_view line);
void read_jobcomp(Bytes& bytes, HistoryBuilder& history);
bool is_pbs_accounting(std::string_view line);
void read_pbs_accounting(Bytes& bytes, HistoryBuilder& history);
bool is_qstat_json(std::string_view line);
void read_qstat_json(Bytes& bytes, HistoryBuilder& history);

}  // namespace spare_plan::standby
