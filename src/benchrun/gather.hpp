// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/records.hpp"
#include "core/times.hpp"

namespace benchrun {

/// One row of the table to be.
struct Row {
  std::size_t host = 0;   ///< index into the allocation
  std::size_t bench = 0;  ///< index into the steps
  std::optional<std::uint32_t> rank;
  std::uint32_t run = 0;
  core::RowStatus status = core::RowStatus::ok;
  double seconds = 0;
  core::Split split = {};
  std::optional<std::size_t> peer = {};  ///< index into the allocation
};

/// Why a host is not ok, for the warning.
struct Trouble {
  std::size_t host = 0;
  core::RowStatus status = core::RowStatus::failed;
  std::string reason;
};

/// Which rank of which host has reported what. Pure: time is passed in, in seconds of any clock.
/// A host is finished when all its ranks have reported their end with nothing lost on the way. Its
/// rows are handed out then, all together; so a host that is measured again leaves no double rows.
class Gather {
 public:
  static constexpr std::size_t kExactWarmUps = 1024;

  Gather(std::vector<std::string> hosts, std::size_t benches);

  /// Begins a phase: every host that is not lost has to be measured. runs = 0: only warms up.
  void begin_phase(std::uint32_t first_run, std::uint32_t runs);
  /// Begins a launch over some hosts, with so many ranks on each; forgets what these hosts reported
  /// in this phase. Returns its number.
  std::size_t begin_launch(const std::vector<std::size_t>& hosts,
                           const std::vector<std::uint32_t>& ranks, double now);

  /// A rank says hello from a host. Throws core::Error when launcher and rank program do not fit
  /// together: a rank that came already, a wrong count of ranks, too many ranks on the host.
  void hello(std::size_t launch, const core::Record& record, std::size_t host, double now);
  /// Any other record. Those of unknown ranks or launches that are over are ignored.
  void take(std::size_t launch, const core::Record& record, double now);
  /// The launch is over: nothing more counts from it. Hosts with a rank that failed are finished,
  /// though their other ranks may have been ended with it: to measure them again would not help.
  void end_launch(std::size_t launch);

  /// The host is out for good, in this and in later phases.
  void lose(std::size_t host, core::RowStatus status, const std::string& reason);
  /// Time is up for a host: the repetitions that all its ranks have reported of all benchmarks are
  /// its result, if it has one or more, or some of an earlier phase. Returns whether it has.
  bool settle_for_less(std::size_t host);
  /// Silent hosts were asked and have answered: patience begins anew.
  void heard(std::size_t host, double now);

  /// How many ranks a launch has.
  std::uint32_t ranks(std::size_t launch) const { return launches_[launch].size; }
  std::vector<std::size_t> unfinished() const;
  /// Of the hosts in a running launch those that have told nothing for `timeout` seconds.
  std::vector<std::size_t> silent(double now, double timeout) const;
  /// Whether a host has told something in a running launch within `timeout` seconds.
  bool reporting(std::size_t host, double now, double timeout) const;
  /// When the next host becomes silent; nothing when no host is waited for.
  std::optional<double> next_silence(double timeout) const;

  bool finished(std::size_t host) const { return hosts_[host].state == State::finished; }
  bool lost(std::size_t host) const { return hosts_[host].lost; }
  /// A trouble of it was told.
  bool troubled(std::size_t host) const { return hosts_[host].troubled; }
  std::size_t finished_count() const { return finished_; }
  bool phase_done() const { return open_ == 0; }
  /// Rows and troubles that have come up since the last call.
  std::vector<Row> take_rows();
  std::vector<Trouble> take_troubles();
  /// Rows of hosts that are not finished, for a table that is given up.
  std::vector<Row> held_rows() const;
  /// What the warm-ups of a rank take: the median over what came so far, times the benchmarks;
  /// nothing before the first. Of more than kExactWarmUps it may be that of the first half.
  std::optional<double> warm_up_seconds();

 private:
  enum class State : std::uint8_t { unfinished, finished };
  struct Rank {
    std::size_t host = 0;
    double last = 0;  ///< when it was heard
    bool ended = false;
    std::uint32_t records = 0;
    std::vector<Row> rows;
    std::vector<bool> failed;  ///< by bench
    core::Split cut;           ///< of the run in which its launcher ended it
  };
  struct Host {
    State state = State::unfinished;
    bool lost = false;
    bool troubled = false;
    bool has_rows = false;  ///< handed out
    std::optional<std::size_t> launch;
    std::uint32_t expected_ranks = 0;
    double since = 0;
    std::vector<std::uint32_t> ranks;  ///< that said hello
    std::uint32_t whole_ranks = 0;     ///< that have ended with nothing lost on the way
  };
  struct Launch {
    bool running = true;
    std::uint32_t size = 0;
    std::unordered_map<std::uint32_t, Rank> ranks;
  };

  Rank* rank_of(std::size_t launch, const core::Record& record);
  std::optional<std::size_t> host_of(std::size_t launch, std::uint32_t rank) const;
  void store(Rank& rank, const core::Record& record, std::optional<std::size_t> peer);
  void trouble(std::size_t host, core::RowStatus status, const std::string& reason);
  bool any_failed(const Host& host) const;
  void finish(std::size_t host);
  double last_heard(const Host& host) const;
  std::vector<Row> rows_of(std::size_t host) const;
  std::uint32_t complete_runs(std::size_t host) const;
  void hand_out(std::size_t host, const std::vector<Row>& rows);
  void forget_rows(const Host& host);
  void add_missing_rows(std::size_t host, core::RowStatus status, std::vector<Row>& rows) const;

  std::vector<std::string> names_;
  std::size_t benches_;
  std::uint32_t first_run_ = 0, runs_ = 0;
  std::vector<Host> hosts_;
  std::size_t open_ = 0, finished_ = 0;  ///< of hosts_: unfinished and not lost; finished
  std::vector<Launch> launches_;
  std::vector<Row> new_rows_;
  std::vector<Trouble> new_troubles_;
  std::vector<double> warm_ups_;
  std::size_t median_of_ = 0;  ///< so many of warm_ups_ have this median
  double warm_up_median_ = 0;
};

}  // namespace benchrun
