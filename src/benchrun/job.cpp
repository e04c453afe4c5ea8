// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/job.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace benchrun {

namespace {

constexpr std::size_t kMostComplaints = 8192;
constexpr int kMostChunks = 16;  ///< at one go: others want their turn

}  // namespace

Job::Job(const CommandLine& line, const std::string& nonce, OnRecord on_record, OnText on_text)
    : kept_(Kept::start(line)),
      on_record_(std::move(on_record)),
      on_text_(std::move(on_text)),
      reader_(
          nonce,
          [this](const core::Record& record) {
            if (!ignored_) on_record_(record);
          },
          [this](std::string_view text) {
            if (!ignored_) on_text_(std::string(text) + "\n");
          }) {}

std::vector<int> Job::descriptors() const {
  std::vector<int> all;
  for (const int descriptor : {kept_.out(), kept_.err()})
    if (descriptor >= 0) all.push_back(descriptor);
  if (!status_) all.push_back(kept_.ended_fd());
  return all;
}

void Job::service(int descriptor) {
  if (descriptor == kept_.out() || descriptor == kept_.err()) {
    const bool is_out = descriptor == kept_.out();
    for (int chunk = 0; chunk < kMostChunks && read(descriptor, is_out); ++chunk) {
    }
    return;
  }
  if (status_) return;
  const int status = kept_.collect();
  while (kept_.out() >= 0 && read(kept_.out(), true)) {
  }
  while (kept_.err() >= 0 && read(kept_.err(), false)) {
  }
  kept_.close_out();
  kept_.close_err();
  reader_.finish();
  status_ = status;
}

bool Job::read(int descriptor, bool is_out) {
  std::array<char, 1 << 14> chunk{};
  const ssize_t got = ::read(descriptor, chunk.data(), chunk.size());
  if (got < 0) return errno == EINTR;
  if (got == 0) {
    if (is_out)
      kept_.close_out();
    else
      kept_.close_err();
    return false;
  }
  const std::string_view bytes(chunk.data(), static_cast<std::size_t>(got));
  if (is_out) {
    reader_.take(bytes);
    return true;
  }
  complaints_ += bytes;
  if (complaints_.size() > kMostComplaints)
    complaints_.erase(0, complaints_.size() - kMostComplaints);
  if (!ignored_) on_text_(bytes);
  return true;
}

void Job::ask_to_end() {
  ending_ = true;
  kept_.ask_to_end();
}

}  // namespace benchrun
