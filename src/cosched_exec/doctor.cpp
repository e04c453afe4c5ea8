// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/doctor.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <functional>
#include <ostream>

#include "core/call_probe.hpp"
#include "core/descendants.hpp"
#include "core/duration.hpp"
#include "core/error.hpp"
#include "core/tool_main.hpp"
#include "cosched_exec/pause/freezer.hpp"
#include "cosched_exec/pause/pauser.hpp"
#include "cosched_exec/pause/process_state.hpp"
#include "cosched_exec/shell_words.hpp"
#include "cosched_exec/speed/counters.hpp"
#include "cosched_exec/speed/process_times.hpp"
#include "cosched_exec/speed/progress.hpp"
#include "cosched_exec/supervise/end_signals.hpp"
#include "cosched_exec/supervise/keeper.hpp"
#include "cosched_exec/supervise/start.hpp"
#include "cosched_exec/task_file.hpp"

namespace cosched_exec {

namespace {

using Clock = std::chrono::steady_clock;

/// s; so long a busy process is measured, and so long one is waited for.
constexpr double kMeasured = 0.1, kPatience = 5;
/// Two busy processes, of which the second is no child of ours.
constexpr const char* kBusy = "while :; do :; done & while :; do :; done";

void wait(double seconds) { ::poll(nullptr, 0, static_cast<int>(seconds * 1000)); }

/// A shell that runs `text`; it and all below it are ended with us, at the latest.
class Patient {
 public:
  explicit Patient(const std::string& text, const StartOptions& options = {})
      : prepared_(prepare(shell_task(text, 1), options)) {}
  ~Patient() {
    prepared_.go.reset();
    core::end_descendants(0);
  }
  Patient(const Patient&) = delete;
  Patient& operator=(const Patient&) = delete;

  pid_t pid() const { return prepared_.pid; }
  void go() {
    if (let_go(prepared_) != 0) throw core::Error("cannot run /bin/sh");
  }
  /// All of its processes, when there are as many.
  std::vector<pid_t> processes(std::size_t expected) const {
    for (const auto begin = Clock::now();; wait(0.005)) {
      std::vector<pid_t> found = core::descendants();
      if (found.size() >= expected || seconds_since(begin) > kPatience) return found;
    }
  }
  /// Its output until it ends.
  std::string output() {
    std::string text;
    std::array<char, 4096> chunk{};
    for (const auto begin = Clock::now(); seconds_since(begin) < kPatience;) {
      pollfd ready{prepared_.out.get(), POLLIN, 0};
      ::poll(&ready, 1, 100);
      const ssize_t got = ::read(prepared_.out.get(), chunk.data(), chunk.size());
      if (got > 0) text.append(chunk.data(), static_cast<std::size_t>(got));
      if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return text;
    }
    return text;
  }

 private:
  Prepared prepared_;
};

/// What was found of one way: that it works, or why not and what would help.
struct Finding {
  bool works = false;
  std::string told;
};

Finding try_progress() {
  StartOptions options;
  options.terminal = true;
  Patient patient("echo step 1; echo step 2", options);
  patient.go();
  Progress progress({ProgressSpec::Kind::match, "step ([0-9]+)", ""}, "");
  progress.feed(patient.output());
  if (progress.value() == 2)
    return {true, "for tasks whose progress the task file tells (launchwise-formats(7))"};
  return {false, "the output of a program did not come through a terminal of ours"};
}

/// A program of ours that calls the OpenMP runtime; it is installed beside the probe.
std::string openmp_program() {
  const std::string probe = core::probe_path();
  return shell_text({probe.substr(0, probe.rfind('/') + 1) + "compute"});
}

Finding try_calls() {
  if (core::probe_path().empty())
    return {false,
            "the probe is not installed: it belongs into ../libexec/launchwise, as seen from "
            "the folder of this program"};
  core::CallProbe calls(core::CallProbe::Task::count);
  StartOptions options;
  options.environment = calls.environment();
  Patient patient(openmp_program() + " --size 2 --threads 2 --warmup 0", options);
  patient.go();
  const std::string told = patient.output();
  if (calls.total() > 0) return {true, "for programs that use MPI or OpenMP, unless static"};
  if (told.empty())
    return {false, "not tried, as the benchmark compute beside the probe does not run"};
  return {false, calls.loaded() ? "the probe counted no call of an OpenMP program"
                                : "the probe was not loaded into an OpenMP program"};
}

struct Counted {
  Finding ipc, ips;
};

Counted try_counters() {
  Patient patient(kBusy);
  Counters counters(kernel_perf(), patient.pid());
  patient.go();
  counters.read();
  wait(kMeasured);
  const Counters::Counts counts = counters.read();
  const std::string why = counters.missing().empty() ? "the counters of a busy process stand still"
                                                     : counters.missing();
  const auto finding = [&](bool works, const char* told) {
    return works ? Finding{true, told} : Finding{false, why};
  };
  return {finding(counts.instructions && counts.cycles, "instructions per cycle x CPU time"),
          finding(counts.instructions.has_value(), "instructions")};
}

Finding try_cpu_time() {
  Patient patient(kBusy);
  patient.go();
  const std::vector<pid_t> processes = patient.processes(2);
  ProcessTimes times;
  Reading before, after;
  times.read(processes, 0, Detail::totals, before);
  wait(kMeasured);
  times.read(processes, 0, Detail::totals, after);
  if (after.cpu > before.cpu) return {true, "for programs that do not spin"};
  return {false, "the CPU time of a busy process does not grow in /proc"};
}

/// Whether CPU time passes.
bool runs(const std::vector<pid_t>& processes) {
  ProcessTimes times;
  Reading before, after;
  times.read(processes, 0, Detail::totals, before);
  for (const auto begin = Clock::now(); seconds_since(begin) < kPatience; wait(0.01)) {
    times.read(processes, 0, Detail::totals, after);
    if (after.cpu > before.cpu) return true;
  }
  return false;
}

/// Pauses and resumes two busy processes.
Finding try_pausing(PauseMethod method, const std::string& group) {
  Patient patient(kBusy);
  if (!group.empty() && !move_into(group, patient.pid()))
    return {false, "cannot move a process into " + group};
  patient.go();
  patient.processes(2);
  Pauser pauser(method, group, [] { return core::descendants(); });
  const auto begin = Clock::now();
  const Pauser::Result paused = pauser.pause();
  const double took = seconds_since(begin);
  if (!paused.done || !paused.trouble.empty()) return {false, paused.trouble};
  if (!pauser.resume().done || !runs(core::descendants()))
    return {false, "two busy processes did not go on after a pause"};
  return {true, fmt::format("two busy processes stood still after {}", core::human_duration(took))};
}

Finding try_freezer(Groups& groups) {
  if (groups.method() == PauseMethod::none)
    return {false, groups.obstacle() +
                       "; where systemd serves users, they get groups of their own by: "
                       "systemd-run --user --scope -p Delegate=yes cosched_exec ..."};
  Finding finding = try_pausing(groups.method(), groups.make());
  if (finding.works) finding.told = fmt::format("{}: {}", name(groups.method()), finding.told);
  return finding;
}

Finding group_shares(const Groups& groups) {
  if (groups.equal_shares()) return {true, "each task gets the same weight"};
  return {false, groups.method() == PauseMethod::none
                     ? "there are no groups, see freezer"
                     : "the cpu controller cannot be switched on in our groups"};
}

Finding session_shares() {
  if (sessions_share_equally())
    return {true, "the kernel gives each task's session the same share"};
  return {false,
          "a task with more processes gets more: kernel.sched_autogroup_enabled is 0, or the "
          "job is in a control group with the cpu controller"};
}

class Printer {
 public:
  explicit Printer(std::ostream& out) : out_(out) {}
  void title(const char* text) { out_ << text << '\n'; }
  /// A sentence of several parts gets a line for each.
  void line(const char* what, const Finding& finding) {
    const char* verdict = finding.works ? "works" : "no";
    for (std::string_view left = finding.told; !left.empty(); what = verdict = "") {
      const auto end = left.find("; ");
      out_ << fmt::format("  {:<10}{:<7}{}\n", what, verdict, left.substr(0, end));
      left.remove_prefix(end == left.npos ? left.size() : end + 2);
    }
  }

 private:
  std::ostream& out_;
};

/// A way that breaks is one that does not work.
Finding attempt(const std::function<Finding()>& way) {
  try {
    return way();
  } catch (const core::Error& e) {
    return {false, e.what()};
  }
}

Counted attempt_counters() {
  try {
    return try_counters();
  } catch (const core::Error& e) {
    return {{false, e.what()}, {false, e.what()}};
  }
}

void examine(std::ostream& out, Groups& groups) {
  Printer printer(out);
  printer.title("Speed of a task (the first that works for it is taken)");
  printer.line("progress", attempt(try_progress));
  printer.line("calls", attempt(try_calls));
  const Counted counted = attempt_counters();
  printer.line("ips", counted.ips);
  printer.line("ipc", counted.ipc);
  printer.line("cputime", attempt(try_cpu_time));
  printer.title("Pausing (the first that works is taken)");
  printer.line("freezer", attempt([&] { return try_freezer(groups); }));
  printer.line("signal", attempt([] { return try_pausing(PauseMethod::signal, ""); }));
  printer.title("Equal shares of the processors for tasks with many and with few processes");
  printer.line("group", group_shares(groups));
  printer.line("session", session_shares());
}

int answer(std::ostream& out, Groups& groups) {
  examine(out, groups);
  try {
    core::check_written(out);  // here, as what is left of the answer is in this process
    return 0;
  } catch (const core::Error& e) {
    spdlog::error("{}", e.what());
    return static_cast<int>(e.status());
  }
}

/// They are blocked here, and we read none of them: one ends us, and the keeper all below us.
void end_by_signals() {
  const sigset_t signals = asking_signals();
  ::sigprocmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace

int doctor(std::ostream& out) {
  Groups groups(PauseWish::freezer);
  return keep(groups.folder(), [&](int) {
    end_by_signals();
    return answer(out, groups);
  });
}

}  // namespace cosched_exec
