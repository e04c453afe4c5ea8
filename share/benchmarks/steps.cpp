// SPDX-License-Identifier: BSD-3-Clause
#include "steps.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <optional>

#include "arguments.hpp"
#include "core/call_probe.hpp"
#include "core/descendants.hpp"
#include "core/error.hpp"
#include "core/number.hpp"
#include "core/process.hpp"

namespace benchmarks {

namespace {

using core::RecordKind;

core::Fd end_signals;
pid_t launcher_process = 0;

extern "C" void on_alarm(int) { ::kill(0, SIGKILL); }

/// The kernel also sends the death signal when only the thread of the launcher ended that had
/// started us.
bool spurious(const signalfd_siginfo& info) {
  return info.ssi_pid == 0 && ::getppid() == launcher_process;
}

bool told_to_end() {
  signalfd_siginfo info{};
  while (::read(end_signals.get(), &info, sizeof info) == sizeof info)
    if (!spurious(info)) return true;
  return false;
}

std::string how_it_ended(int status) {
  if (status > 128 && status < 128 + NSIG)
    return fmt::format("was ended by signal {} ({})", status - 128, ::strsignal(status - 128));
  return fmt::format("ended with status {}", status);
}

/// A running step: its process, what it printed, and what was sent.
class Running {
 public:
  Running(const Step& step, const RankOptions& options, const std::string& folder, const Send& send)
      : step_(step), options_(options), send_(send) {
    core::SpawnOptions spawn;
    spawn.pass_descriptors = true;  // MPICH's launcher talks to its ranks through one
    spawn.death_signal = SIGKILL;
    std::vector<std::string> argv = step.argv;
    if (step.kind == Step::Kind::bench) {
      argv.front() = folder + "/" + argv.front();
      argv.insert(argv.end(), {"--threads", fmt::to_string(options.threads)});
      // Waiting threads sleep: spinning ones would use up a host's share of a processor.
      spawn.environment = {{"OMP_WAIT_POLICY", "passive"}, {"OMP_NUM_THREADS", std::nullopt}};
      spawn.out = core::Stream::pipe;
    } else {
      spawn.out = core::Stream::to_stderr;
      probe_.emplace(core::CallProbe::Task::time);
      for (const auto& [name, value] : probe_->environment())
        spawn.environment.emplace_back(name, value);
    }
    start_ = now();
    child_ = core::spawn(argv, spawn);
  }

  void to_the_end() {
    while (!done_ && (!ended_ || child_.out)) {
      wait();
    }
    if (is_alone()) send_({.kind = RecordKind::alone, .mpi = probe_->world().mpi});
    if (step_.kind == Step::Kind::command && status_ == 0) send_time({0, now_at_end_ - start_});
    if (status_ != 0)
      fail(why_.empty() ? step_.argv.front() + " " + how_it_ended(status_) : why_);
    else if (failed_)
      fail(step_.argv.front() + " printed something else than times");
  }

 private:
  /// Whether the command initialised an MPI that knows nothing of the other ranks. Told at the end:
  /// a script may run several programs.
  bool is_alone() const {
    return probe_ && options_.size.value_or(0) > 1 && probe_->world().ranks == 1;
  }

  void wait() {
    std::array<pollfd, 3> ready{{{end_signals.get(), POLLIN, 0},
                                 {ended_ ? -1 : child_.pidfd.get(), POLLIN, 0},
                                 {child_.out.get(), POLLIN, 0}}};
    const int events = ::poll(ready.data(), ready.size(), static_cast<int>(options_.alive * 1000));
    if (events == 0) send_({.kind = RecordKind::alive});
    if (events <= 0) return;
    if (ready[0].revents != 0 && told_to_end()) be_cut();
    if (ready[2].revents != 0) read();
    if (ready[1].revents != 0) {
      now_at_end_ = now();
      if (probe_) split_ = probe_->split();
      status_ = core::wait_for(child_);
      ended_ = true;
      core::end_descendants(0);  // what it left behind
    }
  }

  /// The launcher ends its ranks, of which one may have failed or called MPI_Abort.
  [[noreturn]] void be_cut() {
    if (probe_) send_({.kind = RecordKind::cut, .bench = step_.first, .split = probe_->split()});
    end_everything();
  }

  void read() {
    std::array<char, 4096> chunk{};
    const ssize_t got = ::read(child_.out.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) return;
    if (got <= 0) return child_.out.reset();
    printed_.append(chunk.data(), static_cast<std::size_t>(got));
    for (std::size_t end = 0; (end = printed_.find('\n')) != std::string::npos;) {
      line(printed_.substr(0, end));
      printed_.erase(0, end + 1);
    }
  }

  /// `warm SECONDS`, `time RUN SECONDS ok|wrong [PEER PART]`, `done`, `fail SENTENCE`.
  void line(const std::string& text) {
    if (text == "done") {
      done_ = true;
      return;
    }
    if (text.starts_with("fail ")) {
      why_ = text.substr(5);
      return;
    }
    std::array<std::array<char, 32>, 6> words{};
    const int count =
        std::sscanf(text.c_str(), "%31s %31s %31s %31s %31s %31s", words[0].data(), words[1].data(),
                    words[2].data(), words[3].data(), words[4].data(), words[5].data());
    const std::string_view kind(words[0].data());
    if (count == 2 && kind == "warm") {
      if (const auto seconds = core::parse_number(words[1].data())) return send_warm(*seconds);
    } else if ((count == 4 || count == 6) && kind == "time") {
      const auto run = number(words[1].data()), peer = number(words[4].data()),
                 part = number(words[5].data());
      const auto seconds = core::parse_number(words[2].data());
      const bool right = std::strcmp(words[3].data(), "ok") == 0;
      if (run && seconds && (count == 4 || (peer && part)))
        return send_time({*run, *seconds, right, peer, part.value_or(0)});
    }
    failed_ = true;
  }

  static std::optional<std::uint32_t> number(const char* text) {
    const auto number = core::parse_count(text, UINT32_MAX);
    if (!number) return std::nullopt;
    return static_cast<std::uint32_t>(*number);
  }

  void send_warm(double seconds) {
    const double needed = std::min(1e6, core::kBudgetPerWarmUp * seconds + 30);
    if (needed > options_.deadline) extend_life(static_cast<unsigned>(std::ceil(needed)));
    send_({.kind = RecordKind::warm, .bench = step_.first, .seconds = seconds});
  }

  struct Time {
    std::uint32_t run = 0;
    double seconds = 0;
    bool right = true;
    std::optional<std::uint32_t> peer = {};
    std::uint32_t part = 0;
  };
  void send_time(const Time& time) {
    send_({.kind = RecordKind::time,
           .bench = step_.first + time.part,
           .run = time.run,
           .seconds = time.seconds,
           .status = time.right ? core::RowStatus::ok : core::RowStatus::wrong,
           .split = split_,
           .peer = time.peer});
  }

  void fail(const std::string& reason) {
    send_({.kind = RecordKind::fail,
           .bench = step_.first,
           .status = core::RowStatus::failed,
           .split = split_,
           .reason = reason});
  }

  const Step& step_;
  const RankOptions& options_;
  const Send& send_;
  core::Child child_;
  std::optional<core::CallProbe> probe_;  ///< of a command
  core::Split split_;
  double start_ = 0, now_at_end_ = 0;
  int status_ = 0;
  bool ended_ = false, done_ = false, failed_ = false;
  std::string printed_, why_;
};

}  // namespace

void tie_to_launcher(unsigned seconds) {
  launcher_process = ::getppid();
  ::setpgid(0, 0);
  core::adopt_orphans();
  ::signal(SIGPIPE, SIG_IGN);
  struct sigaction action {};
  action.sa_handler = on_alarm;
  ::sigaction(SIGALRM, &action, nullptr);
  extend_life(seconds);
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&signals, signal);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  end_signals = core::Fd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != launcher_process) end_everything();
}

void extend_life(unsigned seconds) { ::alarm(seconds); }

void end_everything() {
  for (const pid_t pid : core::descendants()) ::kill(pid, SIGKILL);
  if (::getpgrp() == ::getpid()) ::kill(0, SIGKILL);
  ::_exit(1);
}

void run_step(const Step& step, const RankOptions& options, const std::string& folder,
              const Send& send) {
  try {
    Running(step, options, folder, send).to_the_end();
  } catch (const core::Error& e) {
    send({.kind = RecordKind::fail,
          .bench = step.first,
          .status = core::RowStatus::failed,
          .reason = e.what()});
  }
}

void await_children() {
  while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
}

}  // namespace benchmarks
