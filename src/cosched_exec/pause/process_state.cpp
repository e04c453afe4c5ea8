// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/pause/process_state.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/fd.hpp"
#include "cosched_exec/speed/process_times.hpp"

namespace cosched_exec {

namespace {

/// The state letter in .../stat; Z when it is gone.
char thread_state(int tasks, const char* thread) {
  const std::string path = std::string(thread) + "/stat";
  const core::Fd file(::openat(tasks, path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 128> text{};
  const ssize_t length = file ? ::read(file.get(), text.data(), text.size()) : 0;
  if (length <= 0) return 'Z';
  const std::string_view stat(text.data(), static_cast<std::size_t>(length));
  const std::size_t name_end = stat.rfind(')');
  return name_end == std::string_view::npos || name_end + 2 >= stat.size() ? 'Z'
                                                                           : stat[name_end + 2];
}

/// CPU seconds. A thread that is shown as stopped has a few steps to go until it leaves the
/// processor, and on a virtual machine it may lose that meanwhile.
constexpr double kLastSteps = 0.5e-3;

}  // namespace

Activity activity(pid_t process) {
  const std::string folder = fmt::format("/proc/{}/task", process);
  const std::unique_ptr<DIR, int (*)(DIR*)> tasks(::opendir(folder.c_str()), ::closedir);
  if (!tasks) return Activity::gone;
  Activity found = Activity::gone;
  while (const dirent* entry = ::readdir(tasks.get())) {
    if (entry->d_name[0] == '.') continue;
    const char state = thread_state(::dirfd(tasks.get()), entry->d_name);
    if (state == 'Z' || state == 'X') continue;
    if (state == 'D')
      found = Activity::waiting;
    else if (state != 'T' && state != 't')
      return Activity::active;
    else if (found == Activity::gone)
      found = Activity::stopped;
  }
  return found;
}

bool uses_cpu(std::span<const pid_t> processes, int milliseconds) {
  std::vector<double> before;
  for (const pid_t process : processes) before.push_back(cpu_clock(process));
  nap(1000L * milliseconds);
  return !std::equal(
      processes.begin(), processes.end(), before.begin(),
      [](pid_t process, double then) { return cpu_clock(process) <= then + kLastSteps; });
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void nap(long microseconds) {
  const timespec time{microseconds / 1'000'000, microseconds % 1'000'000 * 1000};
  ::nanosleep(&time, nullptr);
}

}  // namespace cosched_exec
