// SPDX-License-Identifier: BSD-3-Clause
// Slurm's words for the state of a node (slurm.conf(5), sinfo(1) NODE STATE CODES), 22.05 to 24.11.
#include <fmt/format.h>

#include <algorithm>

#include "core/number.hpp"
#include "spare_plan/standby/live/parts.hpp"

namespace spare_plan::standby::live {
namespace {

using Words = std::set<std::string>;

bool has_any(const Words& words, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](const char* name) { return words.contains(name); });
}

/// Held by a person, a reservation or a fault, whatever its power.
const char* const kHolding[] = {"DRAIN",
                                "DRAINED",
                                "DRAINING",
                                "FAIL",
                                "FAILING",
                                "MAINT",
                                "MAINTENANCE",
                                "RES",
                                "RESERVED",
                                "FUTURE",
                                "REBOOT",
                                "REBOOT_ISSUED",
                                "REBOOT_REQUESTED",
                                "BLOCKED",
                                "ERROR",
                                "UNKNOWN",
                                "PERFCTRS",
                                "INVAL",
                                "INVALID_REG",
                                "POWER_DRAIN"};

/// Words that say nothing against using the node, or are looked at one by one.
bool is_known(const std::string& word) {
  static const Words known = {"IDLE",           "ALLOCATED",  "MIXED",         "COMPLETING",
                              "COMP",           "PLANNED",    "DOWN",          "NOT_RESPONDING",
                              "POWERED_DOWN",   "POWER_DOWN", "POWERING_DOWN", "POWERING_UP",
                              "POWER_UP",       "POWERED_UP", "CLOUD",         "DYNAMIC_NORM",
                              "DYNAMIC_FUTURE", "ALLOC",      "MIX",           "EXTERNAL"};
  return known.contains(word);
}

std::optional<std::string> holding_word(const Words& words) {
  for (const char* word : kHolding)
    if (words.contains(word)) return word;
  for (const auto& word : words)
    if (!is_known(word)) return word;
  return std::nullopt;
}

std::string lower(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return word;
}

NodeState state_of(const Words& words) {
  if (has_any(words, {"ALLOCATED", "ALLOC", "MIXED", "MIX", "COMPLETING", "COMP"}))
    return NodeState::busy;
  if (has_any(words, {"POWERING_DOWN", "POWER_DOWN"})) return NodeState::stopping;
  if (has_any(words, {"POWERING_UP", "POWER_UP"})) return NodeState::booting;
  if (words.contains("POWERED_DOWN")) return NodeState::off;
  if (has_any(words, {"DOWN", "NOT_RESPONDING"})) return NodeState::down;
  if (words.contains("PLANNED")) return NodeState::planned;
  return words.contains("IDLE") ? NodeState::idle : NodeState::held;
}

}  // namespace

void set_slurm_state(Node& node, const Words& words) {
  const auto holding = holding_word(words);
  node.state = state_of(words);
  if (node.state == NodeState::busy) return;
  if (holding) {
    node.state = NodeState::held;
    node.why = lower(*holding);
  } else if (node.state == NodeState::off && words.contains("DOWN")) {
    node.state = NodeState::held;  // by a person, or by Slurm since it did not come up
    node.why = "down, off";
  } else if (node.state == NodeState::off && words.contains("PLANNED")) {
    node.state = NodeState::held;  // the scheduler itself wakes it
    node.why = "off, planned";
  } else if (node.state == NodeState::down) {
    node.why = words.contains("DOWN") ? "down" : "does not respond";
  } else if (node.state == NodeState::held) {
    node.why = "of no known state";
  }
}

bool waits_for_nodes(std::string_view reason) {
  return reason == "Resources" || reason == "Priority" || reason == "None";
}

Words slurm_words(std::string_view compact) {
  struct Suffix {
    char sign;
    const char* word;
  };
  static constexpr Suffix kSuffixes[] = {
      {'*', "NOT_RESPONDING"},   {'~', "POWERED_DOWN"},  {'#', "POWERING_UP"},
      {'!', "POWER_DOWN"},       {'%', "POWERING_DOWN"}, {'$', "MAINTENANCE"},
      {'@', "REBOOT_REQUESTED"}, {'^', "REBOOT_ISSUED"}, {'-', "PLANNED"}};
  Words words;
  for (; !compact.empty(); compact.remove_suffix(1)) {
    const auto* const suffix =
        std::ranges::find(kSuffixes, compact.back(), [](const Suffix& one) { return one.sign; });
    if (suffix == std::end(kSuffixes)) break;
    words.insert(suffix->word);
  }
  const auto word = capitals(std::string(compact));
  words.insert(word);
  if (word == "PLANNED") words.insert("IDLE");
  return words;
}

std::uint32_t job_nodes(const JsonValue& job, const char* key) {
  return static_cast<std::uint32_t>(
      std::clamp(job.number(key).value_or(1), 0.0, double{kMostJobNodes}));
}

std::uint32_t array_tasks(std::string_view text) {
  std::uint64_t tasks = 0;
  const auto percent = text.find('%');
  const auto at_once = percent == text.npos
                           ? std::nullopt
                           : core::parse_count(text.substr(percent + 1), kMostJobNodes);
  text = text.substr(0, percent);
  while (!text.empty()) {
    const auto comma = text.find(',');
    const auto item = text.substr(0, comma);
    text.remove_prefix(comma == text.npos ? text.size() : comma + 1);
    const auto dash = item.find('-'), colon = item.find(':');
    const auto first = core::parse_count(item.substr(0, dash), kMostJobNodes);
    if (!first) continue;
    const auto last = dash == item.npos ? first
                                        : core::parse_count(item.substr(dash + 1, colon - dash - 1),
                                                            kMostJobNodes);
    const auto step = colon == item.npos ? std::optional<std::uint64_t>(1)
                                         : core::parse_count(item.substr(colon + 1), kMostJobNodes);
    if (last && step && *last >= *first && *step > 0) tasks += (*last - *first) / *step + 1;
  }
  tasks = std::min<std::uint64_t>(tasks, at_once.value_or(kMostJobNodes));
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(tasks, 1));
}

}  // namespace spare_plan::standby::live
