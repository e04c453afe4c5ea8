// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/gather.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "benchrun/misfit.hpp"
#include "core/stats.hpp"

namespace benchrun {

namespace {

/// How many different runs of a benchmark there are. They come in order; a run in which a host had
/// several partners has several rows.
std::uint32_t runs_of(const std::vector<Row>& rows, std::size_t bench) {
  std::uint32_t count = 0;
  std::optional<std::uint32_t> last;
  for (const Row& row : rows) {
    if (row.bench != bench || row.run == last) continue;
    last = row.run;
    ++count;
  }
  return count;
}

}  // namespace

Gather::Gather(std::vector<std::string> hosts, std::size_t benches)
    : names_(std::move(hosts)), benches_(benches), hosts_(names_.size()), open_(names_.size()) {}

void Gather::begin_phase(std::uint32_t first_run, std::uint32_t runs) {
  first_run_ = first_run;
  runs_ = runs;
  for (Host& host : hosts_) {
    host.state = State::unfinished;
    host.launch.reset();
    host.lost = host.lost || host.troubled;
  }
  open_ = static_cast<std::size_t>(std::ranges::count(hosts_, false, &Host::lost));
  finished_ = 0;
  for (Launch& launch : launches_) launch.ranks = {};
}

std::size_t Gather::begin_launch(const std::vector<std::size_t>& hosts,
                                 const std::vector<std::uint32_t>& ranks, double now) {
  Launch launch;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    Host& host = hosts_[hosts[i]];
    host.launch = launches_.size();
    host.expected_ranks = ranks[i];
    host.since = now;
    host.ranks.clear();
    host.whole_ranks = 0;
    launch.size += ranks[i];
  }
  launch.ranks.reserve(launch.size);
  launches_.push_back(std::move(launch));
  return launches_.size() - 1;
}

void Gather::hello(std::size_t number, const core::Record& record, std::size_t host_index,
                   double now) {
  Launch& launch = launches_[number];
  Host& host = hosts_[host_index];
  if (!launch.running || host.launch != number) return;
  if (!record.rank) do_not_fit("no variable of a launcher tells the ranks their numbers");
  if (record.size && *record.size != launch.size)
    do_not_fit(fmt::format("{} ranks were asked for, but rank {} on {} counts {}", launch.size,
                           *record.rank, names_[host_index], *record.size));
  if (*record.rank >= launch.size || launch.ranks.contains(*record.rank))
    do_not_fit(fmt::format("{} of {} ranks says that it is rank {}",
                           *record.rank >= launch.size ? "one" : "more than one", launch.size,
                           *record.rank));
  if (host.ranks.size() == host.expected_ranks)
    do_not_fit(fmt::format("{} was to get {} ranks and got more", names_[host_index],
                           host.expected_ranks));
  host.ranks.push_back(*record.rank);
  Rank rank;
  rank.host = host_index;
  rank.last = now;
  rank.failed.assign(benches_, false);
  launch.ranks.emplace(*record.rank, std::move(rank));
}

Gather::Rank* Gather::rank_of(std::size_t number, const core::Record& record) {
  Launch& launch = launches_[number];
  if (!launch.running || !record.rank) return nullptr;
  const auto found = launch.ranks.find(*record.rank);
  if (found == launch.ranks.end() || found->second.ended) return nullptr;
  const Host& host = hosts_[found->second.host];
  return host.launch == number && !host.lost ? &found->second : nullptr;
}

void Gather::take(std::size_t launch, const core::Record& record, double now) {
  Rank* const rank = rank_of(launch, record);
  if (rank == nullptr || record.bench >= benches_) return;
  rank->last = now;
  if (record.kind == core::RecordKind::alive) return;
  if (record.kind == core::RecordKind::cut) {
    rank->cut = record.split;
    return;
  }
  if (record.kind != core::RecordKind::end) {
    const auto peer = record.peer ? host_of(launch, *record.peer) : std::nullopt;
    if (record.peer && !peer) return;  // its hello was lost, so this is lost too
    ++rank->records;
    return store(*rank, record, peer);
  }
  rank->ended = true;
  if (rank->records != record.count) return;
  Host& host = hosts_[rank->host];
  if (++host.whole_ranks == host.expected_ranks) finish(rank->host);
}

std::optional<std::size_t> Gather::host_of(std::size_t launch, std::uint32_t rank) const {
  const auto found = launches_[launch].ranks.find(rank);
  if (found == launches_[launch].ranks.end()) return std::nullopt;
  return found->second.host;
}

void Gather::store(Rank& rank, const core::Record& record, std::optional<std::size_t> peer) {
  const bool only_warms_up = runs_ == 0 && record.kind == core::RecordKind::time;
  if (record.kind == core::RecordKind::warm || only_warms_up) warm_ups_.push_back(record.seconds);
  if (record.kind == core::RecordKind::warm) return;
  Row row;
  row.host = rank.host;
  row.bench = record.bench;
  row.rank = record.rank;
  row.seconds = record.seconds;
  row.status = record.status;
  row.split = record.split;
  row.run = first_run_ + record.run;
  row.peer = peer;
  if (record.kind == core::RecordKind::fail) {
    rank.failed[record.bench] = true;
    row.run = first_run_ + runs_of(rank.rows, record.bench);
    trouble(rank.host, record.status, record.reason);
  } else if (record.status != core::RowStatus::ok) {
    trouble(rank.host, record.status, "the benchmark's own check found a wrong result");
  }
  if (runs_ > 0 || row.status != core::RowStatus::ok) rank.rows.push_back(row);
}

void Gather::trouble(std::size_t host, core::RowStatus status, const std::string& reason) {
  if (std::exchange(hosts_[host].troubled, true)) return;
  new_troubles_.push_back({host, status, reason});
}

bool Gather::any_failed(const Host& host) const {
  const auto& ranks = launches_[*host.launch].ranks;
  return std::ranges::any_of(host.ranks, [&](std::uint32_t rank) {
    return std::ranges::count(ranks.at(rank).failed, true) > 0;
  });
}

/// With what its ranks have reported.
void Gather::finish(std::size_t index) {
  std::vector<Row> rows = rows_of(index);
  const std::size_t reported = rows.size();
  add_missing_rows(index, core::RowStatus::failed, rows);
  if (rows.size() > reported) trouble(index, core::RowStatus::failed, "not all runs were reported");
  hand_out(index, rows);
}

void Gather::hand_out(std::size_t index, const std::vector<Row>& rows) {
  Host& host = hosts_[index];
  host.state = State::finished;
  --open_;
  ++finished_;
  host.has_rows = host.has_rows || !rows.empty();
  new_rows_.insert(new_rows_.end(), rows.begin(), rows.end());
  forget_rows(host);
}

/// They were handed out. With a million ranks it matters.
void Gather::forget_rows(const Host& host) {
  if (!host.launch) return;
  for (const std::uint32_t number : host.ranks) launches_[*host.launch].ranks.at(number).rows = {};
}

/// Runs 0 to n - 1 of this phase that every rank has reported of every benchmark, in order.
std::uint32_t Gather::complete_runs(std::size_t index) const {
  const Host& host = hosts_[index];
  if (!host.launch || host.ranks.empty() || host.ranks.size() != host.expected_ranks) return 0;
  std::uint32_t least = runs_;
  for (const std::uint32_t number : host.ranks) {
    const std::vector<Row>& rows = launches_[*host.launch].ranks.at(number).rows;
    std::vector<std::uint32_t> next(benches_, 0);
    for (const Row& row : rows)
      if (row.run == first_run_ + next[row.bench]) ++next[row.bench];  // the first of the run
    least = std::min(least, std::ranges::min(next));
  }
  return least;
}

bool Gather::settle_for_less(std::size_t index) {
  const std::uint32_t runs = complete_runs(index);
  if (hosts_[index].troubled || (runs == 0 && !hosts_[index].has_rows)) return false;
  std::vector<Row> rows = hosts_[index].launch ? rows_of(index) : std::vector<Row>{};
  std::erase_if(rows, [&](const Row& row) { return row.run >= first_run_ + runs; });
  hand_out(index, rows);
  hosts_[index].launch.reset();  // what its ranks still report is not wanted
  return true;
}

std::vector<Row> Gather::rows_of(std::size_t index) const {
  const Host& host = hosts_[index];
  std::vector<Row> rows;
  for (const std::uint32_t rank : host.ranks) {
    const std::vector<Row>& own = launches_[*host.launch].ranks.at(rank).rows;
    rows.insert(rows.end(), own.begin(), own.end());
  }
  return rows;
}

/// One row for every rank and benchmark that has neither all its runs nor a failure; one without a
/// rank where the host never started one.
void Gather::add_missing_rows(std::size_t index, core::RowStatus status,
                              std::vector<Row>& rows) const {
  const Host& host = hosts_[index];
  const auto add = [&](std::size_t bench, std::optional<std::uint32_t> rank, std::uint32_t run,
                       const core::Split& split = {}) {
    rows.push_back({index, bench, rank, first_run_ + run, status, std::nan(""), split});
  };
  for (std::size_t bench = 0; bench < benches_; ++bench) {
    if (host.ranks.empty()) add(bench, std::nullopt, 0);
    for (const std::uint32_t number : host.ranks) {
      const Rank& rank = launches_[*host.launch].ranks.at(number);
      const std::uint32_t runs = runs_of(rank.rows, bench);
      if (!rank.failed[bench] && (runs < runs_ || (runs_ == 0 && !rank.ended)))
        add(bench, number, runs, rank.cut);
    }
  }
}

void Gather::end_launch(std::size_t number) {
  launches_[number].running = false;
  for (const std::size_t host : unfinished())
    if (hosts_[host].launch == number && any_failed(hosts_[host])) finish(host);
}

void Gather::lose(std::size_t index, core::RowStatus status, const std::string& reason) {
  Host& host = hosts_[index];
  if (host.lost || host.state == State::finished) return;
  std::vector<Row> rows = host.launch ? rows_of(index) : std::vector<Row>{};
  add_missing_rows(index, status, rows);
  host.lost = true;
  --open_;
  forget_rows(host);
  new_rows_.insert(new_rows_.end(), rows.begin(), rows.end());
  trouble(index, status, reason);
}

double Gather::last_heard(const Host& host) const {
  double last = host.since;
  if (host.ranks.size() < host.expected_ranks) return last;
  last = INFINITY;
  for (const std::uint32_t number : host.ranks) {
    const Rank& rank = launches_[*host.launch].ranks.at(number);
    if (!rank.ended) last = std::min(last, std::max(rank.last, host.since));
  }
  return last;
}

void Gather::heard(std::size_t host, double now) { hosts_[host].since = now; }

std::vector<std::size_t> Gather::unfinished() const {
  std::vector<std::size_t> hosts;
  for (std::size_t i = 0; i < hosts_.size(); ++i)
    if (!hosts_[i].lost && hosts_[i].state == State::unfinished) hosts.push_back(i);
  return hosts;
}

std::vector<std::size_t> Gather::silent(double now, double timeout) const {
  std::vector<std::size_t> hosts;
  for (const std::size_t i : unfinished()) {
    const Host& host = hosts_[i];
    if (host.launch && launches_[*host.launch].running && now - last_heard(host) >= timeout)
      hosts.push_back(i);
  }
  return hosts;
}

bool Gather::reporting(std::size_t index, double now, double timeout) const {
  const Host& host = hosts_[index];
  return host.launch && launches_[*host.launch].running && !host.ranks.empty() &&
         now - last_heard(host) < timeout;
}

std::optional<double> Gather::next_silence(double timeout) const {
  std::optional<double> next;
  for (const std::size_t i : unfinished()) {
    const Host& host = hosts_[i];
    if (!host.launch || !launches_[*host.launch].running) continue;
    const double at = last_heard(host) + timeout;
    next = std::min(next.value_or(at), at);
  }
  return next;
}

std::vector<Row> Gather::take_rows() { return std::exchange(new_rows_, {}); }

std::vector<Trouble> Gather::take_troubles() { return std::exchange(new_troubles_, {}); }

std::vector<Row> Gather::held_rows() const {
  std::vector<Row> rows;
  for (const std::size_t host : unfinished()) {
    if (!hosts_[host].launch) continue;
    const std::vector<Row> own = rows_of(host);
    rows.insert(rows.end(), own.begin(), own.end());
  }
  return rows;
}

std::optional<double> Gather::warm_up_seconds() {
  const std::size_t count = warm_ups_.size();
  if (count == 0) return std::nullopt;
  // Asked again and again while a million of them come.
  if (count != median_of_ && (count <= kExactWarmUps || count >= 2 * median_of_)) {
    median_of_ = count;
    warm_up_median_ = core::median(warm_ups_);
  }
  return static_cast<double>(benches_) * warm_up_median_;
}

}  // namespace benchrun
