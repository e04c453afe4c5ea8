// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/task_output.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "core/error.hpp"

namespace cosched_exec {

namespace {

constexpr std::size_t kMostWaiting = 1 << 20;

/// Then a task that writes on gets SIGPIPE, as it would have without us. A terminal goes on: the
/// task's progress is read from it.
bool nobody_reads(const TaskOutput::Stream& stream) {
  return stream.to->reader_gone() && stream.to->error() == 0 && ::isatty(stream.from.get()) == 0;
}

}  // namespace

TaskOutput::TaskOutput(const Task& task, Prepared& prepared, OutputQueue& out, OutputQueue& err,
                       std::function<void(std::string_view)> watch)
    : out_{std::move(prepared.out), LinePrefixer(task.name + ": "), &out, true},
      err_{std::move(prepared.err), LinePrefixer(task.name + ": "), &err, false},
      file_(std::move(prepared.out_file)),
      file_name_(file_ ? task.out_file : std::string()),
      watch_(std::move(watch)) {}

bool TaskOutput::wants_more(const Stream& stream) const {
  return stream.from && stream.to->waiting() < kMostWaiting;
}

void TaskOutput::pass_on(Stream& stream, std::string_view bytes) {
  bytes_ += bytes.size();
  if (stream.watched) watch_(bytes);
  if (stream.watched && !file_name_.empty())
    write_file(bytes);
  else
    stream.to->add(stream.prefixer.feed(bytes));
}

void TaskOutput::write_file(std::string_view bytes) {
  if (!file_) return;
  try {
    core::write_all(file_.get(), bytes, file_name_);
  } catch (const core::Error& e) {
    trouble_ = e.what();
    file_.reset();
  }
}

void TaskOutput::read_some(Stream& stream, bool last) {
  if (nobody_reads(stream)) return stream.from.reset();
  std::array<char, 1 << 16> chunk{};
  const ssize_t got = ::read(stream.from.get(), chunk.data(), chunk.size());
  if (got > 0) return pass_on(stream, {chunk.data(), static_cast<std::size_t>(got)});
  if (got < 0 && (errno == EINTR || (errno == EAGAIN && !last))) return;
  stream.from.reset();  // its end, for a terminal EIO
  stream.to->add(stream.prefixer.finish());
}

}  // namespace cosched_exec
