// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/apply/ledger_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"

namespace spare_plan::standby::apply {
namespace {

using live::Deed;
using live::Ledger;

constexpr std::size_t kLargest = std::size_t{1} << 20;

[[noreturn]] void fail(const char* what, const std::string& path) {
  throw core::Error(fmt::format("cannot {} {}: {}; --ledger names another place", what, path,
                                std::strerror(errno)));
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == path.npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

core::Fd opened(const std::string& path, int flags) {
  core::Fd fd(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (!fd) fail("open", path);
  return fd;
}

/// So that a new name in it outlives a power loss.
void sync_folder(const std::string& path) {
  const auto folder = opened(folder_of(path), O_RDONLY | O_DIRECTORY);
  ::fsync(folder.get());
}

}  // namespace

LedgerFile::LedgerFile(std::string path, double recent) : path_(std::move(path)) {
  const auto folder = folder_of(path_);
  if (::mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) fail("make", folder);
  lock();
  open();
  if (ledger_.whole_bytes() > kLargest) rewrite(recent);
}

void LedgerFile::lock() {
  const auto name = path_ + ".lock";
  lock_ = opened(name, O_RDWR | O_CREAT);
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0) return;
  if (errno != EWOULDBLOCK) fail("lock", name);
  throw core::Error(
      fmt::format("another spare-plan standby apply is at work ({} is locked)", name));
}

void LedgerFile::open() {
  file_ = opened(path_, O_RDWR | O_CREAT | O_APPEND);
  const auto text = core::read_all(file_.get(), path_);
  ledger_ = Ledger(text, path_);
  if (ledger_.whole_bytes() < text.size() &&
      ::ftruncate(file_.get(), static_cast<off_t>(ledger_.whole_bytes())) != 0)
    fail("cut", path_);
  if (ledger_.whole_bytes() > 0) return;
  append(std::string(live::kLedgerTitle));
  sync_folder(path_);
}

void LedgerFile::rewrite(double recent) {
  const auto name = path_ + ".new";
  core::Fd fresh = opened(name, O_RDWR | O_CREAT | O_TRUNC | O_APPEND);
  core::write_all(fresh.get(), ledger_.text_since(recent), name);
  if (::fsync(fresh.get()) != 0) fail("write", name);
  if (::rename(name.c_str(), path_.c_str()) != 0) fail("rename", name);
  sync_folder(path_);
  file_ = std::move(fresh);
}

void LedgerFile::append(const std::string& text) {
  core::write_all(file_.get(), text, path_);
  if (::fdatasync(file_.get()) != 0) fail("write", path_);
}

void LedgerFile::note(double time, Deed deed, const std::vector<std::string>& nodes) {
  if (nodes.empty()) return;
  std::string lines;
  for (const auto& node : nodes) lines += live::ledger_line(time, deed, node);
  append(lines);
  for (const auto& node : nodes) ledger_.note(time, deed, node);
}

void LedgerFile::note_keep(double time, std::uint32_t nodes) {
  append(live::ledger_line(time, nodes));
  ledger_.note_keep(time, nodes);
}

}  // namespace spare_plan::standby::apply
