// SPDX-License-Identifier: BSD-3-Clause
#include "core/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <random>
#include <streambuf>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "core/number.hpp"

namespace core {

namespace {

/// A stream buffer over a descriptor; remembers errno of the first write that failed.
class FdBuffer : public std::streambuf {
 public:
  explicit FdBuffer(int fd) : fd_(fd), buffer_(1 << 16) {
    setp(buffer_.data(), buffer_.data() + buffer_.size());
  }
  int error() const { return error_; }

 protected:
  int overflow(int c) override {
    if (sync() != 0) return traits_type::eof();
    if (c != traits_type::eof()) {
      *pptr() = static_cast<char>(c);
      pbump(1);
    }
    return traits_type::not_eof(c);
  }
  int sync() override {
    const char* from = pbase();
    while (error_ == 0 && from < pptr()) {
      const ssize_t put = ::write(fd_, from, static_cast<std::size_t>(pptr() - from));
      if (put >= 0)
        from += put;
      else if (errno != EINTR)
        error_ = errno;
    }
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return error_ == 0 ? 0 : -1;
  }

 private:
  int fd_;
  int error_ = 0;
  std::vector<char> buffer_;
};

/// The file that a path leads to, symbolic links followed once and for all; the path itself where
/// nothing is there yet.
std::string resolve(const std::string& path) {
  char* const real = ::realpath(path.c_str(), nullptr);
  if (real != nullptr) {
    std::string target(real);
    std::free(real);
    return target;
  }
  std::vector<char> link(4096);
  const ssize_t length = ::readlink(path.c_str(), link.data(), link.size() - 1);
  if (length <= 0) return path;
  std::string target(link.data(), static_cast<std::size_t>(length));  // a dangling link
  const std::size_t slash = path.rfind('/');
  if (target.front() != '/' && slash != std::string::npos)
    target.insert(0, path.substr(0, slash + 1));
  return target;
}

/// The number N of /dev/fd/N and its other names; -1 for any other path.
int descriptor_of(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view prefix : {"/dev/fd/", "/proc/self/fd/"})
    if (path.starts_with(prefix))
      return static_cast<int>(
          parse_count(std::string_view(path).substr(prefix.size()), 1 << 20).value_or(1 << 20));
  return -1;
}

bool is_special(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

[[noreturn]] void fail(const std::string& path, int error) {
  throw Error(fmt::format("cannot write {}: {}", path, std::strerror(error)));
}

/// A new file beside the target. The mode is the target's, or what the umask leaves of 0666.
std::pair<Fd, std::string> open_beside(const std::string& target, const std::string& path) {
  struct stat info {};
  const bool exists = ::stat(target.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) fail(path, EISDIR);
  if (exists && ::access(target.c_str(), W_OK) != 0) fail(path, errno);
  std::random_device random;
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string name = fmt::format("{}.{:08x}.tmp", target, random());
    Fd fd(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (!fd && errno == EEXIST) continue;
    if (!fd) fail(path, errno);
    if (exists && ::fchmod(fd.get(), info.st_mode & 07777) != 0) fail(path, errno);
    return {std::move(fd), std::move(name)};
  }
  fail(path, EEXIST);
}

}  // namespace

struct OutputFile::State {
  std::string path;       ///< as given, for messages
  std::string target;     ///< empty: written in place
  std::string temporary;  ///< empty: written in place, or already renamed
  Fd fd;
  std::optional<FdBuffer> buffer;
  std::ostream stream{nullptr};

  explicit State(const std::string& given) : path(given) {
    if (path.empty() || path == "-") {
      path = "standard output";
      attach(STDOUT_FILENO);
      return;
    }
    if (const int given_fd = descriptor_of(path); given_fd >= 0) {
      fd = Fd(::fcntl(given_fd, F_DUPFD_CLOEXEC, 3));
      if (!fd) fail(path, errno);
    } else if (is_special(path)) {
      fd = Fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
      if (!fd) fail(path, errno);
    } else {
      target = resolve(path);
      std::tie(fd, temporary) = open_beside(target, path);
    }
    attach(fd.get());
  }
  ~State() { discard(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void attach(int descriptor) {
    buffer.emplace(descriptor);
    stream.rdbuf(&*buffer);
  }
  void discard() {
    if (!temporary.empty()) ::unlink(temporary.c_str());
    temporary.clear();
  }
  void flush() {
    if (!stream.flush()) fail(path, buffer->error() != 0 ? buffer->error() : EIO);
  }
};

OutputFile::OutputFile(const std::string& path) : state_(std::make_unique<State>(path)) {}
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile::~OutputFile() = default;

std::ostream& OutputFile::stream() { return state_->stream; }

void OutputFile::commit() {
  state_->flush();
  if (state_->temporary.empty()) return;
  if (::rename(state_->temporary.c_str(), state_->target.c_str()) != 0) fail(state_->path, errno);
  state_->temporary.clear();
}

std::string OutputFile::keep_partial() {
  state_->stream.flush();
  if (state_->temporary.empty()) return "";
  const std::string kept = state_->target + ".partial";
  if (::rename(state_->temporary.c_str(), kept.c_str()) != 0) return "";
  state_->temporary.clear();
  return state_->path + ".partial";
}

void OutputFile::discard() { state_->discard(); }

void write_output(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.stream() << text;
  file.commit();
}

}  // namespace core
