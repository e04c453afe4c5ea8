// SPDX-License-Identifier: BSD-3-Clause
#include "core/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "core/error.hpp"

extern char** environ;

namespace core {

namespace {

std::vector<std::string> changed_environment(const SpawnOptions& options) {
  std::vector<std::string> result;
  char** const inherited = options.empty_environment ? nullptr : environ;
  for (char** entry = inherited; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    const bool replaced = std::any_of(options.environment.begin(), options.environment.end(),
                                      [&](const auto& change) { return change.first == name; });
    if (!replaced) result.emplace_back(text);
  }
  for (const auto& [name, value] : options.environment)
    if (value) result.push_back(name + "=" + *value);
  return result;
}

/// Default dispositions and an empty mask: what a program expects at its start. A disposition of
/// "ignored" that we did not set ourselves (nohup) stays.
void reset_signals() {
  for (const int signal : {SIGPIPE, SIGCHLD, SIGTTOU, SIGALRM}) {
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    ::sigaction(signal, &action, nullptr);
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// What the forked child needs, all prepared before the fork: only async-signal-safe calls follow.
struct Prepared {
  int in = -1, out = -1, err = -1;  ///< -1: inherited
  bool own_group = false;
  bool pass_descriptors = false;
  int death_signal = 0;
  pid_t parent = 0;
  int failure = -1;  ///< close-on-exec pipe: errno of a failed exec
  char* const* argv = nullptr;
  char* const* envp = nullptr;
};

[[noreturn]] void run_child(const Prepared& prepared) {
  if (prepared.own_group) ::setpgid(0, 0);
  if (prepared.death_signal != 0) {
    ::prctl(PR_SET_PDEATHSIG, prepared.death_signal);
    if (::getppid() != prepared.parent) ::_exit(127);  // the parent died before the prctl
  }
  if (prepared.in >= 0) ::dup2(prepared.in, STDIN_FILENO);
  if (prepared.out >= 0) ::dup2(prepared.out, STDOUT_FILENO);
  if (prepared.err >= 0) ::dup2(prepared.err, STDERR_FILENO);
  if (!prepared.pass_descriptors) ::syscall(SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */);
  reset_signals();
  environ = const_cast<char**>(prepared.envp);
  ::execvp(prepared.argv[0], prepared.argv);
  const int error = errno;
  [[maybe_unused]] const ssize_t told = ::write(prepared.failure, &error, sizeof error);
  ::_exit(127);
}

[[noreturn]] void fail_to_run(const std::string& program, int error) {
  throw Error(fmt::format("cannot run {}: {}", program, std::strerror(error)));
}

}  // namespace

Fd open_pidfd(pid_t pid) { return Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))); }

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> list;
  for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
}

int read_exec_failure(int pipe) {
  int error = 0;
  ssize_t got = 0;
  do got = ::read(pipe, &error, sizeof error);
  while (got < 0 && errno == EINTR);
  return got == sizeof error ? error : 0;
}

std::vector<std::string> places_in_path(const std::string& program, std::string_view search_path) {
  std::vector<std::string> places;
  for (;;) {
    const std::size_t colon = search_path.find(':');
    const std::string_view folder = search_path.substr(0, colon);
    places.push_back(fmt::format("{}/{}", folder.empty() ? "." : folder, program));
    if (colon == search_path.npos) return places;
    search_path.remove_prefix(colon + 1);
  }
}

std::optional<rlimit> allow_more_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::nullopt;
  const rlimit before = limit;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  return before;
}

Pipe make_pipe(int least) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw Error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  Pipe made{Fd(::fcntl(ends[0], F_DUPFD_CLOEXEC, least)),
            Fd(::fcntl(ends[1], F_DUPFD_CLOEXEC, least))};
  ::close(ends[0]);
  ::close(ends[1]);
  if (!made.read || !made.write) throw Error("cannot make a pipe: too many open files");
  return made;
}

Child spawn(const std::vector<std::string>& argv, const SpawnOptions& options) {
  const std::vector<std::string> environment = changed_environment(options);
  const std::vector<char*> argv_pointers = pointers(argv);
  const std::vector<char*> envp = pointers(environment);
  const Fd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const Fd null_high(::fcntl(null.get(), F_DUPFD_CLOEXEC, 3));
  if (!null_high) throw Error(fmt::format("cannot open /dev/null: {}", std::strerror(errno)));
  const Fd stderr_copy(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3));
  Pipe failure = make_pipe(), out, err;
  const auto target = [&](Stream stream, Pipe& pipe) {
    if (stream == Stream::pipe) pipe = make_pipe();
    return stream == Stream::null        ? null_high.get()
           : stream == Stream::pipe      ? pipe.write.get()
           : stream == Stream::to_stderr ? (stderr_copy ? stderr_copy.get() : null_high.get())
                                         : -1;
  };
  Prepared prepared;
  prepared.in = options.in == Stream::null ? null_high.get() : -1;
  prepared.out = target(options.out, out);
  prepared.err = target(options.err, err);
  prepared.own_group = options.own_group;
  prepared.pass_descriptors = options.pass_descriptors;
  prepared.death_signal = options.death_signal;
  prepared.parent = ::getpid();
  prepared.failure = failure.write.get();
  prepared.argv = argv_pointers.data();
  prepared.envp = envp.data();

  const pid_t pid = ::fork();
  if (pid < 0) fail_to_run(argv.front(), errno);
  if (pid == 0) run_child(prepared);
  Child child;
  child.pid = pid;
  child.pidfd = open_pidfd(pid);
  if (options.own_group) ::setpgid(pid, pid);  // both sides: neither has to wait for the other
  failure.write.reset();
  if (const int error = read_exec_failure(failure.read.get()); error != 0) {
    ::waitpid(pid, nullptr, 0);
    fail_to_run(argv.front(), error);
  }
  child.out = std::move(out.read);
  child.err = std::move(err.read);
  return child;
}

int wait_for(Child& child) {
  int status = 0;
  pid_t ended = 0;
  do ended = ::waitpid(child.pid, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended < 0) return 127;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

namespace {

using Clock = std::chrono::steady_clock;
using Deadline = std::chrono::time_point<Clock, std::chrono::duration<double>>;

bool readable_before(int descriptor, Deadline deadline) {
  constexpr double kLongestPoll = 1e6;  // ms; poll() takes no more than an int holds
  for (;;) {
    const std::chrono::duration<double, std::milli> left = deadline - Clock::now();
    pollfd ready{descriptor, POLLIN, 0};
    const double poll_ms = std::clamp(left.count(), 0.0, kLongestPoll);
    const int polled = ::poll(&ready, 1, static_cast<int>(poll_ms));
    if (polled > 0) return true;
    if (polled < 0 && errno != EINTR) return false;
    if (polled == 0 && left.count() <= kLongestPoll) return false;
  }
}

}  // namespace

Captured capture(const std::vector<std::string>& argv, double timeout_seconds,
                 std::size_t most_bytes, SpawnOptions options) {
  options.out = Stream::pipe;
  options.own_group = true;
  options.death_signal = SIGKILL;
  Child child = spawn(argv, options);
  const Deadline deadline = Clock::now() + std::chrono::duration<double>(timeout_seconds);
  Captured captured;
  bool late = false;
  for (std::array<char, 1 << 14> chunk{}; captured.out.size() < most_bytes;) {
    late = !readable_before(child.out.get(), deadline);
    if (late) break;
    const ssize_t got = ::read(child.out.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    captured.out.append(chunk.data(), static_cast<std::size_t>(got));
  }
  const bool too_much = captured.out.size() >= most_bytes;
  if (!late && !too_much && child.pidfd)  // it may have closed its output and go on
    late = !readable_before(child.pidfd.get(), deadline);
  if (late || too_much) ::kill(-child.pid, SIGKILL);
  captured.status = wait_for(child);
  return captured;
}

Captured capture(const std::vector<std::string>& argv, double timeout_seconds,
                 std::size_t most_bytes, Stream err) {
  SpawnOptions options;
  options.err = err;
  return capture(argv, timeout_seconds, most_bytes, options);
}

void become(const std::vector<std::string>& argv, const SpawnOptions& options) {
  const std::vector<std::string> environment = changed_environment(options);
  const std::vector<char*> argv_pointers = pointers(argv);
  std::vector<char*> envp = pointers(environment);
  reset_signals();
  environ = envp.data();
  ::execvp(argv_pointers[0], argv_pointers.data());
  fail_to_run(argv.front(), errno);
}

}  // namespace core
