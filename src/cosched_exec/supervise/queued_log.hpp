// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "cosched_exec/supervise/output.hpp"

namespace cosched_exec {

/// While it lives, what this process logs goes into the queue: a reader that sleeps does not stop
/// us, and no line of a task is torn by one of ours. Afterwards what the stream does not take at
/// once is dropped.
class QueuedLog {
 public:
  explicit QueuedLog(OutputQueue& queue);
  QueuedLog(const QueuedLog&) = delete;
  QueuedLog& operator=(const QueuedLog&) = delete;
  ~QueuedLog();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cosched_exec
