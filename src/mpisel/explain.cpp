// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "core/plural.hpp"
#include "core/stats.hpp"
#include "mpisel/evidence.hpp"

namespace mpisel {
namespace {

/// One unit for a whole column, so that its numbers can be compared at a glance.
struct Unit {
  std::string_view name;
  double per_second;
};

Unit unit_for(double typical_seconds) {
  constexpr std::array units{Unit{"s", 1}, Unit{"ms", 1e3}, Unit{"us", 1e6}};
  for (const Unit& unit : units)
    if (typical_seconds * unit.per_second >= 1) return unit;
  return units.back();
}

using Row = std::vector<std::string>;

std::string cell(double value) { return std::isfinite(value) ? fmt::format("{:.3f}", value) : "-"; }

std::vector<Unit> units_of(const Selection& selection) {
  std::vector<Unit> units;
  for (std::size_t bench = 0; bench < selection.benches.size(); ++bench) {
    std::vector<double> times;
    for (const Decision& decision : selection.hosts)
      if (decision.score.usable && std::isfinite(decision.score.times[bench]))
        times.push_back(decision.score.times[bench]);
    units.push_back(unit_for(times.empty() ? 1 : core::median(std::move(times))));
  }
  return units;
}

Row header(const Selection& selection, const Evidence& evidence, const std::vector<Unit>& units) {
  Row row{"host"};
  for (std::size_t bench = 0; bench < units.size(); ++bench)
    row.push_back(
        fmt::format("{}{} [{}]", selection.benches[bench],
                    selection.measures[bench] == core::Measure::computing ? " computing" : "",
                    units[bench].name));
  row.push_back("ratio");
  if (evidence.tells) row.insert(row.end(), {"to the others", "pace"});
  if (evidence.several_kinds) row.push_back("hardware");
  row.push_back("decision");
  return row;
}

/// "1.111 (1.089-1.146)"
std::string with_interval(const core::Judged& judged) {
  if (!std::isfinite(judged.interval.high)) return cell(judged.ratio);
  return fmt::format("{:.3f} ({:.3f}-{:.3f})", judged.ratio, judged.interval.low,
                     judged.interval.high);
}

Row row_of(const Selection& selection, std::size_t index, const Evidence& evidence,
           const std::vector<Unit>& units) {
  const Decision& decision = selection.hosts[index];
  const core::Judged& judged = evidence.hosts[index];
  Row row{decision.score.host};
  for (std::size_t bench = 0; bench < units.size(); ++bench)
    row.push_back(cell(decision.score.times[bench] * units[bench].per_second));
  row.push_back(decision.score.usable ? cell(decision.score.ratio) : "-");
  if (evidence.tells)
    row.insert(row.end(),
               {with_interval(judged),
                decision.score.usable ? std::string(core::to_string(judged.pace)) : "-"});
  if (evidence.several_kinds)
    row.push_back(decision.score.hardware.empty() ? "-" : decision.score.hardware);
  row.push_back(reason(selection, decision));
  return row;
}

/// The host and the decision to the left, numbers to the right.
void print_aligned(std::ostream& out, const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (const Row& row : rows) {
    std::string line = fmt::format("{:<{}}", row[0], widths[0]);
    for (std::size_t i = 1; i + 1 < row.size(); ++i)
      line += fmt::format("  {:>{}}", row[i], widths[i]);
    out << line << "  " << row.back() << '\n';
  }
}

std::string counted_switches(std::size_t count) {
  return fmt::format("{} switch{}", count, count == 1 ? "" : "es");
}

std::string summary(const Selection& selection) {
  if (selection.chosen.empty())
    return fmt::format("asked for {} of {} hosts, {} usable", selection.asked,
                       selection.hosts.size(), selection.selectable);
  double slowest_kept = 0, fastest_left = INFINITY;
  for (const Decision& decision : selection.hosts) {
    if (decision.verdict == Verdict::kept)
      slowest_kept = std::max(slowest_kept, decision.score.ratio);
    if (left_as_slow(decision.verdict) && decision.verdict != Verdict::apart)
      fastest_left = std::min(fastest_left, decision.score.ratio);
  }
  std::string text = fmt::format("kept {} of {} hosts; slowest kept: ratio {:.3f}", selection.asked,
                                 selection.hosts.size(), slowest_kept);
  if (std::isfinite(fastest_left))
    text += fmt::format("; fastest left out as slow: ratio {:.3f}", fastest_left);
  if (selection.compacted)
    text +=
        fmt::format("; {} between them, {} without --compact",
                    counted_switches(selection.compacted->switches), selection.compacted->plain);
  return text;
}

bool in_answer(const Decision& decision) {
  return decision.verdict == Verdict::kept || decision.verdict == Verdict::usable;
}

}  // namespace

void explain(std::ostream& out, const Selection& selection) {
  const std::vector<Unit> units = units_of(selection);
  const Evidence evidence = weigh(selection);
  const bool every_host = selection.hosts.size() <= kMostExplained;
  std::vector<Row> rows{header(selection, evidence, units)};
  std::size_t hidden_kept = 0, hidden_left = 0;
  for (std::size_t i = 0; i < selection.hosts.size(); ++i) {
    if (!every_host && in_answer(selection.hosts[i]))
      ++hidden_kept;
    else if (rows.size() > kMostExplained)
      ++hidden_left;
    else
      rows.push_back(row_of(selection, i, evidence, units));
  }
  print_aligned(out, rows);
  if (hidden_left > 0) out << fmt::format("... and {} more left out\n", hidden_left);
  if (hidden_kept > 0)
    out << fmt::format("... and {} {} (--json lists every host)\n", hidden_kept,
                       selection.chosen.empty() ? "usable" : "kept");
  out << summary(selection) << '\n';
  if (evidence.boundary)
    out << fmt::format("the choice is {}settled after {}: {}\n",
                       evidence.boundary->settled ? "" : "not ",
                       core::counted(evidence.runs, "run"), core::describe(*evidence.boundary));
}

}  // namespace mpisel
