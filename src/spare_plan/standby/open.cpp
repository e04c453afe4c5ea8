// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/open.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "spare_plan/standby/formats/formats.hpp"
#include "spare_plan/standby/tell.hpp"

namespace spare_plan::standby {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& why) {
  throw core::Error(fmt::format("cannot read {}: {}", name, why));
}

/// A file through zlib, which hands on what is not compressed as it is.
class GzipFile {
 public:
  GzipFile(const std::string& path, std::string name) : name_(std::move(name)) {
    core::Fd opened(path == "-" ? ::dup(STDIN_FILENO)
                                : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!opened) fail(name_, std::strerror(errno));
    file_.reset(::gzdopen(opened.get(), "r"));
    if (!file_) fail(name_, "out of memory");
    opened.release();
  }

  std::string_view more() {
    errno = 0;
    const int got = ::gzread(file_.get(), piece_.data(), static_cast<unsigned>(piece_.size()));
    int code = Z_OK;
    const char* const text = ::gzerror(file_.get(), &code);
    if (code == Z_ERRNO) fail(name_, std::strerror(errno));
    if (code == Z_BUF_ERROR) fail(name_, "the compressed file ends too early");
    if (got < 0 || code != Z_OK) fail(name_, std::string("damaged compressed file, ") + text);
    return std::string_view(piece_).substr(0, static_cast<std::size_t>(got));
  }

 private:
  struct Close {
    void operator()(gzFile file) const { ::gzclose(file); }
  };
  std::string name_;
  std::unique_ptr<gzFile_s, Close> file_;
  std::string piece_ = std::string(std::size_t{1} << 18, '\0');
};

}  // namespace

JobHistory open_history(const std::string& path, const Reading& reading,
                        const std::optional<std::string>& format) {
  const std::string name = path == "-" ? "standard input" : path;
  GzipFile file(path, name);
  Bytes bytes([&file] { return file.more(); });
  return read_history(bytes, name, reading, format);
}

JobHistory history_of(const Given& given) {
  auto history = open_history(given.history, reading_of(given), given.format);
  require_jobs(history);
  for (const auto& text : history_text(history))
    spdlog::log(text.usual ? spdlog::level::info : spdlog::level::warn, "{}", text.sentence);
  return history;
}

}  // namespace spare_plan::standby
