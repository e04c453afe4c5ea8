// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <ostream>

#include "core/duration.hpp"
#include "cosched_exec/views/report.hpp"

namespace cosched_exec {

namespace {

constexpr std::size_t kWidestName = 24;
/// Of more tasks only those that failed are listed, and at most as many.
constexpr std::size_t kMostRows = 40;

/// A character of UTF-8 counts once.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

void cut(std::string& text, std::size_t columns) {
  while (width(text) > columns) {
    while ((text.back() & 0xc0) == 0x80) text.pop_back();
    text.pop_back();
  }
}

std::string padded(std::string name, std::size_t columns) {
  if (width(name) > columns) {
    cut(name, columns - 1);
    name += '~';
  }
  return name + std::string(columns - width(name), ' ');
}

std::string duration(double seconds) { return seconds > 0 ? core::human_duration(seconds) : "-"; }

std::string exit_of(const Outcome& outcome) {
  if (outcome.kind == Outcome::Kind::not_run) return "not run";
  return outcome.signal == 0 ? std::to_string(outcome.status) : signal_name(outcome.signal);
}

std::string row_of(const Outcome& outcome, const Report::Row& row) {
  const bool ended = outcome.kind == Outcome::Kind::ended;
  return fmt::format("{:>9} {:>9} {:>8} {:>5} {:>9} {:>8}", duration(row.alone),
                     ended ? core::human_duration(outcome.end - outcome.start) : "-",
                     row.slowdown > 0 ? fmt::format("{:.2f}", row.slowdown) : "-",
                     ended ? fmt::format("{:.0f} %", 100 * row.share_run) : "-",
                     ended ? name(outcome.source) : "-", exit_of(outcome));
}

bool is_ok(const Outcome& outcome) {
  return outcome.kind == Outcome::Kind::ended && outcome.status == 0;
}

std::vector<TaskId> listed(const std::vector<Outcome>& outcomes) {
  std::vector<TaskId> rows;
  for (TaskId id = 0; id < outcomes.size(); ++id)
    if (outcomes.size() <= kMostRows || !is_ok(outcomes[id])) rows.push_back(id);
  if (rows.size() > kMostRows) rows.resize(kMostRows);
  return rows;
}

void write_rows(std::ostream& out, const std::vector<Task>& tasks,
                const std::vector<Outcome>& outcomes, const Report& report) {
  const std::vector<TaskId> rows = listed(outcomes);
  std::size_t columns = 4;
  for (const TaskId id : rows) columns = std::max(columns, width(tasks[id].name));
  columns = std::min(columns, kWidestName);
  if (!rows.empty())
    out << fmt::format("{} {:>9} {:>9} {:>8} {:>5} {:>9} {:>8}\n", padded("task", columns), "alone",
                       "took", "slowdown", "run", "measure", "exit");
  for (const TaskId id : rows)
    out << padded(tasks[id].name, columns) << ' ' << row_of(outcomes[id], report.rows[id]) << '\n';
}

/// How all of them ended, where not all are listed or not all went well.
void write_count(std::ostream& out, const std::vector<Outcome>& outcomes) {
  std::size_t ok = 0, failed = 0, stopped = 0, not_run = 0;
  for (const Outcome& outcome : outcomes)
    ++(outcome.kind == Outcome::Kind::not_run ? not_run
       : outcome.status == 0                  ? ok
       : outcome.ended_by_us                  ? stopped
                                              : failed);
  if (ok == outcomes.size() && ok <= kMostRows) return;
  out << fmt::format("{} task{}: {} ok, {} failed", outcomes.size(),
                     outcomes.size() == 1 ? "" : "s", ok, failed);
  if (stopped > 0) out << fmt::format(", {} stopped", stopped);
  if (not_run > 0) out << fmt::format(", {} not run", not_run);
  out << '\n';
}

void write_figures(std::ostream& out, const Report& report) {
  out << "makespan " << core::human_duration(report.makespan);
  if (const auto above = excess(report))
    out << fmt::format(", within {:.0f} % of the optimum {} for the measured speeds", 100 * *above,
                       core::human_duration(*report.optimum));
  out << '\n';
  if (report.fairness) out << fmt::format("fairness J {:.2f}, ", *report.fairness);
  out << "probing cost " << core::human_duration(std::max(0.0, report.probing_cost)) << '\n';
}

}  // namespace

std::string signal_name(int signal) {
  const char* const abbreviation = ::sigabbrev_np(signal);
  return abbreviation != nullptr ? fmt::format("SIG{}", abbreviation)
                                 : fmt::format("signal {}", signal);
}

void write_summary(std::ostream& out, const std::vector<Task>& tasks, const Supervised& supervised,
                   const Report& report) {
  write_rows(out, tasks, supervised.outcomes, report);
  write_count(out, supervised.outcomes);
  write_figures(out, report);
}

}  // namespace cosched_exec
