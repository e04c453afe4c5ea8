// SPDX-License-Identifier: BSD-3-Clause
#include "core/call_probe.hpp"

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
#include <ctime>
#include <filesystem>
#include <initializer_list>
#include <system_error>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "probe/shared.h"

namespace core {

namespace {

[[noreturn]] void fail(int error) {
  throw Error(
      fmt::format("cannot get memory to count a program's calls in: {}", std::strerror(error)));
}

/// A file in memory that nobody can shrink under the processes that have it mapped.
Fd make_memory() {
  const Fd low(::memfd_create("launchwise-calls", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  Fd memory(::fcntl(low.get(), F_DUPFD_CLOEXEC, 3));
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

/// ns that a stopwatch shows.
std::int64_t shown(LaunchwiseStopwatch watch, std::int64_t now) {
  return watch < 0 ? watch + now : watch;
}

/// Time inside MPI of the process whose MPI was initialised in `first`, ns.
std::int64_t inside_mpi(std::span<const LaunchwiseSlot> slots, const LaunchwiseSlot& first,
                        std::int64_t now) {
  std::int64_t sum = 0, threads = 0;
  for (const LaunchwiseSlot& slot : slots) {
    if (slot.process != first.process || slot.timed == 0) continue;
    sum += shown(slot.mpi, now);
    ++threads;
  }
  return first.timed > 0 || threads == 0 ? shown(first.mpi, now) : sum / threads;
}

}  // namespace

Split split_of(std::span<const LaunchwiseSlot> slots, std::int64_t now) {
  Split split;
  for (const LaunchwiseSlot& slot : slots) {
    if (slot.initialised == 0) continue;
    if (!split.known()) split = {0, 0};
    const std::int64_t measured = shown(slot.measured, now);
    const std::int64_t mpi = std::min(inside_mpi(slots, slot, now), measured);
    split.compute += 1e-9 * static_cast<double>(measured - mpi);
    split.mpi += 1e-9 * static_cast<double>(mpi);
  }
  return split;
}

World world_of(std::span<const LaunchwiseSlot> slots) {
  World largest;
  for (const LaunchwiseSlot& slot : slots)
    if (slot.world > largest.ranks)
      largest = {slot.world, slot.mpi_kind == kLaunchwiseOpenMpi ? "Open MPI" : "MPICH"};
  return largest;
}

struct CallProbe::State {
  explicit State(Task task) : memory(make_memory()), calls(map(memory.get())) {
    if (::getrandom(calls->head.token, sizeof calls->head.token, 0) != sizeof calls->head.token)
      fail(errno);
    calls->head.timing = task == Task::time ? 1 : 0;
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { ::munmap(calls, sizeof *calls); }
  std::span<LaunchwiseSlot> used_slots() const {
    const std::uint32_t taken = load(calls->head.taken);
    return {calls->slots, std::min<std::uint32_t>(taken, kLaunchwiseSlots)};
  }

  Fd memory;
  LaunchwiseCalls* calls;
};

CallProbe::CallProbe(Task task) : state_(std::make_unique<State>(task)) {}
CallProbe::CallProbe(CallProbe&&) noexcept = default;
CallProbe::~CallProbe() = default;

std::vector<std::pair<std::string, std::string>> CallProbe::environment() const {
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

std::uint64_t CallProbe::total() const {
  std::uint64_t sum = 0;
  for (LaunchwiseSlot& slot : state_->used_slots()) sum += load(slot.calls);
  return sum;
}

bool CallProbe::loaded() const { return load(state_->calls->head.loaded) != 0; }

Split CallProbe::split() const {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const auto used = state_->used_slots();
  const std::vector<LaunchwiseSlot> slots(used.begin(), used.end());
  return split_of(slots, std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec);
}

World CallProbe::world() const { return world_of(state_->used_slots()); }

std::string probe_path() {
  std::error_code error;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return {};
  constexpr const char* kName = "liblaunchwise_probe.so";
  const auto beside = own.parent_path() / kName;
  const auto from_bin = own.parent_path().parent_path() / "libexec" / "launchwise" / kName;
  for (const std::string path : {from_bin, beside}) {
    // The dynamic linker splits LD_PRELOAD at blanks and colons.
    const bool usable = path.find_first_of(" :") == std::string::npos;
    if (usable && ::access(path.c_str(), R_OK) == 0) return path;
  }
  return {};
}

}  // namespace core
