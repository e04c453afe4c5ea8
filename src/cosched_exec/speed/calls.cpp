// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/speed/calls.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "probe/shared.h"

namespace cosched_exec {

namespace {

[[noreturn]] void fail(int error) {
  throw core::Error(
      fmt::format("cannot get memory to count a task's calls in: {}", std::strerror(error)));
}

/// A file in memory that nobody can shrink under the processes that have it mapped.
core::Fd make_memory() {
  const core::Fd low(::memfd_create("launchwise-calls", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  core::Fd memory(::fcntl(low.get(), F_DUPFD_CLOEXEC, 3));
  if (!memory || ::ftruncate(memory.get(), sizeof(LaunchwiseCalls)) != 0 ||
      ::fcntl(memory.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    fail(errno);
  return memory;
}

LaunchwiseCalls* map(int fd) {
  void* const mapped =
      ::mmap(nullptr, sizeof(LaunchwiseCalls), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped == MAP_FAILED) fail(errno);
  return static_cast<LaunchwiseCalls*>(mapped);
}

template <typename Number>
Number load(Number& number) {
  return std::atomic_ref<Number>(number).load(std::memory_order_relaxed);
}

/// "ours" before what the environment has.
std::string before_inherited(const std::string& ours, const char* name) {
  const char* const inherited = std::getenv(name);
  return inherited == nullptr || *inherited == '\0' ? ours : ours + ":" + inherited;
}

}  // namespace

struct CallCounter::State {
  State() : memory(make_memory()), calls(map(memory.get())) {
    if (::getrandom(calls->head.token, sizeof calls->head.token, 0) != sizeof calls->head.token)
      fail(errno);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { ::munmap(calls, sizeof *calls); }

  core::Fd memory;
  LaunchwiseCalls* calls;
};

CallCounter::CallCounter() : state_(std::make_unique<State>()) {}
CallCounter::CallCounter(CallCounter&&) noexcept = default;
CallCounter::~CallCounter() = default;

std::vector<std::pair<std::string, std::string>> CallCounter::environment() const {
  const std::string probe = probe_path();
  if (probe.empty()) return {};
  std::string where = fmt::format("/proc/{}/fd/{},", ::getpid(), state_->memory.get());
  for (const unsigned char byte : state_->calls->head.token) where += fmt::format("{:02x}", byte);
  // Programs with an address sanitizer of their own insist on being first in LD_PRELOAD; the probe
  // allocates nothing, so that its place does not matter.
  return {{"LD_PRELOAD", before_inherited(probe, "LD_PRELOAD")},
          {LAUNCHWISE_CALLS, where},
          {"ASAN_OPTIONS", before_inherited("verify_asan_link_order=0", "ASAN_OPTIONS")}};
}

std::uint64_t CallCounter::total() const {
  const std::uint32_t taken = load(state_->calls->head.taken);
  const std::uint32_t used = std::min<std::uint32_t>(taken, kLaunchwiseSlots);
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < used; ++i) sum += load(state_->calls->slots[i].calls);
  return sum;
}

bool CallCounter::loaded() const { return load(state_->calls->head.loaded) != 0; }

std::string probe_path() {
  std::error_code error;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error);
  std::string path =
      own.parent_path().parent_path() / "libexec" / "launchwise" / "liblaunchwise_probe.so";
  // The dynamic linker splits LD_PRELOAD at blanks and colons.
  const bool usable = !error && path.find_first_of(" :") == std::string::npos;
  return usable && ::access(path.c_str(), R_OK) == 0 ? path : std::string();
}

}  // namespace cosched_exec
