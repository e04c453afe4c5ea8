// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>

namespace core {

/// Exit statuses of the contract (spare-plan, benchrun, mpisel): answered; no answer; wrong
/// command line or missing parameter; a condition the user set cannot be met (mpisel: too few
/// hosts, benchrun --strict: a host is not ok).
enum class ExitStatus : int { success = 0, failure = 1, usage = 2, unmet = 3 };

/// Something outside the program is wrong: an input, a file, a child, the machine, the command
/// line. what() is a full sentence for the user, without "error:" and without a trailing period.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& sentence, ExitStatus status = ExitStatus::failure)
      : std::runtime_error(sentence), status_(status) {}
  ExitStatus status() const noexcept { return status_; }

 private:
  ExitStatus status_;
};

}  // namespace core
