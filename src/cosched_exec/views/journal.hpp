// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cosched_exec/speed/reading.hpp"
#include "cosched_exec/strategy/scheduler.hpp"

namespace cosched_exec {

struct TaskStarted {
  TaskId task = 0;
};
struct TaskEnded {
  TaskId task = 0;
  int status = 0;  ///< exit status, or 128 + signal
  int signal = 0;  ///< that ended it; 0: none
  double cpu = 0;  ///< CPU seconds
};
struct Decided {
  Decision decision;
};
/// What ran since the last one of these, and what was seen.
struct Observed {
  Combination ran;
  double seconds = 0;
  struct Speed {
    TaskId task = 0;
    Source source = Source::none;
    std::optional<double> rate;      ///< in the source's unit, a second
    std::optional<double> relative;  ///< f, by what is known then
    bool spins = false;
  };
  std::vector<Speed> speeds;
};
/// Something that people should know: a pause that failed, a measure that is missing; or, where
/// that is no trouble, may want to know: the measure that a task got.
struct Noted {
  std::optional<TaskId> task;
  std::string sentence;
  bool trouble = true;
};

struct Event {
  double time = 0;  ///< s since the start, by the clock of the run
  std::variant<TaskStarted, TaskEnded, Decided, Observed, Noted> what;
};

/// All that happens, in order: each event goes to the listener at once, and is kept where that is
/// wanted (a long run has millions).
class Journal {
 public:
  explicit Journal(bool keep = true) : keep_(keep) {}
  using Listener = std::function<void(const Event&)>;
  void listen(Listener listener) { listener_ = std::move(listener); }
  void add(double time, decltype(Event::what) what);
  const std::vector<Event>& events() const { return events_; }

 private:
  bool keep_;
  std::vector<Event> events_;
  Listener listener_;
};

}  // namespace cosched_exec
