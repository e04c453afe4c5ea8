// SPDX-License-Identifier: BSD-3-Clause
#include "naive_simulation.hpp"

#include <algorithm>
#include <set>

namespace {

using namespace spare_plan::standby;

enum class State { off, booting, idle, busy, shutting };
struct Node {
  State state = State::off;
  double until = 0;  ///< of booting, busy, shutting
  double since = 0;  ///< of idle
  std::size_t job = 0;
};

struct Naive {
  std::span<const Job> jobs;
  const Machine& machine;
  const Settings& settings;
  std::vector<Node> nodes = std::vector<Node>(machine.nodes);
  std::vector<std::size_t> queue = {};
  std::vector<bool> started = std::vector<bool>(jobs.size());
  std::size_t submitted = 0;
  double t = 0;
  Course course = {};

  std::size_t count(State state) const {
    return static_cast<std::size_t>(std::ranges::count(nodes, state, &Node::state));
  }
  Node& pick(State state, bool latest) {
    Node* best = nullptr;
    for (auto& node : nodes)
      if (node.state == state &&
          (best == nullptr || (latest ? node.since > best->since : node.since < best->since)))
        best = &node;
    return *best;
  }

  std::size_t first_of_window() const {
    std::size_t first = 0;
    if (settings.window.jobs && submitted > *settings.window.jobs)
      first = submitted - *settings.window.jobs;
    if (settings.window.seconds)
      while (first < submitted && jobs[first].submit < t - *settings.window.seconds) ++first;
    return first;
  }

  std::uint32_t quantile(const std::vector<std::uint32_t>& values) const {
    if (values.empty()) return 1;
    for (std::uint32_t x = 0;; ++x) {
      const auto most = std::ranges::count_if(values, [&](auto value) { return value <= x; });
      if (static_cast<double>(most) / static_cast<double>(values.size()) >= settings.p0) return x;
    }
  }

  std::uint32_t n() const {
    const auto first = first_of_window();
    std::vector<std::uint32_t> values;
    switch (settings.policy) {
      case Policy::all_on:
        return machine.nodes;
      case Policy::all_off:
        return 0;
      case Policy::fixed:
        return settings.fixed_nodes;
      case Policy::redundant:
      case Policy::hybrid:
        for (auto i = first; i < submitted; ++i) values.push_back(jobs[i].nodes);
        return quantile(values);
      case Policy::burst:
        break;
    }
    std::set<double> instants;
    for (auto i = first; i < submitted; ++i)
      if (i == 0 || jobs[i - 1].submit != jobs[i].submit) instants.insert(jobs[i].submit);
    for (const double instant : instants) {
      if (instant + machine.boot >= t) continue;
      std::uint32_t sum = 0;
      for (std::size_t i = 0; i < submitted; ++i)
        if (jobs[i].submit >= instant && jobs[i].submit <= instant + machine.boot)
          sum += jobs[i].nodes;
      values.push_back(std::min(sum, machine.nodes));
    }
    return quantile(values);
  }

  bool end_what_is_over() {
    bool any = false;
    for (auto& node : nodes) {
      const bool lasts = node.state == State::booting || node.state == State::busy ||
                         node.state == State::shutting;
      if (!lasts || node.until > t) continue;
      node.state = node.state == State::shutting ? State::off : State::idle;
      node.since = t;
      any = true;
    }
    return any;
  }

  bool submit() {
    const auto before = submitted;
    while (submitted < jobs.size() && jobs[submitted].submit <= t) {
      queue.push_back(submitted++);
      course.nodes_after_submit.push_back(n());
    }
    return submitted > before;
  }

  void start(std::size_t job) {
    for (std::uint32_t i = 0; i < jobs[job].nodes; ++i) {
      auto& node = pick(State::idle, true);
      node.state = State::busy;
      node.until = t + jobs[job].run;
      node.job = job;
    }
    std::erase(queue, job);
    course.starts[job] = t;
    started[job] = true;
  }

  /// Nodes that the scheduler expects to be free at that instant.
  std::size_t free_at(double instant) const {
    return static_cast<std::size_t>(std::ranges::count_if(nodes, [&](const Node& node) {
      return node.state == State::idle || (node.state == State::booting && node.until <= instant) ||
             (node.state == State::busy &&
              course.starts[node.job] + jobs[node.job].estimate <= instant);
    }));
  }

  void start_jobs() {
    while (!queue.empty() && jobs[queue[0]].nodes <= count(State::idle)) start(queue[0]);
    if (queue.empty() || settings.backfill == Backfill::none) return;
    const auto head = jobs[queue[0]].nodes;
    const bool known = free_at(1e9) >= head;
    double shadow = t;
    while (known && free_at(shadow) < head) ++shadow;
    auto extra = known ? free_at(shadow) - head : 0;
    for (const auto job : std::vector<std::size_t>(queue.begin() + 1, queue.end())) {
      if (jobs[job].nodes > count(State::idle)) continue;
      const bool ends_before = !known || t + jobs[job].estimate <= shadow;
      if (!ends_before && jobs[job].nodes > extra) continue;
      if (!ends_before) extra -= jobs[job].nodes;
      start(job);
    }
  }

  std::size_t required() const {
    std::size_t sum = 0, room = count(State::off);
    room += count(State::booting);
    for (const auto& node : nodes)
      room += node.state == State::idle ||
              (node.state == State::busy &&
               course.starts[node.job] + jobs[node.job].estimate <= t + machine.boot);
    for (const auto job : queue) {
      if (settings.queue == Queue::startable && sum + jobs[job].nodes > room) break;
      sum += jobs[job].nodes;
    }
    return sum;
  }

  void step() {
    const auto on =
        static_cast<long>(count(State::idle) + count(State::busy) + count(State::booting));
    long missing =
        n() - (on - static_cast<long>(count(State::busy)) - static_cast<long>(required()));
    for (; missing > 0 && count(State::off) > 0; --missing) {
      auto& node = pick(State::off, true);
      node.state = State::booting;
      node.until = t + machine.boot;
      ++course.wakes;
    }
    for (; missing < 0 && count(State::idle) > 0; ++missing) {
      auto& node = pick(State::idle, false);
      if (settings.policy == Policy::hybrid && node.since + settings.idle_timeout > t) return;
      node.state = State::shutting;
      node.until = t + machine.shutdown;
      ++course.shuts;
    }
  }

  bool idle_long_enough() const {
    return settings.policy == Policy::hybrid && std::ranges::any_of(nodes, [&](const Node& node) {
             return node.state == State::idle && node.since + settings.idle_timeout == t;
           });
  }

  void pass_a_second() {
    course.seconds.busy += static_cast<double>(count(State::busy));
    course.seconds.idle += static_cast<double>(count(State::idle));
    course.seconds.boot += static_cast<double>(count(State::booting));
    course.seconds.shutdown += static_cast<double>(count(State::shutting));
    ++t;
  }

  bool all_done() const {
    return std::ranges::all_of(started, [](bool is) { return is; }) && count(State::busy) == 0;
  }

  Course run() {
    course.starts.resize(jobs.size());
    t = course.begin = jobs[0].submit;
    const bool one = settings.start == Start::policy && settings.policy != Policy::all_on &&
                     settings.policy != Policy::all_off;
    const bool all = settings.start == Start::on ||
                     (settings.start == Start::policy && settings.policy == Policy::all_on);
    for (std::size_t i = 0; i < nodes.size() && (all || (one && i == 0)); ++i)
      nodes[i] = {State::idle, 0, t, 0};
    for (;; pass_a_second()) {
      bool again = idle_long_enough();
      do {
        again = end_what_is_over() || again;
        if (all_done()) break;
        again = submit() || again;
        if (!again) break;
        start_jobs();
        step();
        again = false;
      } while (std::ranges::any_of(nodes, [&](const Node& node) {
        return node.state != State::off && node.state != State::idle && node.until <= t;
      }));
      if (all_done()) break;
    }
    course.end = t;
    return course;
  }
};

}  // namespace

Course naive_simulation(std::span<const Job> jobs, const Machine& machine,
                        const Settings& settings) {
  return Naive{jobs, machine, settings}.run();
}
