// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/keeper.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/descendants.hpp"
#include "core/error.hpp"
#include "core/process.hpp"

namespace benchrun {

namespace {

constexpr double kGraceSeconds = 2;

core::Fd hostfile_in_memory(const std::string& text) {
  if (text.empty()) return core::Fd();
  const core::Fd low(::memfd_create("hosts", MFD_CLOEXEC));
  core::Fd file(::fcntl(low.get(), F_DUPFD_CLOEXEC, kHostfileFd + 1));
  if (!file) throw core::Error(fmt::format("cannot make a hostfile: {}", std::strerror(errno)));
  core::write_all(file.get(), text, "the hostfile in memory");
  return file;
}

[[noreturn]] void run_program(const CommandLine& line, pid_t keeper) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != keeper) ::_exit(1);
  core::SpawnOptions options;
  options.environment = line.environment;
  try {
    core::become(line.argv, options);
  } catch (const core::Error& e) {
    const std::string sentence = std::string(e.what()) + "\n";
    [[maybe_unused]] const ssize_t told = ::write(STDERR_FILENO, sentence.data(), sentence.size());
  }
  ::_exit(127);
}

/// Only 0, 1, 2, the hostfile and the life line stay open: a keeper that held other keepers' life
/// lines would keep them alive.
int arrange_descriptors(int out, int err, int hostfile, int life) {
  const int null = ::open("/dev/null", O_RDONLY);
  ::dup2(null, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  if (hostfile >= 0)
    ::dup2(hostfile, kHostfileFd);
  else
    ::close(kHostfileFd);
  const int own_life = kHostfileFd + 1;
  ::dup2(life, own_life);
  ::fcntl(own_life, F_SETFD, FD_CLOEXEC);
  ::syscall(SYS_close_range, static_cast<unsigned>(own_life + 1), ~0U, 0U);
  return own_life;
}

void close_streams() {
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, stream);
  ::close(kHostfileFd);
}

/// Exit status of the program if it ends within the time (< 0: any time) and before the life line
/// ends.
std::optional<int> wait_for_program(pid_t program, int pidfd, int life, int milliseconds) {
  std::array<pollfd, 2> ready{{{pidfd, POLLIN, 0}, {life, POLLIN, 0}}};
  int events = 0;
  do events = ::poll(ready.data(), ready.size(), milliseconds);
  while (events < 0 && errno == EINTR);
  int status = 0;
  if (ready[0].revents == 0 || ::waitpid(program, &status, 0) != program) return std::nullopt;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

[[noreturn]] void keep(const CommandLine& line, int life) {
  ::setsid();
  core::adopt_orphans();
  ::prctl(PR_SET_NAME, "launch-keeper");
  const pid_t self = ::getpid();
  const pid_t program = ::fork();
  if (program == 0) run_program(line, self);
  close_streams();
  if (program < 0) ::_exit(126);
  const core::Fd pidfd = core::open_pidfd(program);
  std::optional<int> status = wait_for_program(program, pidfd.get(), life, -1);
  if (!status) {
    // The launcher itself knows best how to end what it started elsewhere.
    ::kill(program, SIGTERM);
    ::kill(program, SIGCONT);
    status = wait_for_program(program, pidfd.get(), -1, static_cast<int>(kGraceSeconds * 1000));
  }
  core::end_descendants(0);
  ::_exit(status.value_or(128 + SIGKILL));
}

}  // namespace

Kept Kept::start(const CommandLine& line) {
  const core::Fd hostfile = hostfile_in_memory(line.hostfile);
  // Above the descriptors that the program gets.
  constexpr int kLeast = kHostfileFd + 1;
  core::Pipe out = core::make_pipe(kLeast), err = core::make_pipe(kLeast),
             life = core::make_pipe(kLeast);
  Kept kept;
  kept.pid_ = ::fork();
  if (kept.pid_ < 0)
    throw core::Error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (kept.pid_ == 0)
    keep(line,
         arrange_descriptors(out.write.get(), err.write.get(), hostfile.get(), life.read.get()));
  kept.pidfd_ = core::open_pidfd(kept.pid_);
  kept.out_ = std::move(out.read);
  kept.err_ = std::move(err.read);
  kept.life_ = std::move(life.write);
  for (const int stream : {kept.out(), kept.err()}) ::fcntl(stream, F_SETFL, O_NONBLOCK);
  return kept;
}

void Kept::widen_out() {
  constexpr int kBytes = 1 << 20;  // what anybody may have
  ::fcntl(out(), F_SETPIPE_SZ, kBytes);
}

Kept::Kept(Kept&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::move(other.pidfd_)),
      out_(std::move(other.out_)),
      err_(std::move(other.err_)),
      life_(std::move(other.life_)),
      status_(other.status_) {}

Kept::~Kept() {
  if (pid_ < 0 || status_) return;
  ask_to_end();
  collect();
}

int Kept::collect() {
  int status = 0;
  pid_t ended = 0;
  do ended = ::waitpid(pid_, &status, 0);
  while (ended < 0 && errno == EINTR);
  status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return *status_;
}

}  // namespace benchrun
