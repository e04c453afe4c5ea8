// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/task_output.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace cosched_exec {

namespace {

constexpr std::size_t kMostWaiting = 1 << 20;

}  // namespace

TaskOutput::TaskOutput(const std::string& task_name, Prepared& prepared, OutputQueue& out,
                       OutputQueue& err, std::function<void(std::string_view)> watch)
    : out_{std::move(prepared.out), LinePrefixer(task_name + ": "), &out, true},
      err_{std::move(prepared.err), LinePrefixer(task_name + ": "), &err, false},
      file_(std::move(prepared.out_file)),
      watch_(std::move(watch)) {}

bool TaskOutput::wants_more(const Stream& stream) const {
  return stream.from && stream.to->waiting() < kMostWaiting;
}

void TaskOutput::pass_on(Stream& stream, std::string_view bytes) {
  bytes_ += bytes.size();
  if (stream.watched) watch_(bytes);
  if (stream.watched && file_)
    core::write_all(file_.get(), bytes, "the output file of a task");
  else
    stream.to->add(stream.prefixer.feed(bytes));
}

void TaskOutput::read_some(Stream& stream, bool last) {
  std::array<char, 1 << 16> chunk{};
  const ssize_t got = ::read(stream.from.get(), chunk.data(), chunk.size());
  if (got > 0) return pass_on(stream, {chunk.data(), static_cast<std::size_t>(got)});
  if (got < 0 && (errno == EINTR || (errno == EAGAIN && !last))) return;
  stream.from.reset();  // its end, for a terminal EIO
  stream.to->add(stream.prefixer.finish());
}

}  // namespace cosched_exec
