// SPDX-License-Identifier: BSD-3-Clause
#include "core/fd.hpp"
#include "core/times.hpp"

namespace core {

std::vector<TimesBlock> read_times_file(const std::string& path) {
  return read_times(read_file(path), path == "-" ? "standard input" : path);
}

}  // namespace core
