// SPDX-License-Identifier: BSD-3-Clause
// pause_task auto|freezer|signal|bare TIMES RUN_MS PAUSED_MS COMMAND...: runs the command as
// cosched_exec does, pauses and resumes it, and tells "METHOD TIMES VIOLATIONS p50 p99" (ms for a
// pause and a resume) on stderr. A violation is CPU time that passes while it is paused, by
// schedstat. bare: SIGSTOP, wait and SIGCONT for the command's process alone. Afterwards $STOP_FILE
// is made and the end awaited, or the command killed. `pause_task busy THREADS` keeps processors
// busy.
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>

#include "core/descendants.hpp"
#include "cosched_exec/pause/freezer.hpp"
#include "cosched_exec/pause/pauser.hpp"
#include "cosched_exec/supervise/process_tree.hpp"
#include "cosched_exec/supervise/start.hpp"

namespace {

using namespace cosched_exec;
using Clock = std::chrono::steady_clock;

/// A thread that is stopping may still have the last of its way out of the processor before it.
constexpr unsigned long long kTolerated = 100'000;  // ns, of all threads together

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void sleep_milliseconds(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

[[noreturn]] void keep_busy(int threads) {
  for (int i = 0; i < threads; ++i)
    std::thread([] {
      for (volatile unsigned long turn = 0;;) turn = turn + 1;
    }).detach();
  for (;;) ::pause();
}

/// Nanoseconds that all our descendants have run.
unsigned long long time_run() {
  unsigned long long sum = 0;
  for (const pid_t process : core::descendants()) {
    std::error_code ignored;
    for (const auto& thread :
         std::filesystem::directory_iterator(fmt::format("/proc/{}/task", process), ignored)) {
      unsigned long long run = 0;
      std::ifstream(thread.path() / "schedstat") >> run;
      sum += run;
    }
  }
  return sum;
}

class Bare {
 public:
  explicit Bare(pid_t leader) : leader_(leader) {}
  void pause() const {
    ::kill(leader_, SIGSTOP);
    ::waitpid(leader_, nullptr, WUNTRACED);
  }
  void resume() const { ::kill(leader_, SIGCONT); }

 private:
  pid_t leader_;
};

struct Figures {
  int violations = 0;
  std::vector<double> took;  ///< ms
};

template <class Pause, class Resume>
Figures repeat(int times, int run_ms, int paused_ms, const Pause& pause, const Resume& resume) {
  Figures figures;
  for (int i = 0; i < times; ++i) {
    sleep_milliseconds(run_ms);
    const auto pausing = Clock::now();
    pause();
    const double pause_took = milliseconds_since(pausing);
    const auto before = time_run();
    sleep_milliseconds(paused_ms);
    if (time_run() - before > kTolerated) ++figures.violations;
    const auto resuming = Clock::now();
    resume();
    figures.took.push_back(pause_took + milliseconds_since(resuming));
  }
  std::sort(figures.took.begin(), figures.took.end());
  return figures;
}

double quantile(const std::vector<double>& sorted, double q) {
  const auto place = std::ceil(q * static_cast<double>(sorted.size())) - 1;
  return sorted.at(static_cast<std::size_t>(std::max(0.0, place)));
}

PauseWish wish_of(const std::string& word) {
  return word == "freezer"  ? PauseWish::freezer
         : word == "signal" ? PauseWish::signal
                            : PauseWish::automatic;
}

int end_of(pid_t leader, Pauser& pauser) {
  if (const char* const file = std::getenv("STOP_FILE"))
    std::ofstream{file};
  else
    pauser.send(SIGKILL);
  int status = 0;
  ::waitpid(leader, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 2 && words[0] == "busy") keep_busy(std::atoi(argv[2]));
  if (words.size() < 5) return 2;
  Task task;
  task.name = "paused";
  task.argv.assign(words.begin() + 4, words.end());
  core::adopt_orphans();
  Groups groups(wish_of(words[0]));
  ProcessTree tree;
  const std::string group = groups.make();
  StartOptions options;
  options.environment = {ProcessTree::mark(0)};
  Prepared prepared = prepare(task, options);
  tree.add(0, prepared.pid);
  if (!group.empty()) move_into(group, prepared.pid);
  Pauser pauser(group.empty() ? PauseMethod::signal : groups.method(), group,
                [&] { return group.empty() ? tree.members_of(0) : processes_in(group); });
  if (let_go(prepared) != 0) return 127;
  const bool is_bare = words[0] == "bare";
  const Bare bare(prepared.pid);
  std::string trouble;
  const auto pause = [&] {
    if (is_bare) return bare.pause();
    const Pauser::Result result = pauser.pause();
    if (!result.done || !result.trouble.empty()) trouble = " " + result.trouble + " (given up)";
  };
  const auto resume = [&] { is_bare ? bare.resume() : static_cast<void>(pauser.resume()); };
  const Figures figures =
      repeat(std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]), pause, resume);
  const int status = end_of(prepared.pid, pauser);
  for (const int stream : {prepared.out.get(), prepared.err.get()}) {
    char text[4096];
    const ssize_t length = ::read(stream, text, sizeof text);
    if (length > 0) std::cout.write(text, length);
  }
  std::cerr << fmt::format("{} {} {} {:.3f} {:.3f}{}\n",
                           is_bare ? "bare" : std::string(name(pauser.method())),
                           figures.took.size(), figures.violations, quantile(figures.took, 0.5),
                           quantile(figures.took, 0.99), trouble);
  core::end_descendants(0);
  if (!group.empty()) ::rmdir(group.c_str());
  return status;
}
