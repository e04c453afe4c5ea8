// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/local_search.hpp"

#include <algorithm>
#include <bit>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

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
        calls_left_(std::max(kLeastCalls, 4 * classes_.size() * classes_.size())) {}

  Choice best() {
    Counts full;
    for (const TaskClass& tasks : classes_) {
      full.push_back(static_cast<std::uint16_t>(tasks.members));
      coarsest_ = std::max(coarsest_, std::bit_floor(tasks.members));
    }
    const auto starts = singles();
    best_ = climb(look(full));
    for (const Choice& start : starts) consider(climb(start));
    return best_;
  }

 private:
  static constexpr std::size_t kLeastCalls = 600;

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

  /// One task of each class, the best first.
  std::vector<Choice> singles() {
    std::vector<Choice> result;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      Counts counts(classes_.size(), 0);
      counts[c] = 1;
      result.push_back(look(counts));
    }
    std::sort(result.begin(), result.end(),
              [](const Choice& a, const Choice& b) { return a.value > b.value; });
    return result;
  }

  /// Coarse steps class by class, then steepest ascent by single tasks; an exchange only where no
  /// adding or removing helps.
  Choice climb(Choice at) {
    for (std::size_t step = coarsest_; step > 1; step /= 2) sweep(step, at);
    while (calls_left_ > 0) {
      const auto from = at;
      for (std::size_t c = 0; c < classes_.size(); ++c) add_or_remove(from.counts, c, 1, at);
      if (!better(at, from)) exchange(from.counts, at);
      if (!better(at, from)) break;
    }
    return at;
  }

  void sweep(std::size_t step, Choice& at) {
    while (calls_left_ > 0) {
      const auto from = at;
      for (std::size_t c = 0; c < classes_.size(); ++c)
        add_or_remove(Counts(at.counts), c, step, at);
      if (!better(at, from)) return;
    }
  }

  void keep_better(const Counts& counts, Choice& best) {
    if (calls_left_ == 0) return;
    const Choice& choice = look(counts);
    if (better(choice, best)) best = choice;
  }

  void add_or_remove(const Counts& from, std::size_t c, std::size_t step, Choice& best) {
    Counts counts = from;
    const std::size_t room = classes_[c].members - from[c];
    counts[c] = static_cast<std::uint16_t>(from[c] + std::min(step, room));
    if (room > 0) keep_better(counts, best);
    counts[c] = static_cast<std::uint16_t>(from[c] - std::min<std::size_t>(step, from[c]));
    if (from[c] > 0 && sum(counts) > 0) keep_better(counts, best);
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
  std::size_t coarsest_ = 1;  ///< power of two, at most the members of the largest class
  std::unordered_map<Counts, Choice, CountsHash> seen_;
  Choice best_;
};

}  // namespace

Choice local_search(Objective& objective) { return LocalSearch(objective).best(); }

}  // namespace cosched_exec
