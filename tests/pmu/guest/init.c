// SPDX-License-Identifier: BSD-3-Clause
// First process of the emulated machine: prepares a minimal system, runs the one command that
// /etc/command names, sends its output and its exit status as frames over the serial line, and
// switches the machine off.
//
// A frame is a line "@machine KIND N" and, for the kinds out and err, N bytes. The kinds: out and
// err (output of the command), exit (N is its status as a shell reports it), note (a message of
// this program follows on the line).
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int console = 1;

static void put(const void* data, size_t size) {
  const char* at = data;
  while (size > 0) {
    const ssize_t done = write(console, at, size);
    if (done < 0 && errno != EINTR && errno != EAGAIN) return;
    if (done > 0) at += done, size -= (size_t)done;
  }
}

static void frame(const char* kind, const void* data, size_t size) {
  char head[64];
  put(head, (size_t)snprintf(head, sizeof head, "@machine %s %zu\n", kind, size));
  put(data, size);
}

static void note(const char* what) {
  char line[256];
  snprintf(line, sizeof line - 1, "@machine note %s: %s", what, strerror(errno));
  strcat(line, "\n");
  put(line, strlen(line));
}

static void finish(int status) {
  char line[64];
  put(line, (size_t)snprintf(line, sizeof line, "@machine exit %d\n", status));
  tcdrain(console);
  reboot(RB_POWER_OFF);
  for (;;) pause();
}

static void open_console(void) {
  const int fd = open("/dev/console", O_RDWR | O_NOCTTY | O_CLOEXEC);
  struct termios line;
  if (fd >= 0) console = fd;
  if (tcgetattr(console, &line) != 0) return;
  cfmakeraw(&line);
  line.c_cflag |= CLOCAL;
  tcsetattr(console, TCSANOW, &line);
}

static void mount_at(const char* type, const char* where, const char* options) {
  mkdir(where, 0755);
  if (mount(type, where, type, 0, options) != 0 && errno != EBUSY) note(where);
}

static void raise_loopback(void) {
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  struct ifreq request = {0};
  strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request) != 0) note("lo");
  close(fd);
}

static void prepare_system(void) {
  mount_at("devtmpfs", "/dev", 0);
  open_console();
  mount_at("proc", "/proc", 0);
  mount_at("sysfs", "/sys", 0);
  mount_at("tmpfs", "/tmp", "mode=1777");
  mount_at("tmpfs", "/dev/shm", "mode=1777");
  mount_at("devpts", "/dev/pts", 0);
  mount_at("cgroup2", "/sys/fs/cgroup", 0);
  if (symlink("/proc/self/fd", "/dev/fd") != 0) note("/dev/fd");
  if (sethostname("machine", 7) != 0) note("host name");
  raise_loopback();
}

// Strings, each ended by a zero byte: the user's number, then the words of the command.
static char** read_command(uid_t* uid) {
  static char text[1 << 16];
  static char* words[1024];
  const int fd = open("/etc/command", O_RDONLY | O_CLOEXEC);
  const ssize_t size = read(fd, text, sizeof text - 1);
  int count = 0;
  for (ssize_t at = 0; at < size && count < 1023; at += (ssize_t)strlen(text + at) + 1)
    words[count++] = text + at;
  close(fd);
  if (count < 2) return NULL;
  *uid = (uid_t)strtoul(words[0], NULL, 10);
  return words + 1;
}

static void become(char** argv, uid_t uid, int out, int err) {
  setsid();
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(null, 0);
  dup2(out, 1);
  dup2(err, 2);
  setenv("PATH", "/work/bin:/work:/bin:/sbin:/usr/bin:/usr/sbin", 1);
  setenv("HOME", "/tmp", 1);
  if (chdir("/work") != 0 || (uid != 0 && (setgroups(0, 0) || setgid(uid) || setuid(uid)))) {
    perror("machine");
    _exit(125);
  }
  execvp(argv[0], argv);
  const int error = errno;
  perror(argv[0]);
  _exit(error == ENOENT ? 127 : 126);
}

// Sends on what has come; 0 when there is nothing more, now or at all.
static int forward(struct pollfd* from, const char* kind) {
  static char data[16384];
  const ssize_t got = read(from->fd, data, sizeof data);
  if (got > 0) frame(kind, data, (size_t)got);
  if (got == 0) from->fd = -1;
  return got > 0;
}

// Reaps all that has ended; the status of `pid` as a shell reports it, or -1.
static int reap(int signals, pid_t pid) {
  struct signalfd_siginfo info;
  int status, result = -1;
  while (read(signals, &info, sizeof info) == sizeof info) {
  }
  for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;)
    if (ended == pid) result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

// Until the command has ended; what it leaves running does not keep the machine up.
static int attend(int signals, pid_t pid, int out, int err) {
  struct pollfd ready[] = {{signals, POLLIN, 0}, {out, POLLIN, 0}, {err, POLLIN, 0}};
  int status = -1;
  while (status < 0) {
    if (poll(ready, 3, -1) < 0) continue;
    if (ready[0].revents) status = reap(signals, pid);
    if (ready[1].revents) forward(&ready[1], "out");
    if (ready[2].revents) forward(&ready[2], "err");
  }
  while (forward(&ready[1], "out")) {
  }
  while (forward(&ready[2], "err")) {
  }
  return status;
}

int main(void) {
  prepare_system();
  uid_t uid = 0;
  char** const argv = read_command(&uid);
  sigset_t child, before;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, &before);
  const int signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  int out[2], err[2];
  if (argv == NULL || signals < 0 || pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) {
    note("setup");
    finish(125);
  }
  const pid_t pid = fork();
  if (pid == 0) {
    sigprocmask(SIG_SETMASK, &before, NULL);
    become(argv, uid, out[1], err[1]);
  }
  if (pid < 0) {
    note("fork");
    finish(125);
  }
  close(out[1]);
  close(err[1]);
  fcntl(out[0], F_SETFL, O_NONBLOCK);
  fcntl(err[0], F_SETFL, O_NONBLOCK);
  finish(attend(signals, pid, out[0], err[0]));
}
