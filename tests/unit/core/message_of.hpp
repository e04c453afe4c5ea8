// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "core/error.hpp"

/// What the Error that `action` throws says, or "no error".
template <typename Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const core::Error& error) {
    return error.what();
  }
  return "no error";
}
