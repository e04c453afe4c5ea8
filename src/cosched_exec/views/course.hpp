// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cosched_exec/views/journal.hpp"

namespace cosched_exec {

/// A stretch of a task's life.
struct Span {
  double from = 0, to = 0;  ///< s since the start of the run
  bool running = false;     ///< or paused
};

/// A value during a stretch.
struct Held {
  double from = 0, to = 0;  ///< s
  double value = 0;
};

/// The end of a stretch in which one combination ran and was observed.
struct Moment {
  double from = 0, time = 0;       ///< s; the stretch
  std::size_t running = 0;         ///< tasks in the combination
  std::optional<double> speed;     ///< F: the sum of their f; none unless all are known
  std::optional<double> fairness;  ///< J by then, as below
};

/// When and why another combination was chosen.
struct Chosen {
  double time = 0;  ///< s
  std::string reason;
};

/// What a journal tells over time.
struct Course {
  std::vector<std::vector<Span>> spans;   ///< by task, in order
  std::vector<std::vector<Held>> speeds;  ///< f by task while it ran, last known
  std::vector<Moment> moments;
  std::vector<Chosen> choices;
  std::vector<double> under_way, running;  ///< s by task: its spans together, those that it ran in
  double end = 0;                          ///< time of the last event
  /// Mean of J over the time in which two or more tasks were under way; none: there was no such
  /// time.
  std::optional<double> fairness;
};

/// Makes a course of events as they come.
class CourseFollower {
 public:
  /// totals: neither spans, speeds, moments nor choices, so that its size does not grow with the
  /// run.
  enum class Detail { totals, all };
  CourseFollower(std::size_t tasks, Detail detail);
  CourseFollower(CourseFollower&&) noexcept;
  ~CourseFollower();
  void follow(const Event& event);
  /// Ends what is under way at the last event; to be called once.
  Course finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Pure. Fairness is Jain's index (models.md 3), J = (sum W)^2 / (n sum W^2), of the work
/// W = integral of f dt of the tasks that are under way (started and not ended), as tasks that have
/// ended gain no more; one that starts late begins with the least W of those, as in proportional
/// fairness. Where f is not known, time counts as work.
Course course(std::size_t tasks, const Journal& journal);

}  // namespace cosched_exec
