// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/views/journal.hpp"

namespace cosched_exec {

void Journal::add(double time, decltype(Event::what) what) {
  events_.push_back({time, std::move(what)});
  if (listener_) listener_(events_.back());
}

}  // namespace cosched_exec
