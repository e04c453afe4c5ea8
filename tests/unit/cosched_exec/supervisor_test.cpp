// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/supervisor.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <functional>
#include <new>
#include <optional>
#include <set>
#include <string_view>

#include "core/fd.hpp"
#include "core/process.hpp"
#include "cosched_exec/supervise/keeper.hpp"

namespace {

/// Zero, for a test and all processes that it forks.
std::atomic<long>* shared_number() {
  void* const place = ::mmap(nullptr, sizeof(std::atomic<long>), PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return new (place) std::atomic<long>(0);
}

/// The system clock is set back by an hour at each look.
bool realtime_falls = false;
/// The steady clock is ahead by so many seconds, in all processes of the test.
std::atomic<long>* const ahead = shared_number();
/// Whether execs of /no/such/program hang, as on a file system that does not answer.
std::atomic<long>* const hangs = shared_number();

}  // namespace

/// In place of the C library's, for all of this program.
extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  static long hours = 0;
  const auto status = static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
  if (clock == CLOCK_MONOTONIC && ahead != nullptr) time->tv_sec += *ahead;
  if (clock == CLOCK_REALTIME && realtime_falls) time->tv_sec -= 3600 * ++hours;
  return status;
}

extern "C" int execvp(const char* file, char* const argv[]) noexcept {
  while (std::string_view(file) == "/no/such/program" && *hangs > 0) ::usleep(1000);
  return ::execvpe(file, argv, environ);
}

namespace {

using namespace cosched_exec;

Task shell(const std::string& name, const std::string& text) {
  Task task;
  task.name = name;
  task.argv = {"/bin/sh", "-c", text};
  return task;
}

/// What a supervised run wrote, and what it came to.
struct Ran {
  std::string out, err;
  int failures = 0;  ///< of the checks made in its process
};

/// Runs the tasks in a process of its own, where `check` counts what is wrong. `life`: in place of
/// the keeper's. `meanwhile` is done here.
Ran run(const std::vector<Task>& tasks, const Options& options,
        const std::function<int(const Supervised&, const Journal&)>& check,
        const Journal::Listener& listener = {}, std::optional<int> life = {},
        const std::function<void(pid_t keeper)>& meanwhile = {}) {
  core::Pipe out = core::make_pipe(), err = core::make_pipe();
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(out.write.get(), STDOUT_FILENO);
    ::dup2(err.write.get(), STDERR_FILENO);
    ::_exit(keep("", [&](int keepers_life) {
      Groups groups(PauseWish::signal);
      SchedulerOptions wanted;
      wanted.strategy = options.strategy;
      wanted.interval = options.interval;
      wanted.first_moments = 0.05;
      wanted.processors = 1;
      Scheduler scheduler(wanted);
      Journal journal;
      journal.listen(listener);
      return check(
          supervise(tasks, options, groups, scheduler, journal, life.value_or(keepers_life)),
          journal);
    }));
  }
  out.write.reset();
  err.write.reset();
  if (meanwhile) meanwhile(child);
  Ran ran;
  ran.out = core::read_all(out.read.get(), "out");
  ran.err = core::read_all(err.read.get(), "err");
  int status = 0;
  ::waitpid(child, &status, 0);
  ran.failures = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ran;
}

std::multiset<std::string> lines(const std::string& text) {
  std::multiset<std::string> found;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    found.insert(text.substr(begin, end - begin));
  if (begin < text.size()) found.insert(text.substr(begin) + "(no end)");
  return found;
}

TEST(Supervise, TellsHowEachTaskEnded) {
  Task missing = shell("d", "");
  missing.argv = {"/no/such/program"};
  const Ran ran =
      run({shell("a", "exit 0"), shell("b", "exit 9"), shell("c", "kill -KILL $$"), missing},
          Options{}, [](const Supervised& supervised, const Journal&) {
            const auto& all = supervised.outcomes;
            int wrong = supervised.interrupted != 0;
            for (const Outcome& each : all) wrong += each.kind != Outcome::Kind::ended;
            wrong += all[0].status != 0 || all[0].signal != 0;
            wrong += all[1].status != 9 || all[1].signal != 0;
            wrong += all[2].status != 137 || all[2].signal != 9;
            wrong += all[3].status != 127;
            wrong += all[0].start > all[0].end || all[0].started_at < 1e9;
            return wrong;
          });
  EXPECT_EQ(ran.failures, 0);
}

TEST(Supervise, TakesDurationsFromTheSteadyClock) {
  realtime_falls = true;
  const Ran ran =
      run({shell("a", "exit 0")}, Options{}, [](const Supervised& supervised, const Journal&) {
        const Outcome& outcome = supervised.outcomes[0];
        return outcome.started_at > 1e9 && outcome.ended_at >= outcome.started_at ? 0 : 1;
      });
  realtime_falls = false;
  EXPECT_EQ(ran.failures, 0);
}

TEST(Supervise, DoesNotCountTimeInWhichTheRunWasSuspended) {
  // Suspended as soon as the task has started, it goes on an hour later by all clocks.
  const std::string go = testing::TempDir() + "supervisor_test.go." + std::to_string(::getpid());
  const auto suspend = [](const Event& event) {
    if (std::holds_alternative<TaskStarted>(event.what)) ::kill(::getppid(), SIGTSTP);
  };
  const auto an_hour_later = [&](pid_t keeper) {
    ::waitpid(keeper, nullptr, WUNTRACED);
    *ahead += 3600;
    std::ofstream{go};
    ::kill(keeper, SIGCONT);
  };
  const Ran ran = run(
      {shell("a", "until [ -e " + go + " ]; do sleep 0.01; done")}, Options{},
      [](const Supervised& supervised, const Journal& journal) {
        const Outcome& outcome = supervised.outcomes[0];
        int wrong = outcome.status != 0;
        wrong += outcome.end - outcome.start > 1800;
        wrong += outcome.ended_at - outcome.started_at < 3600;
        for (const Event& event : journal.events()) wrong += event.time > 1800;
        return wrong;
      },
      suspend, {}, an_hour_later);
  *ahead = 0;
  std::remove(go.c_str());
  EXPECT_EQ(ran.failures, 0);
}

TEST(Supervise, PrefixesLinesAndKeepsTheStreamsApart) {
  const Ran ran = run({shell("a", "echo one; echo two >&2; printf rest"), shell("b", "echo one")},
                      Options{}, [](const Supervised& supervised, const Journal&) {
                        return supervised.outcomes[0].sent == 4 + 4 + 4 ? 0 : 1;
                      });
  EXPECT_EQ(ran.failures, 0);
  EXPECT_EQ(lines(ran.out), (std::multiset<std::string>{"a: one", "a: rest", "b: one"}));
  EXPECT_EQ(lines(ran.err), (std::multiset<std::string>{"a: two"}));
}

TEST(Supervise, TearsNoLinesOfManyWriters) {
  const std::string text =
      "i=0; while [ $i -lt 2000 ]; do echo abcdefghijklmnopqrstuvwxyz; i=$((i+1)); done";
  std::vector<Task> tasks;
  for (const char* const name : {"a", "b", "c", "d"}) tasks.push_back(shell(name, text));
  Options options;
  options.strategy = Strategy::par;
  const Ran ran = run(tasks, options, [](const Supervised&, const Journal&) { return 0; });
  const auto got = lines(ran.out);
  EXPECT_EQ(got.size(), 8000U);
  for (const char* const name : {"a", "b", "c", "d"})
    EXPECT_EQ(got.count(std::string(name) + ": abcdefghijklmnopqrstuvwxyz"), 2000U);
}

TEST(Supervise, StartsNoMoreAfterAFailureThatHaltsSoon) {
  Options options;
  options.strategy = Strategy::seq;
  options.jobs = 1;
  options.halt = Halt::soon;
  const Ran ran = run({shell("a", "exit 1"), shell("b", "echo never")}, options,
                      [](const Supervised& supervised, const Journal&) {
                        return supervised.outcomes[1].kind == Outcome::Kind::not_run ? 0 : 1;
                      });
  EXPECT_EQ(ran.failures, 0);
  EXPECT_EQ(ran.out, "");
}

TEST(Supervise, TellsWhatIsKnownAfterAFailureOfOurOwn) {
  // The second task runs when the keeper seems to be gone: the listener writes for it.
  core::Pipe life = core::make_pipe();
  Options options;
  options.strategy = Strategy::seq;
  options.jobs = 1;
  const auto listen = [&](const Event& event) {
    const auto* const started = std::get_if<TaskStarted>(&event.what);
    if (started != nullptr && started->task == 1) [[maybe_unused]]
      const ssize_t done = ::write(life.write.get(), "", 1);
  };
  const Ran ran = run(
      {shell("a", "exit 3"), shell("b", "exec sleep 600"), shell("c", "echo never")}, options,
      [](const Supervised& supervised, const Journal&) {
        const auto& all = supervised.outcomes;
        int wrong = supervised.failure.find("the keeping process is gone") == std::string::npos;
        wrong += all[0].kind != Outcome::Kind::ended || all[0].status != 3 || all[0].ended_by_us;
        wrong += all[1].kind != Outcome::Kind::ended || all[1].signal == 0 || !all[1].ended_by_us;
        wrong += all[1].start < all[0].end || all[1].end < all[1].start;
        wrong += all[2].kind != Outcome::Kind::not_run;
        return wrong;
      },
      listen, life.read.get());
  EXPECT_EQ(ran.failures, 0);
  EXPECT_EQ(ran.out, "");
}

TEST(Supervise, DoesNotWaitForAnExecThatHangs) {
  // It goes on, and fails, when another task has run to its end meanwhile.
  *hangs = 1;
  Options options;
  options.strategy = Strategy::par;
  const auto other_has_ended = [](const Event& event) {
    const auto* const ended = std::get_if<TaskEnded>(&event.what);
    if (ended != nullptr && ended->task == 1) *hangs = 0;
  };
  Task missing = shell("a", "");
  missing.argv = {"/no/such/program"};
  const Ran ran = run(
      {missing, shell("b", "echo done")}, options,
      [](const Supervised& supervised, const Journal& journal) {
        int told = 0;
        for (const Event& event : journal.events())
          if (const auto* const noted = std::get_if<Noted>(&event.what))
            told += noted->sentence == "cannot run /no/such/program: No such file or directory";
        return (supervised.outcomes[0].status != 127) + (supervised.outcomes[1].status != 0) +
               (told != 1);
      },
      other_has_ended);
  EXPECT_EQ(ran.failures, 0);
  EXPECT_EQ(ran.out, "b: done\n");
}

TEST(Supervise, RunsAtMostAsManyTasksAsWanted) {
  Options options;
  options.strategy = Strategy::par;
  options.jobs = 2;
  const std::vector<Task> tasks(6, shell("a", "sleep 0.05"));
  const Ran ran = run(tasks, options, [](const Supervised&, const Journal& journal) {
    int now = 0, most = 0, ended = 0;
    for (const Event& event : journal.events()) {
      if (std::holds_alternative<TaskStarted>(event.what)) most = std::max(most, ++now);
      if (std::holds_alternative<TaskEnded>(event.what)) --now, ++ended;
    }
    return most == 2 && now == 0 && ended == 6 ? 0 : 1;
  });
  EXPECT_EQ(ran.failures, 0);
}

TEST(Supervise, PausesTasksInTurnAndTellsAllOfIt) {
  // pf first runs each task alone to know its speed (they are not like tasks, as their threads
  // differ), so the first one is paused for the second.
  // They end at the first decision after that, at most after 20 s.
  const std::string stop = testing::TempDir() + "supervisor_test." + std::to_string(::getpid());
  const std::string busy = "until [ -e " + stop + " ]; do :; done";
  Options options;
  options.strategy = Strategy::pf;
  options.interval = 0.2;
  Task other = shell("b", busy);
  other.threads = 2;
  std::set<TaskId> alone;
  const auto listen = [&](const Event& event) {
    const auto* const decided = std::get_if<Decided>(&event.what);
    if (decided == nullptr) return;
    if (alone.size() == 2 || event.time > 20) std::ofstream{stop};
    if (decided->decision.run.size() == 1) alone.insert(decided->decision.run.front());
  };
  const Ran ran = run(
      {shell("a", busy), other}, options,
      [&](const Supervised& supervised, const Journal& journal) {
        int wrong = alone.size() != 2, paused = 0;
        double last = 0;
        for (const Event& event : journal.events()) {
          wrong += event.time < last;
          last = event.time;
        }
        for (const Outcome& each : supervised.outcomes) {
          wrong += each.status != 0;
          paused += each.paused_by == PauseMethod::signal;
        }
        return wrong + (paused > 0 ? 0 : 1);
      },
      listen);
  std::remove(stop.c_str());
  EXPECT_EQ(ran.failures, 0);
}

TEST(Supervise, PausesAgainWhatOthersLetGoOn) {
  // Three unlike tasks, so that in turn at least one stays paused. Each decision is told before it
  // is followed: then all of them get SIGCONT.
  const std::string stop = testing::TempDir() + "supervisor_test.on." + std::to_string(::getpid());
  const auto busy = [&](const std::string& name) {
    return "echo $$ >" + stop + name + "; until [ -e " + stop + " ]; do :; done";
  };
  Options options;
  options.strategy = Strategy::pf;
  options.interval = 0.1;
  Task other = shell("b", busy("b"));
  other.threads = 2;
  Task third = shell("c", busy("c"));
  third.threads = 3;
  bool noticed = false;
  const auto listen = [&](const Event& event) {
    if (const auto* const noted = std::get_if<Noted>(&event.what))
      noticed = noticed || noted->sentence.find("had let it go on") != std::string::npos;
    if (noticed || event.time > 60) std::ofstream{stop};
    if (!std::holds_alternative<Decided>(event.what)) return;
    for (const char* const name : {"a", "b", "c"}) {
      pid_t process = 0;
      if (std::ifstream(stop + name) >> process) ::kill(process, SIGCONT);
    }
  };
  const Ran ran = run(
      {shell("a", busy("a")), other, third}, options,
      [&](const Supervised& supervised, const Journal&) {
        int wrong = noticed ? 0 : 1;
        for (const Outcome& each : supervised.outcomes) wrong += each.status != 0;
        return wrong;
      },
      listen);
  for (const char* const name : {"", "a", "b", "c"}) std::remove((stop + name).c_str());
  EXPECT_EQ(ran.failures, 0);
}

}  // namespace
