// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/memory_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"
#include "core/fd.hpp"

namespace mpisel {
namespace {

/// Launchers are often shell scripts, which use the first descriptors by number ("exec 3>&1") and
/// ten upwards for themselves.
constexpr int kOutOfTheWay = 64;

}  // namespace

std::string keep_in_memory(std::string_view text) {
  core::Fd file(::memfd_create("hostfile", MFD_CLOEXEC));
  if (!file)
    throw core::Error(
        fmt::format("cannot make a hostfile in memory: {}; use -o FILE", std::strerror(errno)));
  core::write_all(file.get(), text, "the hostfile in memory");
  core::Fd inherited(::fcntl(file.get(), F_DUPFD, kOutOfTheWay));
  if (!inherited) inherited = core::Fd(::fcntl(file.get(), F_DUPFD, 3));
  if (!inherited)
    throw core::Error(fmt::format("cannot pass the hostfile on: {}", std::strerror(errno)));
  return fmt::format("/proc/self/fd/{}", inherited.release());
}

}  // namespace mpisel
