// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/run.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <random>

#include "benchrun/probe.hpp"
#include "core/duration.hpp"
#include "core/error.hpp"

namespace benchrun {

namespace {

constexpr std::size_t kFanOut = 32;  ///< probes at a time
constexpr double kProbeLimit = 10;   ///< s
constexpr double kLeastBudget = 60;  ///< s
constexpr double kBudgetPerWarmUp = 10;
constexpr double kLinger = 5;   ///< s for a launcher to end after its ranks
constexpr double kMargin = 30;  ///< s that a rank may outlive the budget
constexpr unsigned kMostLaunches = 8, kMostFruitless = 2, kMostAnswers = 2;

std::vector<std::string> names_of(const Plan& plan) {
  std::vector<std::string> names;
  for (const core::HostSlots& host : plan.hosts) names.push_back(host.host);
  return names;
}

std::string own_host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string make_nonce() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

core::Fd block_end_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&signals, signal);
  struct sigaction hang_up {};
  ::sigaction(SIGHUP, nullptr, &hang_up);
  if (hang_up.sa_handler == SIG_IGN) ::sigdelset(&signals, SIGHUP);  // nohup
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  return core::Fd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

std::string seconds_text(double seconds) { return fmt::to_string(std::lround(std::ceil(seconds))); }

}  // namespace

Run::Run(const Plan& plan, const Launcher& launcher, std::string rank_program, Listener listener)
    : plan_(plan),
      launcher_(launcher),
      rank_program_(std::move(rank_program)),
      listener_(std::move(listener)),
      nonce_(make_nonce()),
      gather_(names_of(plan), plan.steps.size()),
      match_(names_of(plan), own_host_name(), addresses_of),
      signals_(block_end_signals()) {}

Run::~Run() {
  for (const Launched& launched : jobs_) launched.job->ask_to_end();
  for (const Probe& probe : probes_) probe.job->ask_to_end();
}

/// Programs whose answer no longer matters end beside the others; nobody waits for them.
void Run::dismiss(std::unique_ptr<Job> job) {
  job->ask_to_end();
  dismissed_.push_back(std::move(job));
}

void Run::stop_asking() {
  for (Probe& probe : probes_) dismiss(std::move(probe.job));
  probes_.clear();
  to_ask_.clear();
  asking_ = false;
}

double Run::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::optional<int> Run::measure() {
  for (const Phase& phase : plan_.phases) {
    begin_phase(phase);
    while (!phase_settled()) {
      step();
      tell();
      if (phase_settled()) break;
      if (const auto signal = wait()) return signal;
    }
    tell();
  }
  return std::nullopt;
}

void Run::begin_phase(const Phase& phase) {
  gather_.begin_phase(phase.first_run, phase.runs);
  asked_.assign(plan_.hosts.size(), false);
  answers_.assign(plan_.hosts.size(), 0);
  launches_ = fruitless_ = 0;
  linger_until_.reset();
}

bool Run::phase_settled() const {
  return gather_.phase_done() && jobs_.empty() && probes_.empty() && to_ask_.empty();
}

void Run::step() {
  settle_jobs();
  std::erase_if(dismissed_, [](const auto& job) { return job->ended().has_value(); });
  if (seconds() >= deadline()) expire();
  if (gather_.phase_done()) stop_asking();
  ask_silent_hosts();
  settle_probes();
  start_probes();
  if (asking_ && probes_.empty() && to_ask_.empty()) after_probes();
  if (jobs_.empty() && probes_.empty() && to_ask_.empty()) launch_again();
  end_lingering_jobs();
}

void Run::tell() {
  listener_.rows(gather_.take_rows());
  for (const Trouble& trouble : gather_.take_troubles()) listener_.trouble(trouble);
  listener_.progress(gather_.finished_count());
}

double Run::deadline() const {
  return plan_.budget.value_or(
      std::max(kLeastBudget, kBudgetPerWarmUp * gather_.warm_up_seconds().value_or(0)));
}

/// The budget is spent: who has not reported by now is late.
void Run::expire() {
  expired_ = true;
  stop_asking();
  for (const std::size_t host : gather_.unfinished())
    gather_.lose(
        host, core::RowStatus::timeout,
        fmt::format("no result within the budget of {}", core::human_duration(deadline())));
}

void Run::ask_silent_hosts() {
  for (const std::size_t host : gather_.silent(seconds(), plan_.timeout)) ask(host);
}

void Run::ask(std::size_t host) {
  if (expired_ || asked_[host]) return;
  asked_[host] = asking_ = true;
  to_ask_.push_back(host);
}

void Run::start_probes() {
  for (; probes_.size() < kFanOut && !to_ask_.empty(); to_ask_.pop_front()) {
    const std::size_t host = to_ask_.front();
    if (gather_.finished(host) || gather_.lost(host)) continue;
    Probe probe;
    probe.host = host;
    probe.until = seconds() + probe_limit();
    probe.job = std::make_unique<Job>(
        launcher_.one_host(plan_.hosts[host].host, probe_arguments()), nonce_,
        [this, host](const Record& record) {
          if (record.kind != RecordKind::hello) return;
          for (Probe& running : probes_)
            if (running.host == host) running.said_hello = true;
        },
        [](std::string_view) {});
    probes_.push_back(std::move(probe));
  }
}

void Run::settle_probes() {
  for (std::size_t i = 0; i < probes_.size();) {
    const bool late = seconds() >= probes_[i].until;
    if (!probes_[i].said_hello && !probes_[i].job->ended() && !late) {
      ++i;
      continue;
    }
    Probe probe = std::move(probes_[i]);
    probes_.erase(probes_.begin() + static_cast<std::ptrdiff_t>(i));
    settle_probe(probe, late && !probe.said_hello && !probe.job->ended());
    dismiss(std::move(probe.job));
  }
}

void Run::settle_probe(const Probe& probe, bool timed_out) {
  ProbeEnd end;
  end.said_hello = probe.said_hello;
  end.timed_out = timed_out;
  end.status = probe.job->ended().value_or(0);
  end.complaints = probe.job->complaints();
  end.limit = probe_limit();
  if (const auto verdict = judge(end))
    return gather_.lose(probe.host, verdict->status, verdict->reason);
  ++answers_[probe.host];
  gather_.heard(probe.host, seconds());
}

/// All silent hosts were asked. A launch is ended when it cannot come to its end: a host of it that
/// answered had not even started, or it is one parallel job and lacks a host. Ranks of benchmarks
/// that do report are left to finish.
void Run::after_probes() {
  asking_ = false;
  for (const Launched& launched : jobs_) {
    const auto any = [&](auto condition) { return std::ranges::any_of(launched.hosts, condition); };
    const bool lacks_host = any([&](std::size_t host) { return gather_.lost(host); });
    const bool stuck = any([&](std::size_t host) {
      const bool open = !gather_.lost(host) && !gather_.finished(host);
      return open && asked_[host] && (lacks_host || answers_[host] >= kMostAnswers);
    });
    const bool one_job = plan_.has_command() && launcher_.runs_mpi();
    if (stuck || (lacks_host && one_job)) launched.job->ask_to_end();
  }
  asked_.assign(asked_.size(), false);
}

void Run::settle_jobs() {
  for (std::size_t i = 0; i < jobs_.size();) {
    if (!jobs_[i].job->ended()) {
      ++i;
      continue;
    }
    const Launched ended = std::move(jobs_[i]);
    jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(i));
    if (std::ranges::none_of(jobs_,
                             [&](const Launched& other) { return other.launch == ended.launch; }))
      gather_.end_launch(ended.launch);
    if (!ended.job->complaints().empty()) complaints_ = ended.job->complaints();
    // Ended by us, or by a command that failed: it is known why.
    if (ended.job->ending() || (plan_.has_command() && failures_ > 0)) continue;
    for (const std::size_t host : ended.hosts)
      if (!gather_.finished(host) && !gather_.lost(host)) ask(host);
  }
}

void Run::launch_again() {
  const std::vector<std::size_t> hosts = gather_.unfinished();
  if (hosts.empty()) return;
  const std::size_t settled = plan_.hosts.size() - hosts.size();
  if (launches_ > 0) fruitless_ = settled > settled_at_launch_ ? 0 : fruitless_ + 1;
  if (launches_ == kMostLaunches || fruitless_ == kMostFruitless) {
    const std::string line = telling_line(complaints_);
    for (const std::size_t host : hosts)
      gather_.lose(host, core::RowStatus::failed,
                   "it answers, but launched with the others it does not report" +
                       (line.empty() ? "" : "; the launcher says: " + line));
    return;
  }
  settled_at_launch_ = settled;
  launch(hosts);
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
  for (const Launched& launched : jobs_) launched.job->ask_to_end();
}

void Run::launch(const std::vector<std::size_t>& hosts) {
  ++launches_;
  failures_ = 0;
  Placement placement;
  placement.per = plan_.per;
  placement.bind = plan_.bind;
  std::vector<std::uint32_t> ranks;
  for (const std::size_t host : hosts) {
    ranks.push_back(plan_.ranks[host]);
    placement.hosts.push_back({plan_.hosts[host].host, plan_.ranks[host]});
  }
  const std::size_t number = gather_.begin_launch(hosts, ranks, seconds());
  for (const CommandLine& line : launcher_.all_hosts(placement, rank_arguments())) {
    Launched launched;
    launched.launch = number;
    for (const std::size_t host : line.hosts) launched.hosts.push_back(hosts[host]);
    launched.job = std::make_unique<Job>(
        line, nonce_, [this, number](const Record& record) { on_record(number, record); },
        listener_.text);
    jobs_.push_back(std::move(launched));
  }
}

void Run::on_record(std::size_t launch, const Record& record) {
  failures_ += record.kind == RecordKind::fail;
  if (record.kind != RecordKind::hello) return gather_.take(launch, record, seconds());
  const auto host = match_.find(record.host, record.addresses);
  if (!host)
    throw core::Error(fmt::format("a rank was started on {}, which is none of the hosts to measure",
                                  record.host));
  gather_.hello(launch, record, *host, seconds());
}

double Run::next_event() const {
  double next = deadline();
  if (!expired_ && !asking_)
    if (const auto silence = gather_.next_silence(plan_.timeout)) next = std::min(next, *silence);
  for (const Probe& probe : probes_) next = std::min(next, probe.until);
  if (linger_until_) next = expired_ ? *linger_until_ : std::min(next, *linger_until_);
  return next;
}

std::optional<int> Run::wait() {
  std::vector<pollfd> ready{{signals_.get(), POLLIN, 0}};
  std::vector<Job*> jobs{nullptr};
  const auto watch = [&](Job& job) {
    for (const int descriptor : job.descriptors()) {
      ready.push_back({descriptor, POLLIN, 0});
      jobs.push_back(&job);
    }
  };
  for (const Launched& launched : jobs_) watch(*launched.job);
  for (const Probe& probe : probes_) watch(*probe.job);
  for (const auto& job : dismissed_) watch(*job);
  const double left = std::clamp(next_event() - seconds(), 0.0, 3600.0);
  const bool only_ends =
      std::ranges::all_of(jobs_, [](const Launched& job) { return job.job->ending(); });
  const int milliseconds =
      left <= 0 && only_ends && !jobs_.empty() ? -1 : static_cast<int>(std::ceil(left * 1000));
  const int events = ::poll(ready.data(), ready.size(), milliseconds);
  if (events < 0 && errno != EINTR)
    throw core::Error(fmt::format("cannot wait for the launcher: error {}", errno));
  if (events <= 0) return std::nullopt;
  signalfd_siginfo info{};
  if (ready[0].revents != 0 && ::read(signals_.get(), &info, sizeof info) == sizeof info)
    return static_cast<int>(info.ssi_signo);
  for (std::size_t i = 1; i < ready.size(); ++i)
    if (ready[i].revents != 0) jobs[i]->service(ready[i].fd);
  return std::nullopt;
}

double Run::probe_limit() const { return std::min(kProbeLimit, plan_.timeout); }

std::vector<std::string> Run::probe_arguments() const {
  return {rank_program_, "--nonce", nonce_, "--deadline", seconds_text(kMargin)};
}

std::vector<std::string> Run::rank_arguments() const {
  const double left = std::max(0.0, deadline() - seconds());
  const char* binding = plan_.bind == Bind::none ? "none"
                        : plan_.per == Per::core ? "core"
                        : plan_.per == Per::numa ? "numa"
                                                 : "none";
  std::vector<std::string> arguments{rank_program_,
                                     "--nonce",
                                     nonce_,
                                     "--alive",
                                     seconds_text(std::max(1.0, std::floor(plan_.timeout / 3))),
                                     "--deadline",
                                     seconds_text(left + kMargin),
                                     "--threads",
                                     fmt::to_string(plan_.threads),
                                     "--bind",
                                     binding};
  for (const Step& step : plan_.steps) {
    arguments.insert(arguments.end(), {"--step", step.bundled ? "bench" : "command",
                                       fmt::to_string(step.argv.size())});
    arguments.insert(arguments.end(), step.argv.begin(), step.argv.end());
  }
  return arguments;
}

}  // namespace benchrun
