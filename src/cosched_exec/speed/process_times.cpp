// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/speed/process_times.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "core/fd.hpp"

namespace cosched_exec {

namespace {

constexpr double kNano = 1e-9, kMicro = 1e-6;
/// Beyond the longest stat or status file.
using Buffer = std::array<char, 8192>;

/// The file's content; empty when it is gone.
std::string_view content(int folder, const char* path, Buffer& buffer) {
  const core::Fd file(::openat(folder, path, O_RDONLY | O_CLOEXEC));
  if (!file) return {};
  const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
  return got > 0 ? std::string_view(buffer.data(), static_cast<std::size_t>(got))
                 : std::string_view();
}

/// Takes the next number from the front of the text, over anything that is no digit.
std::uint64_t take_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc() ? number : 0;
}

struct Stat {
  char state = 0;         ///< 0: the process is gone
  double waited_for = 0;  ///< CPU seconds of the children that it has waited for
};

/// Fields 3, 16 and 17 of stat, counted from behind the name, which may hold blanks and
/// parentheses.
Stat stat_of(pid_t process) {
  static const double ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  Buffer buffer;
  std::string_view text = content(AT_FDCWD, fmt::format("/proc/{}/stat", process).c_str(), buffer);
  text.remove_prefix(std::min(text.rfind(')') + 1, text.size()));
  if (text.size() < 2) return {};
  const char state = text[1];
  for (int field = 3; field < 16; ++field) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    text.remove_prefix(std::min(text.find(' '), text.size()));
  }
  const double user = static_cast<double>(take_number(text));
  return {state, (user + static_cast<double>(take_number(text))) / ticks};
}

/// CPU seconds of a cgroup, all that has ended in it included.
std::optional<double> group_cpu(const std::string& cpu_stat) {
  if (cpu_stat.empty()) return std::nullopt;
  Buffer buffer;
  std::string_view text = content(AT_FDCWD, cpu_stat.c_str(), buffer);
  if (!text.starts_with("usage_usec ")) return std::nullopt;
  return kMicro * static_cast<double>(take_number(text));
}

std::optional<std::uint64_t> voluntary_switches(int task_folder, const char* thread) {
  Buffer buffer;
  std::string_view text = content(task_folder, fmt::format("{}/status", thread).c_str(), buffer);
  constexpr std::string_view key = "\nvoluntary_ctxt_switches:";
  const std::size_t place = text.find(key);
  if (place == std::string_view::npos) return std::nullopt;
  text.remove_prefix(place + key.size());
  return take_number(text);
}

/// What was added since `before`; all of it when the number is now that of another thread.
template <class Number>
Number added(Number& before, Number now) {
  const Number last = std::exchange(before, now);
  return now >= last ? now - last : now;
}

}  // namespace

double cpu_clock(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + kNano * static_cast<double>(time.tv_nsec);
}

void ProcessTimes::read_thread(int task_folder, const char* thread, Detail detail) {
  Buffer buffer;
  std::string_view text = content(task_folder, fmt::format("{}/schedstat", thread).c_str(), buffer);
  if (text.empty()) return;
  Thread& known = threads_[static_cast<pid_t>(std::atol(thread))];
  known.seen = readings_;
  run_ += added(known.run, kNano * static_cast<double>(take_number(text)));
  wait_ += added(known.wait, kNano * static_cast<double>(take_number(text)));
  if (detail == Detail::totals) return;
  if (const auto switches = voluntary_switches(task_folder, thread))
    voluntary_ += added(known.voluntary, *switches);
}

ProcessTimes::ProcessTimes(const std::string& group)
    : cpu_stat_(group.empty() ? "" : group + "/cpu.stat") {}

void ProcessTimes::read_threads(pid_t process, Detail detail) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(
      ::opendir(fmt::format("/proc/{}/task", process).c_str()), ::closedir);
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr)
    if (std::isdigit(static_cast<unsigned char>(entry->d_name[0])))
      read_thread(::dirfd(folder.get()), entry->d_name, detail);
}

/// A process that has ended counts until its parent waits for it, which may be paused.
double ProcessTimes::sum_of_clocks(std::span<const pid_t> processes) {
  double sum = 0;
  std::vector<pid_t> counted(processes.begin(), processes.end());
  for (const pid_t process : processes) sum += cpu_clock(process) + stat_of(process).waited_for;
  for (const pid_t process : counted_) {
    if (std::find(processes.begin(), processes.end(), process) != processes.end()) continue;
    const Stat stat = stat_of(process);
    if (stat.state != 'Z') continue;
    sum += cpu_clock(process) + stat.waited_for;
    counted.push_back(process);
  }
  counted_ = std::move(counted);
  return sum;
}

void ProcessTimes::read(std::span<const pid_t> processes, double ended_cpu, Detail detail,
                        Reading& reading) {
  ++readings_;
  for (const pid_t process : processes) read_threads(process, detail);
  std::erase_if(threads_, [this](const auto& entry) { return entry.second.seen != readings_; });
  const std::optional<double> group = group_cpu(cpu_stat_);
  reading.cpu = cpu_.take(group ? *group : ended_cpu + sum_of_clocks(processes));
  reading.run = run_;
  reading.wait = wait_;
  reading.threads = static_cast<unsigned>(threads_.size());
  if (detail == Detail::threads) reading.voluntary = voluntary_;
}

}  // namespace cosched_exec
