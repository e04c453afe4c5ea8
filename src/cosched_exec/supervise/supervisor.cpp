// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/supervisor.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "core/descendants.hpp"
#include "core/error.hpp"
#include "core/process.hpp"
#include "cosched_exec/supervise/end_signals.hpp"
#include "cosched_exec/supervise/ending.hpp"
#include "cosched_exec/supervise/queued_log.hpp"
#include "cosched_exec/supervise/run_clock.hpp"
#include "cosched_exec/supervise/start.hpp"
#include "cosched_exec/supervise/steering.hpp"

namespace cosched_exec {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
/// Statuses of tasks that did not run, as shells have them.
constexpr int kCannotRun = 126, kNotFound = 127;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

bool same_file(int a, int b) {
  struct stat first {
  }, second{};
  return ::fstat(a, &first) == 0 && ::fstat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

/// Nothing of the tasks outlives the supervision.
struct EndAll {
  const Groups& groups;
  ~EndAll() {
    end_groups(groups.folder());
    core::end_descendants(0);
  }
};

class Supervision {
 public:
  Supervision(const std::vector<Task>& tasks, const Options& options, Groups& groups,
              Scheduler& scheduler, Journal& journal, int life)
      : tasks_(tasks),
        options_(options),
        journal_(journal),
        life_(life),
        signals_(receive_signals(asking_signals(), SIGCHLD)),
        out_(STDOUT_FILENO),
        err_(STDERR_FILENO),
        surroundings_{options,
                      groups,
                      {},
                      out_,
                      same_file(STDOUT_FILENO, STDERR_FILENO) ? out_ : err_,
                      core::allow_more_descriptors()},
        steering_(tasks, options.jobs.value_or(kLeastJobs), surroundings_, scheduler, journal,
                  started_, result_.outcomes,
                  {[this] { return now(); }, [this](TaskId task) { return start(task); }}) {
    result_.outcomes.resize(tasks.size());
  }

  Supervised run() {
    try {
      follow();
    } catch (const std::exception& e) {
      result_.failure = e.what();
      life_ = -1;  // where poll looks at nothing
      ending_.break_off(now());
      follow();
    }
    return finish();
  }

 private:
  double now() const { return clock_.now(); }
  Steering::Start start(TaskId task);
  Steering::Start cannot_start(TaskId task, const core::Error& why);
  void follow();
  bool finished() const;
  Supervised finish();
  void wait();
  void take_signals();
  void reap();
  void command_ended(RunningTask& task, int status);
  void ended(TaskId id, int status, double cpu);
  void lost_output(TaskId id, const std::string& why);
  void halt();
  void suspend();
  void pass_output();

  const std::vector<Task>& tasks_;
  const Options& options_;
  Journal& journal_;
  int life_;
  RunClock clock_;
  core::Fd signals_;
  OutputQueue out_, err_;
  Surroundings surroundings_;
  QueuedLog log_{surroundings_.err};
  RunningTasks started_;
  Supervised result_;
  Steering steering_;
  Ending ending_{started_, surroundings_.tree, steering_, result_.outcomes};
};

void Supervision::follow() {
  for (;;) {
    while (steering_.next() <= now()) steering_.act();
    ending_.act(now());
    pass_output();
    if (finished()) return;
    wait();
    take_signals();
  }
}

Steering::Start Supervision::cannot_start(TaskId id, const core::Error& why) {
  journal_.add(now(), TaskStarted{id});
  journal_.add(now(), Noted{id, why.what(), true});
  ended(id, W_EXITCODE(kCannotRun, 0), 0);
  return Steering::Start::ended;
}

Steering::Start Supervision::start(TaskId id) {
  Outcome& outcome = result_.outcomes[id];
  outcome.start = now();
  outcome.started_at = clock_.epoch_now();
  try {
    auto task = std::make_unique<RunningTask>(id, tasks_[id], surroundings_);
    started_.emplace(id, std::move(task));
  } catch (const NoRoom& e) {
    const bool others_run = std::ranges::any_of(
        started_, [](const auto& entry) { return !entry.second->has_command_ended(); });
    return others_run ? Steering::Start::later : cannot_start(id, e);
  } catch (const CannotOpen& e) {
    return cannot_start(id, e);
  }
  journal_.add(outcome.start, TaskStarted{id});
  RunningTask& running = *started_.at(id);
  if (running.failed() == 0) return Steering::Start::runs;
  command_ended(running, 0);
  return Steering::Start::ended;
}

bool Supervision::finished() const {
  if (ending_.has_given_up(now())) return true;
  return steering_.finished() && started_.empty() && out_.waiting() + err_.waiting() == 0;
}

Supervised Supervision::finish() {
  for (Outcome& outcome : result_.outcomes)
    if (outcome.lost_output && outcome.status == 0) outcome.status = kCannotRun;
  result_.interrupted = ending_.signal();
  result_.lost_output = out_.lost("standard output");
  if (result_.lost_output.empty()) result_.lost_output = err_.lost("standard error");
  return std::move(result_);
}

void Supervision::wait() {
  std::vector<pollfd> fds{{signals_.get(), POLLIN, 0}, {life_, POLLIN, 0}};
  for (OutputQueue* const queue : {&out_, &err_})
    if (queue->waiting() > 0) fds.push_back({queue->fd(), POLLOUT, 0});
  for (const auto& [id, task] : started_)
    for (const auto* const stream : {&task->output().out(), &task->output().err()})
      if (task->output().wants_more(*stream)) fds.push_back({stream->from.get(), POLLIN, 0});
  const double at = std::min(steering_.next(), ending_.next());
  const double left = std::max(0.0, at - now());
  timespec limit{};
  if (at != kNever) {
    limit.tv_sec = static_cast<time_t>(left);
    limit.tv_nsec = static_cast<long>((left - std::floor(left)) * 1e9);
  }
  ::ppoll(fds.data(), fds.size(), at == kNever ? nullptr : &limit, nullptr);
  if (fds[1].revents != 0)
    throw core::Error("the keeping process is gone, so all tasks were ended");
}

void Supervision::take_signals() {
  signalfd_siginfo info{};
  while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
    const int signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGCHLD)
      reap();
    else if (signal == SIGTSTP)
      suspend();
    else
      ending_.asked(signal, now());
  }
}

void Supervision::reap() {
  for (;;) {
    siginfo_t info{};
    if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return;
    const auto id = surroundings_.tree.task_of_ended(info.si_pid);
    int status = 0;
    rusage usage{};
    ::wait4(info.si_pid, &status, 0, &usage);
    surroundings_.tree.child_reaped();
    const auto task = id ? started_.find(*id) : started_.end();
    if (task == started_.end()) continue;
    task->second->add_ended(seconds(usage.ru_utime) + seconds(usage.ru_stime));
    if (info.si_pid == task->second->leader() && !task->second->has_command_ended())
      command_ended(*task->second, status);
  }
}

void Supervision::command_ended(RunningTask& task, int status) {
  task.command_ended(now());
  ending_.command_ended(now());
  if (const int error = task.failed(); error != 0) {
    journal_.add(now(), Noted{task.id(),
                              fmt::format("cannot run {}: {}", tasks_[task.id()].argv.front(),
                                          std::strerror(error)),
                              true});
    status = W_EXITCODE(error == ENOENT ? kNotFound : kCannotRun, 0);
  }
  ended(task.id(), status, task.ended_cpu());
}

void Supervision::ended(TaskId id, int status, double cpu) {
  Outcome& outcome = result_.outcomes[id];
  outcome.kind = Outcome::Kind::ended;
  outcome.end = now();
  outcome.ended_at = clock_.epoch_now();
  outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  outcome.status = outcome.signal != 0 ? 128 + outcome.signal : WEXITSTATUS(status);
  journal_.add(now(), TaskEnded{id, outcome.status, outcome.signal, cpu});
  steering_.ended(id);
  if (outcome.status != 0 && !ending_.begun()) halt();
}

void Supervision::lost_output(TaskId id, const std::string& why) {
  journal_.add(now(), Noted{id, why, true});
  result_.outcomes[id].lost_output = true;
}

void Supervision::halt() {
  if (options_.halt == Halt::soon) steering_.start_no_more();
  if (options_.halt == Halt::now) ending_.halt(now());
}

void Supervision::suspend() {
  steering_.pause_all();
  clock_.stand_still([] { ::raise(SIGSTOP); });
  steering_.resume_all();
}

void Supervision::pass_output() {
  for (auto task = started_.begin(); task != started_.end();) {
    TaskOutput& output = task->second->output();
    for (TaskOutput::Stream* const stream : {&output.out(), &output.err()})
      if (output.wants_more(*stream)) output.read_some(*stream, task->second->gone());
    result_.outcomes[task->first].sent = output.bytes();
    if (const std::string why = output.take_trouble(); !why.empty()) lost_output(task->first, why);
    const bool done = task->second->gone() && !output.open();
    if (done && task->second->failed() == 0)
      if (const std::string sentence = task->second->meter().unseen_progress(); !sentence.empty())
        journal_.add(now(), Noted{task->first, sentence, true});
    task = done ? started_.erase(task) : std::next(task);
  }
  out_.write_some();
  err_.write_some();
}

}  // namespace

Supervised supervise(const std::vector<Task>& tasks, const Options& options, Groups& groups,
                     Scheduler& scheduler, Journal& journal, int life) {
  core::adopt_orphans();
  ::signal(SIGPIPE, SIG_IGN);
  const EndAll end_all{groups};
  return Supervision(tasks, options, groups, scheduler, journal, life).run();
}

}  // namespace cosched_exec
