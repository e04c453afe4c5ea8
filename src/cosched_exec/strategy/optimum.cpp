// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/optimum.hpp"

#include <fmt/format.h>

#include <ClpSimplex.hpp>
#include <algorithm>
#include <numeric>

#include "core/error.hpp"

namespace cosched_exec {
namespace {

/// The matrix by columns, as CLP takes it: one column for each set, one row for each task.
struct Columns {
  std::vector<CoinBigIndex> start = {0};
  std::vector<int> row;
  std::vector<double> value;
};

Columns columns_of(const SpeedTable& table) {
  Columns columns;
  for (std::size_t mask = 1; mask < table.f.size(); ++mask) {
    for (std::size_t i = 0; i < table.tasks(); ++i) {
      if ((mask >> i & 1) == 0 || table.f[mask][i] <= 0) continue;
      columns.row.push_back(static_cast<int>(i));
      columns.value.push_back(table.f[mask][i]);
    }
    columns.start.push_back(static_cast<CoinBigIndex>(columns.row.size()));
  }
  return columns;
}

void check_progress(const SpeedTable& table) {
  for (std::size_t i = 0; i < table.tasks(); ++i) {
    const bool runs = std::any_of(table.f.begin(), table.f.end(),
                                  [i](const auto& speeds) { return speeds[i] > 0; });
    if (!runs && table.p[i] > 0)
      throw core::Error(fmt::format(
          "task {} of the table of speeds has no speed in any set, so it never ends", i + 1));
  }
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Divides by the greatest sum over a set, so that no set has a sum above 1.
void make_feasible(std::vector<double>& dual, const SpeedTable& table) {
  double greatest = 0;
  for (const auto& speeds : table.f) greatest = std::max(greatest, dot(speeds, dual));
  if (greatest > 0)
    for (double& y : dual) y /= greatest;
}

void solve(ClpSimplex& lp, const SpeedTable& table, const std::vector<double>& work) {
  const Columns columns = columns_of(table);
  const std::vector<double> cost(columns.start.size() - 1, 1.0);
  lp.setLogLevel(0);
  lp.setPrimalTolerance(1e-10);
  lp.setDualTolerance(1e-10);
  lp.loadProblem(static_cast<int>(cost.size()), static_cast<int>(work.size()), columns.start.data(),
                 columns.row.data(), columns.value.data(), nullptr, nullptr, cost.data(),
                 work.data(), work.data());
  lp.dual();  // the costs are not negative: feasible for the dual from the start
  if (!lp.isProvenOptimal())
    throw core::Error("the linear program of the optimum has no solution for these speeds");
}

}  // namespace

Optimum optimum(const SpeedTable& table) {
  check_progress(table);
  const double scale = std::max(std::accumulate(table.p.begin(), table.p.end(), 0.0), 1e-300);
  std::vector<double> work = table.p;
  for (double& p : work) p /= scale;
  ClpSimplex lp;
  solve(lp, table, work);

  Optimum result;
  result.makespan = lp.objectiveValue() * scale;
  result.dual.assign(lp.dualRowSolution(), lp.dualRowSolution() + table.tasks());
  make_feasible(result.dual, table);
  result.bound = dot(table.p, result.dual);
  result.time_in.assign(table.f.size(), 0);
  for (std::size_t mask = 1; mask < table.f.size(); ++mask)
    result.time_in[mask] = std::max(lp.primalColumnSolution()[mask - 1], 0.0) * scale;
  return result;
}

}  // namespace cosched_exec
