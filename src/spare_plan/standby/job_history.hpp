// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/name_index.hpp"

namespace spare_plan::standby {

/// More nodes than any machine has.
constexpr std::uint32_t kMostNodes = 10'000'000;
/// Seconds, of an instant and of a run time alike: 30,000 years.
constexpr double kLongestTime = 1e12;

struct Job {
  double submit = 0;        ///< s since any instant; when it could have started at the earliest
  double run = 0;           ///< s, >= 0
  double estimate = 0;      ///< s that the scheduler was told, >= run
  std::uint32_t nodes = 0;  ///< >= 1
  std::uint32_t group = 0;  ///< index of JobHistory::groups
};

/// Why a line of a history is no job.
enum class LeftOut : std::size_t {
  damaged,    ///< cannot be read
  key_twice,  ///< says one thing twice; a job's name could be made so
  step,       ///< a step of a job, which has a line of its own
  no_submit,  ///< no submit time
  no_run,     ///< no run time: has not run, or not to its end
  no_nodes,   ///< no number of nodes
  too_wide,   ///< more nodes than the machine has: rejected, the others are skipped
  kCount
};

/// Lines of one reason.
struct LeftOutCount {
  std::size_t lines = 0;
  std::size_t first_line = 0;  ///< 0: none
  std::string first_detail;    ///< what is wrong with it; may be empty
};

struct JobHistory {
  std::string name;                 ///< of the file, for messages
  std::vector<Job> jobs;            ///< by submit; those of one instant in the order of the file
  std::vector<std::string> groups;  ///< at least one; "" where jobs are not grouped
  std::array<LeftOutCount, static_cast<std::size_t>(LeftOut::kCount)> left_out;
  std::size_t still_running = 0;  ///< jobs that were, taken with the time that they had run

  const LeftOutCount& count(LeftOut why) const { return left_out[static_cast<std::size_t>(why)]; }
  std::size_t skipped() const;
  std::size_t rejected() const { return count(LeftOut::too_wide).lines; }
};

/// By what jobs are told apart.
enum class GroupBy { none, partition, feature };

/// How a history is to be read.
struct Reading {
  std::uint32_t processors_per_node = 1;  ///< where a format tells processors: nodes = ceil(p/ppn)
  std::optional<std::uint32_t> machine;   ///< nodes; wider jobs are rejected
  GroupBy group_by = GroupBy::none;
};

/// What a format has found out about one job; negative: not told.
struct Record {
  double submit = -1, run = -1, estimate = -1;  ///< s
  double nodes = -1;
  std::string_view group;
  bool running = false;  ///< still; `run` is what it has run so far
};

/// Collects what readers of formats find.
class HistoryBuilder {
 public:
  HistoryBuilder(std::string name, const Reading& reading);

  const std::string& name() const { return history_.name; }
  const Reading& reading() const { return reading_; }

  /// Takes the job, or counts why not.
  void add(const Record& record, std::size_t line);
  void leave_out(LeftOut why, std::size_t line, std::string_view detail = {});

  /// Sorts. Once.
  JobHistory finish();

 private:
  std::uint32_t group(std::string_view name);

  Reading reading_;
  JobHistory history_;
  core::NameIndex groups_;
  bool sorted_ = true;
};

}  // namespace spare_plan::standby
