// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/live/given.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/number.hpp"

namespace spare_plan::standby::live {
namespace {

[[noreturn]] void wrong(const std::string& sentence) {
  throw core::Error(sentence, core::ExitStatus::usage);
}

Queue queue_of(const std::optional<std::string>& word) {
  if (!word || *word == "startable") return Queue::startable;
  if (*word == "all") return Queue::all;
  wrong(fmt::format("--queue: {} is neither all nor startable", core::quoted(*word)));
}

}  // namespace

Rule rule_of(const Given& given) {
  if (!given.keep)
    wrong("--keep is missing: the nodes to keep on, as spare-plan standby HISTORY prints them");
  Rule rule;
  rule.keep = static_cast<std::uint32_t>(*given.keep);
  rule.queue = queue_of(given.queue);
  rule.boot = given.boot.value_or(rule.boot);
  rule.min_up = given.min_up.value_or(rule.min_up);
  rule.idle_timeout = given.idle_timeout.value_or(rule.idle_timeout);
  if (given.max_change) rule.max_change = static_cast<std::uint32_t>(*given.max_change);
  return rule;
}

}  // namespace spare_plan::standby::live
