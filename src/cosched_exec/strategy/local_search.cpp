// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/local_search.hpp"

#include <string_view>
#include <unordered_map>
#include <utility>

namespace cosched_exec {
namespace {

struct CountsHash {
  std::size_t operator()(const Counts& counts) const {
    return std::hash<std::string_view>()(
        {reinterpret_cast<const char*>(counts.data()), counts.size() * sizeof(Counts::value_type)});
  }
};

class LocalSearch {
 public:
  explicit LocalSearch(Objective& objective)
      : objective_(objective),
        classes_(objective.classes()),
        calls_left_(4 * classes_.size() * classes_.size() + kLeastCalls) {}

  Choice best() {
    Counts full;
    for (const TaskClass& tasks : classes_)
      full.push_back(static_cast<std::uint16_t>(tasks.members));
    best_ = climb(look(full));
    consider(climb(best_single()));
    return best_;
  }

 private:
  static constexpr std::size_t kLeastCalls = 100;

  /// The combination's value, at most once from the model.
  const Choice& look(const Counts& counts) {
    const auto [place, fresh] = seen_.try_emplace(counts);
    if (fresh) {
      place->second = objective_.at(counts);
      if (calls_left_ > 0) --calls_left_;
    }
    return place->second;
  }

  void consider(const Choice& choice) {
    if (better(choice, best_)) best_ = choice;
  }

  Choice best_single() {
    Choice best;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      Counts counts(classes_.size(), 0);
      counts[c] = 1;
      const Choice& choice = look(counts);
      if (c == 0 || better(choice, best)) best = choice;
    }
    return best;
  }

  /// Steepest ascent; an exchange only where no adding or removing helps.
  Choice climb(Choice at) {
    while (calls_left_ > 0) {
      const auto from = at;
      add_or_remove(from.counts, at);
      if (!better(at, from)) exchange(from.counts, at);
      if (!better(at, from)) break;
    }
    return at;
  }

  void keep_better(const Counts& counts, Choice& best) {
    if (calls_left_ == 0) return;
    const Choice& choice = look(counts);
    if (better(choice, best)) best = choice;
  }

  void add_or_remove(const Counts& from, Choice& best) {
    const std::size_t tasks = sum(from);
    for (std::size_t c = 0; c < from.size(); ++c) {
      Counts counts = from;
      for (std::size_t step = 1; from[c] + step <= classes_[c].members; step *= 2) {
        counts[c] = static_cast<std::uint16_t>(from[c] + step);
        keep_better(counts, best);
      }
      for (std::size_t step = 1; step <= from[c] && step < tasks; step *= 2) {
        counts[c] = static_cast<std::uint16_t>(from[c] - step);
        keep_better(counts, best);
      }
    }
  }

  void exchange(const Counts& from, Choice& best) {
    for (std::size_t out = 0; out < from.size(); ++out)
      for (std::size_t in = 0; in < from.size(); ++in) {
        if (in == out || from[out] == 0 || from[in] == classes_[in].members) continue;
        Counts counts = from;
        --counts[out];
        ++counts[in];
        keep_better(counts, best);
      }
  }

  static std::size_t sum(const Counts& counts) {
    std::size_t tasks = 0;
    for (const auto count : counts) tasks += count;
    return tasks;
  }

  Objective& objective_;
  std::span<const TaskClass> classes_;
  std::size_t calls_left_;
  std::unordered_map<Counts, Choice, CountsHash> seen_;
  Choice best_;
};

}  // namespace

Choice local_search(Objective& objective) { return LocalSearch(objective).best(); }

}  // namespace cosched_exec
