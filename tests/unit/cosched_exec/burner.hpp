// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

namespace cosched_exec {

inline double seconds_of(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Burns so many CPU seconds of the calling thread.
inline void burn(double seconds) {
  const double end = seconds_of(CLOCK_THREAD_CPUTIME_ID) + seconds;
  while (seconds_of(CLOCK_THREAD_CPUTIME_ID) < end) {
  }
}

/// So many threads that never come to an end, this one among them.
[[noreturn]] inline void in_threads(int count, const std::function<void()>& step) {
  std::vector<std::thread> others;
  for (int i = 1; i < count; ++i)
    others.emplace_back([&] {
      for (;;) step();
    });
  for (;;) step();
}

/// A process of the test that does something until it ends or is ended.
class Burner {
 public:
  explicit Burner(const std::function<void()>& work) : pid_(::fork()) {
    if (pid_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    work();
    ::_exit(0);
  }
  Burner(const Burner&) = delete;
  Burner& operator=(const Burner&) = delete;
  ~Burner() { end(SIGKILL); }

  pid_t pid() const { return pid_; }
  /// CPU seconds that the kernel tells at its end, of what it waited for too; 0 the second time.
  double end(int signal = 0) {
    const pid_t pid = std::exchange(pid_, -1);
    if (pid <= 0) return 0;
    if (signal != 0) ::kill(pid, signal);
    rusage used{};
    ::wait4(pid, &status_, 0, &used);
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
  }
  /// Waits for its end; what waitpid says.
  int status() {
    end();
    return status_;
  }

 private:
  pid_t pid_;
  int status_ = -1;
};

/// Waits, a minute at most, for something that can only be looked at.
inline bool comes_true(const std::function<bool()>& what) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!what()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace cosched_exec
