// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/run.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <random>
#include <thread>

#include "benchrun/end_signals.hpp"
#include "benchrun/misfit.hpp"
#include "benchrun/probe.hpp"
#include "benchrun/rank_command.hpp"
#include "core/duration.hpp"
#include "core/error.hpp"
#include "core/process.hpp"

namespace benchrun {

namespace {

constexpr double kLeastBudget = 60;  ///< s
constexpr double kLinger = 5;        ///< s for a launcher to end after its ranks
constexpr std::size_t kFewPrograms = 150;
constexpr unsigned kMostLaunches = 8, kMostFruitless = 2, kMostAnswers = 3, kMostBlamed = 3;

std::vector<std::string> names_of(const Plan& plan) {
  std::vector<std::string> names;
  for (const core::HostSlots& host : plan.hosts) names.push_back(host.host);
  return names;
}

std::string make_nonce() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

}  // namespace

Run::Run(const Plan& plan, const Launcher& launcher, std::string rank_program, Listener listener)
    : plan_(plan),
      launcher_(launcher),
      rank_program_(std::move(rank_program)),
      listener_(std::move(listener)),
      nonce_(make_nonce()),
      gather_(names_of(plan), plan.benches().size()),
      match_(names_of(plan), core::own_host_name(), addresses_of),
      signals_(end_signals()),
      probes_(
          plan.hosts.size(),
          [this](std::size_t host) {
            return launcher_.one_host(plan_.hosts[host].host, probe_command(rank_program_, nonce_));
          },
          nonce_, plan.probe_limit) {}

Run::~Run() {
  for (const Launched& launched : jobs_) launched.job->ask_to_end();
  probes_.stop();
}

double Run::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::optional<int> Run::measure(std::span<const Phase> phases) {
  for (const Phase& phase : phases) {
    begin_phase(phase);
    while (!phase_settled()) {
      step();
      tell();
      if (phase_settled()) break;
      if (const auto signal = wait()) return signal;
    }
  }
  return std::nullopt;
}

void Run::begin_phase(const Phase& phase) {
  gather_.begin_phase(phase.first_run, phase.runs);
  open_ended_ = phase.open_ended;
  answers_.assign(plan_.hosts.size(), 0);
  launches_ = fruitless_ = 0;
  failed_in_.clear();
  linger_until_.reset();
}

bool Run::phase_settled() const {
  return gather_.phase_done() && jobs_.empty() && probes_.all_answered();
}

void Run::step() {
  settle_jobs();
  if (seconds() >= deadline()) expire();
  if (gather_.phase_done()) probes_.stop();
  ask_silent_hosts();
  take_answers();
  if (probes_.in_round() && probes_.all_answered()) after_round();
  end_waiting_jobs();
  if (jobs_.empty() && probes_.all_answered()) launch_again();
  end_lingering_jobs();
}

void Run::tell() {
  listener_.rows(gather_.take_rows());
  for (const Trouble& trouble : gather_.take_troubles()) listener_.trouble(trouble);
  listener_.progress(gather_.finished_count());
}

double Run::deadline() {
  if (plan_.budget) return *plan_.budget;
  return std::max(kLeastBudget, plan_.budget_per_warm_up * gather_.warm_up_seconds().value_or(0));
}

/// The budget is spent: who has not reported by now is late, unless some runs are enough.
void Run::expire() {
  for (const std::size_t host : gather_.unfinished()) {
    if (open_ended_ && gather_.settle_for_less(host)) {
      linger_until_ = 0;  // what its ranks go on to do is not wanted
      continue;
    }
    gather_.lose(
        host, core::RowStatus::timeout,
        fmt::format("no result within the budget of {}", core::human_duration(deadline())));
  }
}

void Run::ask_silent_hosts() {
  if (seconds() < next_silence_) return;
  for (const std::size_t host : gather_.silent(seconds(), plan_.timeout)) probes_.ask(host);
  next_silence_ = gather_.next_silence(plan_.timeout).value_or(INFINITY);
}

void Run::take_answers() {
  const auto needless = [this](std::size_t host) { return !open(host); };
  for (const Probes::Answer& answer : probes_.step(seconds(), needless)) {
    // Who was late at first and reports by now is only slow.
    if (answer.verdict && !gather_.reporting(answer.host, seconds(), plan_.timeout)) {
      gather_.lose(answer.host, answer.verdict->status, answer.verdict->reason);
      continue;
    }
    ++answers_[answer.host];
    gather_.heard(answer.host, seconds());
  }
}

/// A rank that has failed before it met the others leaves them waiting, and they do not seem
/// silent. One that has met them ends at the same time as they do.
void Run::end_waiting_jobs() {
  if (!plan_.has_joint_step() || failures_ == 0 || gather_.phase_done()) return;
  const auto has_left = [&](std::size_t host) {
    return gather_.finished(host) && gather_.troubled(host);
  };
  const bool left = std::ranges::any_of(jobs_, [&](const Launched& launched) {
    return std::ranges::any_of(launched.hosts, has_left);
  });
  if (left && !waiting_until_) waiting_until_ = seconds() + kLinger;
  if (left && seconds() >= *waiting_until_) end_jobs();
}

void Run::end_jobs() {
  for (const Launched& launched : jobs_) launched.job->ask_to_end();
}

/// All silent hosts were asked.
void Run::after_round() {
  for (const Launched& launched : jobs_)
    if (cannot_end(launched)) launched.job->ask_to_end();
  probes_.end_round();
}

/// A launch cannot come to its end when it lacks a host and a host of it that answers has not even
/// started, or when it lacks a host and is one parallel job. Ranks of benchmarks that do report are
/// left to finish. A launch that nobody can tell what it lacks gets a second chance first.
bool Run::cannot_end(const Launched& launched) const {
  const auto any = [&](auto condition) { return std::ranges::any_of(launched.hosts, condition); };
  const bool lacks_host = any([&](std::size_t host) { return gather_.lost(host); });
  const bool stuck = any([&](std::size_t host) {
    return open(host) && probes_.asked(host) && (lacks_host || answers_[host] >= kMostAnswers);
  });
  return stuck || (lacks_host && one_job());
}

/// The ranks wait for each other.
bool Run::one_job() const {
  return launcher_.runs_mpi() && (plan_.has_command() || plan_.has_joint_step());
}

void Run::settle_jobs() {
  for (std::size_t i = 0; i < jobs_.size();) {
    if (!jobs_[i].job->ended()) {
      ++i;
      continue;
    }
    const Launched ended = std::move(jobs_[i]);
    jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(i));
    settle_job(ended);
  }
}

void Run::settle_job(const Launched& ended) {
  const auto of_same_launch = [&](const Launched& other) { return other.launch == ended.launch; };
  if (std::ranges::none_of(jobs_, of_same_launch)) gather_.end_launch(ended.launch);
  if (!ended.job->complaints().empty()) complaints_ = ended.job->complaints();
  // Ended by us, or by a command that failed: it is known why.
  if (ended.job->ending() || (plan_.has_command() && failures_ > 0)) return;
  for (const std::size_t host : ended.hosts)
    if (open(host)) probes_.ask(host);
}

void Run::launch_again() {
  const std::vector<std::size_t> hosts = gather_.unfinished();
  if (hosts.empty()) return;
  const std::size_t settled = plan_.hosts.size() - hosts.size();
  if (launches_ > 0) fruitless_ = settled > settled_at_launch_ ? 0 : fruitless_ + 1;
  if (launches_ == kMostLaunches || fruitless_ == kMostFruitless) {
    const std::string line = telling_line(complaints_);
    return give_up(hosts, "it answers, but launched with the others it does not report" +
                              (line.empty() ? "" : "; the launcher says: " + line));
  }
  if (const auto rank = rank_that_fails())
    return give_up(hosts,
                   fmt::format("not measured: rank {} has failed on {} hosts in turn, so it is the "
                               "command that fails",
                               *rank, kMostBlamed));
  settled_at_launch_ = settled;
  launch(hosts);
}

/// A command that fails in the same rank on one host after the other would fail on the next as
/// well.
std::optional<std::uint32_t> Run::rank_that_fails() const {
  if (!plan_.has_command()) return std::nullopt;
  for (const auto& [rank, launches] : failed_in_)
    if (launches.size() == kMostBlamed) return rank;
  return std::nullopt;
}

void Run::give_up(const std::vector<std::size_t>& hosts, const std::string& reason) {
  for (const std::size_t host : hosts) gather_.lose(host, core::RowStatus::failed, reason);
}

/// Ranks have all ended, so the launcher should; it does not when one of its hosts is gone.
void Run::end_lingering_jobs() {
  if (!gather_.phase_done() || jobs_.empty()) return;
  if (!linger_until_) {
    const bool lacks_host = std::ranges::any_of(jobs_, [&](const Launched& launched) {
      return std::ranges::any_of(launched.hosts,
                                 [&](std::size_t host) { return gather_.lost(host); });
    });
    linger_until_ = seconds() + (lacks_host ? 0 : kLinger);
  }
  if (seconds() < *linger_until_) return;
  end_jobs();
}

void Run::launch(const std::vector<std::size_t>& hosts) {
  ++launches_;
  failures_ = 0;
  waiting_until_.reset();
  Placement placement;
  placement.per = plan_.per;
  placement.bind = plan_.bind;
  std::vector<std::uint32_t> ranks;
  for (const std::size_t host : hosts) {
    ranks.push_back(plan_.ranks[host]);
    placement.hosts.push_back({plan_.hosts[host].host, plan_.ranks[host]});
  }
  const std::vector<CommandLine> lines = launcher_.all_hosts(
      placement, rank_command(plan_, rank_program_, nonce_, std::max(0.0, deadline() - seconds())));
  if (lines.size() > kFewPrograms) core::allow_more_descriptors();
  const std::size_t number = gather_.begin_launch(hosts, ranks, seconds());
  next_silence_ = seconds();  // to be found out
  for (const CommandLine& line : lines) {
    Launched launched;
    launched.launch = number;
    for (const std::size_t host : line.hosts) launched.hosts.push_back(hosts[host]);
    launched.job = std::make_unique<Job>(
        line, nonce_, [this, number](const core::Record& record) { on_record(number, record); },
        listener_.text);
    if (lines.size() == 1) launched.job->expect_much();
    jobs_.push_back(std::move(launched));
  }
}

void Run::on_record(std::size_t launch, const core::Record& record) {
  if (record.kind == core::RecordKind::fail) {
    ++failures_;
    if (record.rank) failed_in_[*record.rank].insert(launch);
  }
  if (record.kind == core::RecordKind::alone) return on_alone(gather_.ranks(launch), record.mpi);
  if (record.kind != core::RecordKind::hello) return gather_.take(launch, record, seconds());
  const auto host = match_.find(record.host, record.addresses);
  if (!host)
    throw core::Error(fmt::format("a rank was started on {}, which is none of the hosts to measure",
                                  record.host));
  if (!record.hardware.empty()) listener_.hardware(*host, record.hardware);
  gather_.hello(launch, record, *host, seconds());
}

/// Where the launcher runs no MPI jobs, it may be meant.
void Run::on_alone(std::uint32_t ranks, const std::string& mpi) {
  if (ranks < 2) return;
  if (launcher_.runs_mpi()) do_not_fit(jobs_of_one_rank(launcher_.name(), ranks, mpi));
  ranks_are_apart_ = true;
}

/// -1: only an event of a program can change anything.
int Run::milliseconds_to_next_event() {
  std::optional<double> next = probes_.next_deadline();
  const auto consider = [&](double time) { next = std::min(next.value_or(time), time); };
  if (gather_.phase_done()) {
    const bool all_ending =
        std::ranges::all_of(jobs_, [](const Launched& launched) { return launched.job->ending(); });
    if (linger_until_ && !all_ending) consider(*linger_until_);
  } else {
    consider(deadline());
    if (waiting_until_ && seconds() < *waiting_until_) consider(*waiting_until_);
    if (!probes_.in_round() && next_silence_ < INFINITY) consider(next_silence_);
  }
  if (!next) return -1;
  return static_cast<int>(std::ceil(std::clamp(*next - seconds(), 0.0, 3600.0) * 1000));
}

/// What comes within a moment is taken together: a million ranks would wake us for every record.
/// Nobody waits for us.
void Run::let_records_gather() {
  constexpr double kMoment = 1e-3;  // s
  const double left = last_event_ + kMoment - seconds();
  if (left > 0) std::this_thread::sleep_for(std::chrono::duration<double>(left));
}

std::optional<int> Run::wait() {
  std::vector<pollfd> ready{{signals_.get(), POLLIN, 0}};
  std::vector<Job*> owners{nullptr}, jobs = probes_.jobs();
  for (const Launched& launched : jobs_) jobs.push_back(launched.job.get());
  for (Job* const job : jobs)
    for (const int descriptor : job->descriptors()) {
      ready.push_back({descriptor, POLLIN, 0});
      owners.push_back(job);
    }
  let_records_gather();
  const int events = ::poll(ready.data(), ready.size(), milliseconds_to_next_event());
  if (events < 0 && errno != EINTR)
    throw core::Error(fmt::format("cannot wait for the launcher: {}", std::strerror(errno)));
  if (events <= 0) return std::nullopt;
  last_event_ = seconds();
  signalfd_siginfo info{};
  if (ready[0].revents != 0 && ::read(signals_.get(), &info, sizeof info) == sizeof info)
    return static_cast<int>(info.ssi_signo);
  for (std::size_t i = 1; i < ready.size(); ++i)
    if (ready[i].revents != 0) owners[i]->service(ready[i].fd);
  return std::nullopt;
}

}  // namespace benchrun
