// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/times.hpp"

namespace spare_plan {

/// Which of the node times of one block and one kind of hardware are abnormal: t > m + max(6 s,
/// 0.10 m), m the median and s the scaled median absolute deviation. Ascending indices.
std::vector<std::size_t> abnormal_nodes(std::span<const double> times);

/// One block of a times table as fitted.
struct BlockFit {
  std::string file;
  std::size_t first_line = 1;
  std::size_t nodes = 0;              ///< all hosts, usable or not
  std::vector<std::string> abnormal;  ///< hosts labelled slow
  std::vector<std::string> unusable;  ///< hosts with a row that is not ok, or none
};

/// What measured times tell about the parameters, pooled over the blocks.
struct Fit {
  std::string bench;
  std::uint64_t nodes = 0, abnormal = 0, unusable = 0;  ///< counts over all blocks
  double p_abn = 0;                                     ///< (abnormal + unusable) / nodes
  std::pair<double, double> p_abn_95{0, 1};             ///< Clopper-Pearson
  double t_bench = 0;                                   ///< mean of the normal nodes, s
  /// mean(abnormal) / mean(normal), of several kinds of hardware the mean of abnormal / mean(normal
  /// of the kind); none without an abnormal one
  std::optional<double> alpha_abn;
  std::optional<double> t_fix;  ///< median of elapsed - t_bench, s; none without end lines
  std::vector<BlockFit> blocks;
};

/// Takes what is said beside a result, a sentence at a time.
struct Talk {
  std::function<void(const std::string&sentence)> warn, info, debug;
};

/// The benchmark taken where there are several and none is asked for: benchrun's default.
inline constexpr std::string_view kUsualBench = "compute";

/// Fits the complete blocks that have `bench`; without it their only benchmark, or kUsualBench
/// where there are several (an info). Left out are blocks in which no host is usable (a warning
/// each), for they say nothing about the nodes, and those measured with other parameters than the
/// last other block (one warning, their names as debug). Throws core::Error (failure) when there is
/// no such benchmark or no block is left.
Fit fit(std::span<const core::TimesBlock> blocks, const std::optional<std::string>& bench,
        const Talk& talk);

}  // namespace spare_plan
