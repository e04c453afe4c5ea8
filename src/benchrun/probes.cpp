// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/probes.hpp"

#include <algorithm>
#include <utility>

namespace benchrun {

namespace {

constexpr std::size_t kFanOut = 32;

}  // namespace

Probes::Probes(std::size_t hosts, std::function<CommandLine(std::size_t host)> command,
               std::string nonce, double limit)
    : command_(std::move(command)), nonce_(std::move(nonce)), limit_(limit), asked_(hosts) {}

Probes::~Probes() { stop(); }

void Probes::ask(std::size_t host) {
  if (asked_[host]) return;
  asked_[host] = in_round_ = true;
  waiting_.push_back(host);
}

void Probes::end_round() {
  in_round_ = false;
  asked_.assign(asked_.size(), false);
}

void Probes::stop() {
  for (const auto& probe : running_) dismiss(*probe);
  running_.clear();
  waiting_.clear();
  end_round();
}

void Probes::start(std::size_t host, double now) {
  auto probe = std::make_unique<Running>();
  probe->host = host;
  probe->until = now + limit_;
  Running* const self = probe.get();
  probe->job = std::make_unique<Job>(
      command_(host), nonce_,
      [self](const core::Record& record) {
        if (record.kind == core::RecordKind::hello) self->said_hello = true;
      },
      [](std::string_view) {});
  running_.push_back(std::move(probe));
}

/// The job lives on for a moment, its records are of no interest any more.
void Probes::dismiss(Running& probe) {
  probe.job->ask_to_end();
  probe.job->ignore_records();
  dismissed_.push_back(std::move(probe.job));
}

std::optional<Probes::Answer> Probes::answer_of(const Running& probe, double now) const {
  const bool late = now >= probe.until;
  if (!probe.said_hello && !probe.job->ended() && !late) return std::nullopt;
  ProbeEnd end;
  end.said_hello = probe.said_hello;
  end.timed_out = !probe.job->ended();
  end.status = probe.job->ended().value_or(0);
  end.complaints = probe.job->complaints();
  end.limit = limit_;
  return Answer{probe.host, judge(end)};
}

std::vector<Probes::Answer> Probes::step(double now,
                                         const std::function<bool(std::size_t)>& needless) {
  std::erase_if(dismissed_, [](const auto& job) { return job->ended().has_value(); });
  std::vector<Answer> answers;
  for (const auto& probe : running_)
    if (const auto answer = answer_of(*probe, now)) {
      answers.push_back(*answer);
      dismiss(*probe);
    }
  std::erase_if(running_, [](const auto& probe) { return probe->job == nullptr; });
  for (; running_.size() < kFanOut && !waiting_.empty(); waiting_.pop_front())
    if (!needless(waiting_.front())) start(waiting_.front(), now);
  return answers;
}

std::optional<double> Probes::next_deadline() const {
  std::optional<double> next;
  for (const auto& probe : running_) next = std::min(next.value_or(probe->until), probe->until);
  return next;
}

std::vector<Job*> Probes::jobs() const {
  std::vector<Job*> all;
  for (const auto& probe : running_) all.push_back(probe->job.get());
  for (const auto& job : dismissed_) all.push_back(job.get());
  return all;
}

}  // namespace benchrun
