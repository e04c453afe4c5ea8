// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/speed/counters.hpp"

#include <fmt/format.h>
#include <perfmon/pfmlib_perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

namespace cosched_exec {

namespace {

/// Share of its time that a multiplexed event must have run for its scaled count to be believed.
constexpr double kLeastRunning = 0.2;
/// Counters are given to others in turns of some ms: a shorter time without says nothing.
constexpr std::uint64_t kShort = 5'000'000;  // ns
/// A PMU's type stands above this bit of a generic event's config (perf_event_open(2)).
constexpr int kPmuTypeShift = 32;

class KernelPerf : public PerfApi {
 public:
  int open(const perf_event_attr& attr, pid_t pid) override {
    perf_event_attr own = attr;
    const long fd = ::syscall(SYS_perf_event_open, &own, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
    return fd < 0 ? -errno : static_cast<int>(fd);
  }
  bool read(int fd, Value& value) override {
    std::array<std::uint64_t, 3> words{};
    if (::read(fd, words.data(), sizeof words) != static_cast<ssize_t>(sizeof words)) return false;
    value = {words[0], words[1], words[2]};
    return true;
  }
  void close(int fd) override { ::close(fd); }
  std::vector<std::uint32_t> core_pmus() override;
  std::optional<int> paranoid() override {
    int level = 0;
    std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
    return file >> level ? std::optional(level) : std::nullopt;
  }
};

/// A PMU that has a file `cpus` belongs to a kind of cores (others have `cpumask` or neither).
std::vector<std::uint32_t> KernelPerf::core_pmus() {
  std::vector<std::uint32_t> types;
  std::error_code error;
  const std::filesystem::directory_iterator devices("/sys/bus/event_source/devices", error);
  for (const auto& device : devices) {
    std::uint32_t type = 0;
    std::ifstream file(device.path() / "type");
    if (std::filesystem::exists(device.path() / "cpus", error) && file >> type)
      types.push_back(type);
  }
  std::sort(types.begin(), types.end());
  return types.size() > 1 ? types : std::vector<std::uint32_t>();
}

/// The generic event as libpfm4 encodes it; where it cannot (no such machine), as the kernel does.
perf_event_attr encode(const char* event, std::uint64_t config) {
  static const bool ready = ::pfm_initialize() == PFM_SUCCESS;
  perf_event_attr attr{};
  pfm_perf_encode_arg_t argument{};
  argument.attr = &attr;
  argument.size = sizeof argument;
  if (!ready || ::pfm_get_os_event_encoding(event, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT,
                                            &argument) != PFM_SUCCESS) {
    attr = {};
    attr.type = PERF_TYPE_HARDWARE;
    attr.config = config;
  }
  attr.size = sizeof attr;
  attr.disabled = 1;
  attr.enable_on_exec = 1;
  attr.inherit = 1;
  attr.exclude_kernel = 0;
  attr.exclude_hv = 1;
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return attr;
}

bool is_forbidden(int error) { return error == EACCES || error == EPERM; }

std::string why(int error, std::optional<int> paranoid) {
  if (error == ENOENT || error == EOPNOTSUPP || error == ENODEV)
    return "no hardware counters here (a virtual machine?)";
  if (is_forbidden(error) && paranoid && *paranoid > 2)
    return fmt::format(
        "kernel.perf_event_paranoid is {}: 2 lets users count their own processes "
        "(sysctl kernel.perf_event_paranoid=2, as root)",
        *paranoid);
  if (is_forbidden(error))
    return "hardware counters are forbidden here (a container's seccomp filter?)";
  if (error == ENOSYS) return "this kernel or container has no perf_event_open";
  if (error == EMFILE || error == ENFILE) return "too many open files for counters (ulimit -n)";
  return fmt::format("hardware counters cannot be opened: {}", std::strerror(error));
}

/// One count, by as many events as there are kinds of cores.
struct Event {
  std::vector<int> fds;
  int error = 0;  ///< errno of the open that failed
  bool gone = false, starved = false;
  PerfApi::Value last;
  double total = 0;
};

/// On a hybrid processor each event runs only on its kind of cores, so that the running times add
/// up to the time that was counted; the enabled time is the same for all.
std::optional<PerfApi::Value> sum(PerfApi& perf, const std::vector<int>& fds) {
  PerfApi::Value all;
  for (const int fd : fds) {
    PerfApi::Value value;
    if (!perf.read(fd, value)) return std::nullopt;
    all.value += value.value;
    all.running += value.running;
    all.enabled = std::max(all.enabled, value.enabled);
  }
  return all;
}

std::optional<double> advance(PerfApi& perf, Event& event) {
  if (event.fds.empty() || event.gone) return std::nullopt;
  const auto now = sum(perf, event.fds);
  event.gone = !now;
  if (!now) return std::nullopt;
  const std::uint64_t enabled = now->enabled - event.last.enabled,
                      running = now->running - event.last.running;
  const double share =
      enabled == 0 ? 0 : static_cast<double>(running) / static_cast<double>(enabled);
  event.starved = enabled >= kShort && share < kLeastRunning;
  if (share < kLeastRunning && enabled < kShort) return event.total;
  const auto counted = static_cast<double>(now->value - event.last.value);
  event.last = *now;
  if (event.starved) return std::nullopt;
  return event.total += counted / std::min(share, 1.0);
}

std::optional<double> total(const Event& event) {
  return event.fds.empty() || event.gone ? std::nullopt : std::optional(event.total);
}

}  // namespace

PerfApi& kernel_perf() {
  static KernelPerf perf;
  return perf;
}

struct Counters::State {
  explicit State(PerfApi& api) : perf(api) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    for (const Event* event : {&instructions, &cycles})
      for (const int fd : event->fds) perf.close(fd);
  }
  /// One event, with the kernel's part unless that turns out to be forbidden.
  int open(perf_event_attr attr, pid_t pid) {
    attr.exclude_kernel = user_only ? 1 : 0;
    int fd = perf.open(attr, pid);
    if (!user_only && is_forbidden(-fd)) {
      user_only = true;
      attr.exclude_kernel = 1;
      fd = perf.open(attr, pid);
    }
    return fd;
  }
  void open(Event& event, const perf_event_attr& attr, pid_t pid) {
    std::vector<std::uint32_t> pmus = perf.core_pmus();
    if (pmus.empty()) pmus.push_back(0);
    for (const std::uint32_t pmu : pmus) {
      perf_event_attr one = attr;
      one.config |= static_cast<std::uint64_t>(pmu) << kPmuTypeShift;
      const int fd = open(one, pid);
      if (fd >= 0) event.fds.push_back(fd);
      if (fd < 0 && event.error == 0) event.error = -fd;
    }
    if (event.error == 0) return;  // else a sum that leaves out a kind of cores tells nothing
    for (const int fd : std::exchange(event.fds, {})) perf.close(fd);
  }

  PerfApi& perf;
  bool user_only = false;
  Event instructions, cycles;
};

Counters::Counters(PerfApi& perf, pid_t stopped_child) : state_(std::make_unique<State>(perf)) {
  state_->open(state_->instructions,
               encode("perf::PERF_COUNT_HW_INSTRUCTIONS", PERF_COUNT_HW_INSTRUCTIONS),
               stopped_child);
  state_->open(state_->cycles, encode("perf::PERF_COUNT_HW_CPU_CYCLES", PERF_COUNT_HW_CPU_CYCLES),
               stopped_child);
}
Counters::Counters(Counters&&) noexcept = default;
Counters::~Counters() = default;

Counters::Counts Counters::read() {
  return {advance(state_->perf, state_->instructions), advance(state_->perf, state_->cycles)};
}

Counters::Counts Counters::totals() const {
  return {total(state_->instructions), total(state_->cycles)};
}

std::string Counters::missing() const {
  const Event &instructions = state_->instructions, &cycles = state_->cycles;
  if (instructions.error != 0 && cycles.error == 0)
    return "only cycles are counted here, no instructions";
  if (instructions.error == 0 && cycles.error != 0)
    return "only instructions are counted here, no cycles";
  if (instructions.error != 0) return why(instructions.error, state_->perf.paranoid());
  if (instructions.gone || cycles.gone) return "the hardware counters went away";
  if (instructions.starved || cycles.starved)
    return "the hardware counters are taken by others (a profiler?)";
  return {};
}

}  // namespace cosched_exec
