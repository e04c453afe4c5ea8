// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/views/journal.hpp"

namespace cosched_exec {

void Journal::add(double time, decltype(Event::what) what) {
  Event event{time, std::move(what)};
  if (listener_) listener_(event);
  if (keep_) events_.push_back(std::move(event));
}

}  // namespace cosched_exec
