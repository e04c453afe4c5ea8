// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "benchrun/job.hpp"
#include "benchrun/launch.hpp"
#include "benchrun/probe.hpp"

namespace benchrun {

/// Asks hosts for a sign of life, each by a launch of its own, a bounded number at a time. A round
/// begins with the first host that is asked and is over when end_round() says so; in a round each
/// host is asked once.
class Probes {
 public:
  /// command: what starts one rank on a host. limit: seconds for each.
  Probes(std::size_t hosts, std::function<CommandLine(std::size_t host)> command, std::string nonce,
         double limit);
  ~Probes();

  void ask(std::size_t host);
  bool in_round() const { return in_round_; }
  bool asked(std::size_t host) const { return asked_[host]; }
  /// Nothing is waited for.
  bool all_answered() const { return waiting_.empty() && running_.empty(); }
  void end_round();
  /// Asks no more; what runs is ended.
  void stop();

  struct Answer {
    std::size_t host = 0;
    std::optional<Verdict> verdict;  ///< nothing: it is alive
  };
  /// Starts what may start (hosts for which `needless` holds are left out) and returns the answers
  /// that have come since the last call.
  std::vector<Answer> step(double now, const std::function<bool(std::size_t)>& needless);
  std::optional<double> next_deadline() const;
  /// Everything to be polled, also what was told to end.
  std::vector<Job*> jobs() const;

 private:
  struct Running {
    std::unique_ptr<Job> job;
    std::size_t host = 0;
    double until = 0;
    bool said_hello = false;
  };

  void start(std::size_t host, double now);
  void dismiss(Running& probe);
  std::optional<Answer> answer_of(const Running& probe, double now) const;

  std::function<CommandLine(std::size_t)> command_;
  std::string nonce_;
  double limit_;
  std::vector<bool> asked_;
  bool in_round_ = false;
  std::deque<std::size_t> waiting_;
  std::vector<std::unique_ptr<Running>> running_;
  std::vector<std::unique_ptr<Job>> dismissed_;  ///< told to end; nobody waits for them
};

}  // namespace benchrun
