// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/times.hpp"

namespace spare_plan {

/// How an MPI program spent the measured part of a run, from the table that benchrun made of it.
struct AppProfile {
  std::string table;  ///< file, for messages
  std::string bench;  ///< the program
  std::size_t hosts = 0, runs = 0;
  double t_cmpt = 0;  ///< median over the usable hosts of their node time by computing, s, > 0
  double t_comm = 0;  ///< median over the runs of the MPI time of the rank that computed longest,
                      ///< s: it waited for nobody, so what is left is communication
};

/// The profile of the one benchmark that has computing and MPI times; others do not count. Throws
/// core::Error (failure) naming `table` when a block is incomplete or there is no such benchmark,
/// several, only some rows with such times, different commands, no usable host, or no computing.
AppProfile app_profile(std::span<const core::TimesBlock> blocks, const std::string& table);

}  // namespace spare_plan
