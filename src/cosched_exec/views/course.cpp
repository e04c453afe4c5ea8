// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/views/course.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <variant>

namespace cosched_exec {

namespace {

constexpr double kShortest = 1e-9;  // s; a stretch of no length is none

struct Life {
  bool running = false;
  double since = 0;             ///< of its present span
  double work = 0;              ///< W
  std::optional<double> speed;  ///< f, last known
};

}  // namespace

struct CourseFollower::State {
  State(std::size_t tasks, Detail detail) : all_(detail == Detail::all), lives_(tasks) {
    course_.under_way.resize(tasks);
    course_.running.resize(tasks);
    course_.spans.resize(tasks);
    course_.speeds.resize(tasks);
  }

  void follow(const Event& event) {
    now_ = event.time;
    course_.end = std::max(course_.end, now_);
    std::visit([this](const auto& what) { take(what); }, event.what);
  }

  Course finish() {
    for (const TaskId id : under_way_) close_span(id);
    if (fair_time_ > 0) course_.fairness = fair_sum_ / fair_time_;
    return std::move(course_);
  }

 private:
  void take(const TaskStarted& started) {
    if (started.task >= lives_.size()) return;
    Life& life = lives_[started.task];
    life.work = least_work();
    life.running = true;
    under_way_.insert(started.task);
    life.since = now_;
  }

  void take(const TaskEnded& ended) {
    if (under_way_.erase(ended.task) > 0) close_span(ended.task);
  }

  void take(const Decided& decided) {
    if (all_) course_.choices.push_back({now_, decided.decision.reason});
    const Combination& run = decided.decision.run;
    for (const TaskId id : under_way_) {
      Life& life = lives_[id];
      const bool runs = std::ranges::binary_search(run, id);
      if (life.running == runs) continue;
      close_span(id);
      life.running = runs;
    }
  }

  void take(const Observed& observed) {
    if (observed.seconds < kShortest) return;
    for (const Observed::Speed& seen : observed.speeds) note_speed(seen);
    Moment moment{now_ - observed.seconds, now_, observed.ran.size(), 0.0, {}};
    for (const TaskId id : observed.ran) advance(id, observed, moment);
    moment.fairness = fairness();
    if (moment.fairness) {
      fair_sum_ += *moment.fairness * observed.seconds;
      fair_time_ += observed.seconds;
    }
    if (all_) course_.moments.push_back(moment);
  }

  void take(const Noted&) {}

  void note_speed(const Observed::Speed& seen) {
    if (seen.task < lives_.size() && seen.relative) lives_[seen.task].speed = seen.relative;
  }

  void advance(TaskId id, const Observed& observed, Moment& moment) {
    if (id >= lives_.size()) return;
    Life& life = lives_[id];
    if (life.speed && moment.speed)
      *moment.speed += *life.speed;
    else
      moment.speed.reset();
    life.work += life.speed.value_or(1) * observed.seconds;
    if (life.speed && all_) course_.speeds[id].push_back({moment.from, moment.time, *life.speed});
  }

  double least_work() const {
    double least = std::numeric_limits<double>::infinity();
    for (const TaskId id : under_way_) least = std::min(least, lives_[id].work);
    return least == std::numeric_limits<double>::infinity() ? 0 : least;
  }

  std::optional<double> fairness() const {
    double sum = 0, squares = 0;
    for (const TaskId id : under_way_) {
      sum += lives_[id].work;
      squares += lives_[id].work * lives_[id].work;
    }
    if (under_way_.size() < 2 || squares <= 0) return std::nullopt;
    return sum * sum / (static_cast<double>(under_way_.size()) * squares);
  }

  void close_span(TaskId id) {
    Life& life = lives_[id];
    const Span span{std::exchange(life.since, now_), now_, life.running};
    if (span.to - span.from <= kShortest) return;
    course_.under_way[id] += span.to - span.from;
    if (span.running) course_.running[id] += span.to - span.from;
    if (all_) course_.spans[id].push_back(span);
  }

  bool all_;
  std::vector<Life> lives_;
  std::set<TaskId> under_way_;
  Course course_;
  double now_ = 0;
  double fair_sum_ = 0, fair_time_ = 0;
};

CourseFollower::CourseFollower(std::size_t tasks, Detail detail)
    : state_(std::make_unique<State>(tasks, detail)) {}
CourseFollower::CourseFollower(CourseFollower&&) noexcept = default;
CourseFollower::~CourseFollower() = default;
void CourseFollower::follow(const Event& event) { state_->follow(event); }
Course CourseFollower::finish() { return state_->finish(); }

Course course(std::size_t tasks, const Journal& journal) {
  CourseFollower follower(tasks, CourseFollower::Detail::all);
  for (const Event& event : journal.events()) follower.follow(event);
  return follower.finish();
}

}  // namespace cosched_exec
