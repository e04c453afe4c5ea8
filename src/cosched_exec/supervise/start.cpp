// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/start.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "core/error.hpp"
#include "core/process.hpp"
#include "cosched_exec/supervise/terminal.hpp"

extern char** environ;

namespace cosched_exec {

namespace {

using Variables = std::vector<std::pair<std::string, std::string>>;

/// A later setting of a variable replaces an earlier one.
std::vector<std::string> full_environment(const Variables& task, const Variables& ours) {
  Variables all;
  const auto set = [&](std::string_view name, std::string_view value) {
    const auto known = std::find_if(all.begin(), all.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    if (known == all.end())
      all.emplace_back(name, value);
    else
      known->second = value;
  };
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (const std::size_t equals = text.find('='); equals != std::string_view::npos)
      set(text.substr(0, equals), text.substr(equals + 1));
  }
  for (const auto& [name, value] : task) set(name, value);
  for (const auto& [name, value] : ours) set(name, value);
  std::vector<std::string> words;
  for (const auto& [name, value] : all) words.push_back(fmt::format("{}={}", name, value));
  return words;
}

core::Fd open_high(const std::string& path, int flags) {
  const core::Fd low(::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, 0666));
  core::Fd high(low ? ::fcntl(low.get(), F_DUPFD_CLOEXEC, 3) : -1);
  if (high) return high;
  const std::string sentence =
      fmt::format("cannot open {}: {}", path,
                  errno == ENXIO ? "no program reads from this FIFO" : std::strerror(errno));
  if (errno == EMFILE || errno == ENFILE) throw NoRoom(sentence);
  throw core::Error(sentence);
}

/// Opened without waiting for the reader of a FIFO, but as programs expect it.
core::Fd open_for_writing(const std::string& path) {
  core::Fd high = open_high(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NONBLOCK);
  ::fcntl(high.get(), F_SETFL, O_APPEND);
  return high;
}

core::Fd open_output(const Task& task, const std::string& file) {
  try {
    return open_for_writing(seen_from(task, file));
  } catch (const NoRoom&) {
    throw;
  } catch (const core::Error& e) {
    throw CannotOpen(e.what());
  }
}

core::Fd copy(const core::Fd& fd) { return core::Fd(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 3)); }

/// How long an exec is waited for; one from a file system that does not answer never ends.
constexpr int kExecMilliseconds = 500;

/// What a start needs for a moment, and counters and streams of a task for longer.
constexpr int kRoom = 24;

void check_room(const core::Fd& any) {
  std::vector<core::Fd> taken;
  for (int i = 0; i < kRoom; ++i) {
    taken.push_back(copy(any));
    if (!taken.back())
      throw NoRoom(fmt::format("cannot start one more task: {}", std::strerror(errno)));
  }
}

/// The ends that the child gets; ours go to `prepared`.
struct Streams {
  core::Fd in, out, err;
};

core::Fd piped(core::Fd& ours) {
  core::Pipe pipe = core::make_pipe();
  ours = std::move(pipe.read);
  return std::move(pipe.write);
}

Streams open_streams(const Task& task, bool terminal, Prepared& prepared) {
  Streams streams;
  streams.in = open_high("/dev/null", O_RDONLY);
  check_room(streams.in);
  core::Fd file = task.out_file.empty() ? core::Fd() : open_output(task, task.out_file);
  if (task.err_file.empty())
    streams.err = piped(prepared.err);
  else
    streams.err = task.err_file == task.out_file ? copy(file) : open_output(task, task.err_file);
  if (terminal) {
    Terminal made = open_terminal();
    prepared.out = std::move(made.ours);
    streams.out = std::move(made.program);
    prepared.out_file = std::move(file);
  } else {
    streams.out = file ? std::move(file) : piped(prepared.out);
  }
  for (const core::Fd* const fd : {&prepared.out, &prepared.err})
    if (*fd) ::fcntl(fd->get(), F_SETFL, O_NONBLOCK);
  return streams;
}

/// What the forked child needs, all made before the fork: only async-signal-safe calls follow.
struct Plan {
  int in = -1, out = -1, err = -1, go = -1, failure = -1;
  const char* directory = nullptr;
  std::optional<rlimit> descriptors;
  bool bound = false;
  cpu_set_t cores{};
  char* const* argv = nullptr;
  char** envp = nullptr;
};

void default_signals() {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &action, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void run_child(const Plan& plan) {
  ::setsid();
  ::dup2(plan.in, STDIN_FILENO);
  ::dup2(plan.out, STDOUT_FILENO);
  ::dup2(plan.err, STDERR_FILENO);
  ::syscall(SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */);
  if (plan.bound) ::sched_setaffinity(0, sizeof plan.cores, &plan.cores);
  if (plan.descriptors) ::setrlimit(RLIMIT_NOFILE, &*plan.descriptors);
  default_signals();
  char byte = 0;
  if (::read(plan.go, &byte, 1) != 1) ::_exit(127);
  environ = plan.envp;
  if (*plan.directory == '\0' || ::chdir(plan.directory) == 0) ::execvp(plan.argv[0], plan.argv);
  const int error = errno;
  [[maybe_unused]] const ssize_t told = ::write(plan.failure, &error, sizeof error);
  ::_exit(127);
}

void bind(Plan& plan, const std::vector<unsigned>& cores) {
  CPU_ZERO(&plan.cores);
  for (const unsigned core : cores) CPU_SET(core, &plan.cores);
  plan.bound = !cores.empty();
}

}  // namespace

Prepared prepare(const Task& task, const StartOptions& options) {
  const std::vector<std::string> environment =
      full_environment(task.environment, options.environment);
  const std::vector<char*> argv = core::pointers(task.argv);
  std::vector<char*> envp = core::pointers(environment);
  Prepared prepared;
  const Streams streams = open_streams(task, options.terminal, prepared);
  core::Pipe go = core::make_pipe(), failure = core::make_pipe();
  Plan plan;
  plan.in = streams.in.get();
  plan.out = streams.out.get();
  plan.err = streams.err.get();
  plan.go = go.read.get();
  plan.failure = failure.write.get();
  plan.descriptors = options.descriptors;
  plan.directory = task.directory.c_str();
  bind(plan, options.cores);
  plan.argv = argv.data();
  plan.envp = envp.data();
  prepared.pid = ::fork();
  if (prepared.pid < 0)
    throw NoRoom(
        fmt::format("cannot start a process for task {}: {}", task.name, std::strerror(errno)));
  if (prepared.pid == 0) {
    go.write.reset();  // or it would wait for itself when we are gone
    run_child(plan);
  }
  prepared.go = std::move(go.write);
  prepared.failure = std::move(failure.read);
  return prepared;
}

int let_go(Prepared& prepared) {
  const char byte = 0;
  [[maybe_unused]] const ssize_t told = ::write(prepared.go.get(), &byte, 1);
  prepared.go.reset();
  pollfd known{prepared.failure.get(), POLLIN, 0};
  if (::poll(&known, 1, kExecMilliseconds) == 0) return 0;
  const int error = core::read_exec_failure(prepared.failure.get());
  prepared.failure.reset();
  if (error != 0) ::waitpid(prepared.pid, nullptr, 0);
  return error;
}

}  // namespace cosched_exec
