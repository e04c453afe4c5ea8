// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "benchrun/plan.hpp"
#include "core/slow_hosts.hpp"
#include "core/slow_links.hpp"
#include "core/times.hpp"

namespace benchrun {

/// For standard error, without the tool's name.
struct Sentence {
  bool is_warning = false;
  std::string text;
};

/// What the times say so far: who is slow, which are the fastest, and whether more repetitions are
/// wanted to know it. Pure: time is passed in, in seconds since the start.
class Settling {
 public:
  explicit Settling(const Plan& plan) : plan_(plan) {}

  /// Looks at the rows after a block. False when the goal is reached (without one: at once), the
  /// blocks are used up, or a further block as long as the longest so far would not end before the
  /// deadline.
  bool wants_more(const core::TimesBlock& block, double now, double deadline);
  /// Blocks that were looked at.
  std::uint64_t blocks() const { return blocks_; }

  /// What was decided and how sure it is: a warning for each slow host and link (the first ten),
  /// then what became of the goal.
  std::vector<Sentence> sentences() const;

 private:
  bool reached() const;
  void judge(const core::TimesBlock& block);
  void judge_fastest(const core::Scores& scores);
  void tell_slow(std::vector<Sentence>& sentences) const;
  void tell_slow_links(std::vector<Sentence>& sentences) const;
  std::vector<std::string> undecided_links() const;
  Sentence about_slow_ones() const;
  Sentence about_links() const;
  Sentence about_fastest() const;
  std::string without_peers() const;
  std::string effort() const;

  const Plan& plan_;
  std::uint64_t blocks_ = 0;
  double last_look_ = 0, longest_block_ = 0;  ///< s
  bool out_of_time_ = false;
  std::vector<std::string> names_;
  std::vector<core::HostTimes> times_;  ///< comparable within kinds
  bool several_kinds_ = false;
  std::vector<core::Judged> judged_;
  core::Boundary boundary_;
  core::Links links_;
  std::vector<core::JudgedLink> judged_links_;
  std::size_t usable_ = 0;
};

}  // namespace benchrun
