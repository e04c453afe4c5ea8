// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/queued_log.hpp"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <utility>
#include <vector>

#include "core/tool_main.hpp"

namespace cosched_exec {

namespace {

class QueueSink : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  explicit QueueSink(OutputQueue& queue) : queue_(queue) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    queue_.add({line.data(), line.size()});
  }
  void flush_() override {}

 private:
  OutputQueue& queue_;
};

}  // namespace

struct QueuedLog::State {
  OutputQueue& queue;
  std::vector<spdlog::sink_ptr> before;
};

QueuedLog::QueuedLog(OutputQueue& queue) : state_(std::make_unique<State>(State{queue, {}})) {
  auto sink = std::make_shared<QueueSink>(queue);
  sink->set_pattern(core::kLogPattern);
  state_->before = std::exchange(spdlog::default_logger_raw()->sinks(), {std::move(sink)});
}

QueuedLog::~QueuedLog() {
  spdlog::default_logger_raw()->sinks() = std::move(state_->before);
  state_->queue.write_some();
}

}  // namespace cosched_exec
