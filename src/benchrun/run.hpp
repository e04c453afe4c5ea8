// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "benchrun/gather.hpp"
#include "benchrun/host_match.hpp"
#include "benchrun/job.hpp"
#include "benchrun/launch.hpp"
#include "benchrun/plan.hpp"
#include "benchrun/probes.hpp"
#include "core/fd.hpp"

namespace benchrun {

/// What comes out of a run while it goes on.
struct Listener {
  std::function<void(std::size_t host, const std::string&)> hardware;  ///< before rows of the host
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

  /// Measures until every host is finished or lost in each of these phases. Can be called again
  /// with further ones. Returns the signal (SIGINT, SIGTERM, SIGHUP) that interrupted it. Throws
  /// core::Error when launcher and rank program, or launcher and command, do not fit together.
  std::optional<int> measure(std::span<const Phase> phases);
  /// What came from hosts that were not finished when it was interrupted.
  std::vector<Row> held_rows() const { return gather_.held_rows(); }
  double seconds() const;
  /// When the budget is spent, in the same clock; known better once warm-ups were reported.
  double deadline();
  /// What the launchers complained about last.
  const std::string& complaints() const { return complaints_; }
  /// The command used MPI, and no rank knew of the others.
  bool ranks_are_apart() const { return ranks_are_apart_; }

 private:
  struct Launched {
    std::unique_ptr<Job> job;
    std::size_t launch = 0;
    std::vector<std::size_t> hosts;  ///< indices into the plan
  };
  void begin_phase(const Phase& phase);
  bool phase_settled() const;
  void step();
  void expire();
  void ask_silent_hosts();
  void take_answers();
  void after_round();
  bool cannot_end(const Launched& launched) const;
  bool one_job() const;
  void end_jobs();
  void end_waiting_jobs();
  void settle_jobs();
  void settle_job(const Launched& ended);
  void launch_again();
  std::optional<std::uint32_t> rank_that_fails() const;
  void give_up(const std::vector<std::size_t>& hosts, const std::string& reason);
  void end_lingering_jobs();
  void launch(const std::vector<std::size_t>& hosts);
  void on_record(std::size_t launch, const core::Record& record);
  void on_alone(std::uint32_t ranks, const std::string& mpi);
  std::optional<int> wait();
  void let_records_gather();
  int milliseconds_to_next_event();
  void tell();
  bool open(std::size_t host) const { return !gather_.finished(host) && !gather_.lost(host); }

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
  Probes probes_;
  bool open_ended_ = false;        ///< this phase
  std::vector<unsigned> answers_;  ///< probes that an unfinished host answered, in this phase
  unsigned launches_ = 0;          ///< in this phase
  unsigned fruitless_ = 0;         ///< launches in a row that settled no host
  unsigned failures_ = 0;          ///< that ranks reported since the last launch
  std::map<std::uint32_t, std::set<std::size_t>> failed_in_;  ///< by rank, launches of this phase
  std::size_t settled_at_launch_ = 0;
  double next_silence_ = 0;  ///< before that time no host is silent
  double last_event_ = 0;    ///< when a program was heard last
  std::optional<double> linger_until_, waiting_until_;
  std::string complaints_;
  bool ranks_are_apart_ = false;
};

}  // namespace benchrun
