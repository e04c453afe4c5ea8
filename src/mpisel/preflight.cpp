// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/preflight.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "core/error.hpp"
#include "core/process.hpp"

namespace mpisel {
namespace {

namespace fs = std::filesystem;

/// 0, or the error that execve would have.
int obstacle(const std::string& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0) return errno;
  if (!S_ISREG(info.st_mode)) return EACCES;
  return ::access(file.c_str(), X_OK) == 0 ? 0 : errno;
}

/// As execvp: a file that may not be run does not end the search, but is what is told.
int obstacle_in(const std::string& program, std::string_view search_path) {
  int told = ENOENT;
  for (const std::string& file : core::places_in_path(program, search_path)) {
    const int error = obstacle(file);
    if (error == 0) return 0;
    if (error == EACCES) told = error;
  }
  return told;
}

/// Whether the path stands for an open descriptor, whatever that leads to. Links of the folder
/// count: /dev/fd is one.
bool names_descriptor(const fs::path& path) {
  std::error_code ignored;
  const fs::path parent = path.parent_path();
  const fs::path folder = fs::canonical(parent.empty() ? "." : parent, ignored);
  const std::string name = path.filename().string();
  if (folder == "/dev") return name.starts_with("std");
  return folder.filename() == "fd" && folder.string().starts_with("/proc/");
}

bool leads_to_descriptor(fs::path path) {
  constexpr int kMostLinks = 40;  // as in the kernel
  for (int links = 0; links < kMostLinks; ++links) {
    if (names_descriptor(path)) return true;
    std::error_code error;
    const fs::path target = fs::read_symlink(path, error);
    if (error) return false;
    path = path.parent_path() / target;
  }
  return false;
}

}  // namespace

void check_runnable(const std::string& program, const std::string& search_path) {
  const bool is_path = program.find('/') != program.npos;
  const int error = is_path ? obstacle(program) : obstacle_in(program, search_path);
  if (error != 0)
    throw core::Error(fmt::format("cannot run {}: {}", program, std::strerror(error)),
                      core::ExitStatus::unmet);
}

void check_kept_file(const std::string& path) {
  struct stat info {};
  const bool other = ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
  if (other || leads_to_descriptor(path))
    throw core::Error(
        fmt::format("-o {}: before -- LAUNCHER it must be a regular file or not there yet", path),
        core::ExitStatus::usage);
}

}  // namespace mpisel
