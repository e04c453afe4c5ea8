// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "benchrun/gather.hpp"
#include "benchrun/host_match.hpp"
#include "benchrun/job.hpp"
#include "benchrun/launch.hpp"
#include "benchrun/plan.hpp"
#include "core/fd.hpp"

namespace benchrun {

/// What comes out of a run while it goes on.
struct Listener {
  std::function<void(const std::vector<Row>&)> rows;
  std::function<void(const Trouble&)> trouble;
  std::function<void(std::size_t finished_hosts)> progress;
  std::function<void(std::string_view)> text;  ///< of launcher and command
};

/// Measures all hosts of a plan: launches, waits, asks the silent ones, launches the others again.
/// One thread, one poll; all decisions are in step().
class Run {
 public:
  Run(const Plan& plan, const Launcher& launcher, std::string rank_program, Listener listener);
  /// Ends all that still runs.
  ~Run();

  /// Measures until every host is finished or lost. Returns the signal (SIGINT, SIGTERM, SIGHUP)
  /// that interrupted it. Throws core::Error when launcher and rank program do not fit together.
  std::optional<int> measure();
  /// What came from hosts that were not finished when it was interrupted.
  std::vector<Row> held_rows() const { return gather_.held_rows(); }
  double seconds() const;
  /// What the launchers complained about last.
  const std::string& complaints() const { return complaints_; }

 private:
  struct Launched {
    std::unique_ptr<Job> job;
    std::size_t launch = 0;
    std::vector<std::size_t> hosts;  ///< indices into the plan
  };
  struct Probe {
    std::unique_ptr<Job> job;
    std::size_t host = 0;
    double until = 0;
    bool said_hello = false;
  };

  void begin_phase(const Phase& phase);
  bool phase_settled() const;
  void step();
  void expire();
  void ask_silent_hosts();
  void ask(std::size_t host);
  void start_probes();
  void stop_asking();
  void dismiss(std::unique_ptr<Job> job);
  void settle_probes();
  void settle_probe(const Probe& probe, bool timed_out);
  void after_probes();
  void settle_jobs();
  void launch_again();
  void end_lingering_jobs();
  void launch(const std::vector<std::size_t>& hosts);
  void on_record(std::size_t launch, const Record& record);
  std::optional<int> wait();
  double next_event() const;
  double deadline() const;
  void tell();

  std::vector<std::string> rank_arguments() const;
  std::vector<std::string> probe_arguments() const;
  double probe_limit() const;

  const Plan& plan_;
  const Launcher& launcher_;
  std::string rank_program_;
  Listener listener_;
  std::string nonce_;
  Gather gather_;
  HostMatch match_;
  core::Fd signals_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();

  std::vector<Launched> jobs_;
  std::vector<Probe> probes_;
  std::vector<std::unique_ptr<Job>> dismissed_;  ///< asked to end
  std::deque<std::size_t> to_ask_;
  std::vector<bool> asked_;        ///< in this round of probes
  std::vector<unsigned> answers_;  ///< probes that a silent host answered, in this phase
  bool asking_ = false;
  unsigned launches_ = 0;   ///< in this phase
  unsigned fruitless_ = 0;  ///< launches in a row that settled no host
  unsigned failures_ = 0;   ///< that ranks reported since the last launch
  std::size_t settled_at_launch_ = 0;
  std::optional<double> linger_until_;
  bool expired_ = false;
  std::string complaints_;
};

}  // namespace benchrun
