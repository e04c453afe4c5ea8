// SPDX-License-Identifier: BSD-3-Clause
#include "instances.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace instances {
namespace {

using cosched_exec::SpeedTable;
using Matrix = std::vector<std::vector<double>>;

bool in(std::size_t mask, std::size_t task) { return (mask >> task & 1) != 0; }

/// p uniform in 50..150 s; f from `speed` for tasks in sets of two and more.
SpeedTable table(Random& random, std::size_t tasks,
                 const std::function<double(const SpeedTable&, std::size_t, std::size_t)>& speed) {
  SpeedTable table;
  for (std::size_t i = 0; i < tasks; ++i) table.p.push_back(uniform(random, 50, 150));
  table.f.assign(std::size_t{1} << tasks, std::vector<double>(tasks, 0));
  for (std::size_t mask = 1; mask < table.f.size(); ++mask)
    for (std::size_t i = 0; i < tasks; ++i)
      if (in(mask, i)) table.f[mask][i] = (mask & (mask - 1)) == 0 ? 1 : speed(table, mask, i);
  return table;
}

Matrix matrix(std::size_t rows, std::size_t columns,
              const std::function<double(std::size_t, std::size_t)>& value) {
  Matrix result(rows, std::vector<double>(columns));
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) result[r][c] = value(r, c);
  return result;
}

SpeedTable resources(Random& random, std::size_t tasks, std::size_t count) {
  const Matrix demand =
      matrix(count, tasks, [&](std::size_t, std::size_t) { return uniform(random, 0.1, 1); });
  return table(random, tasks, [&](const SpeedTable&, std::size_t mask, std::size_t) {
    double tightest = 1;
    for (const auto& resource : demand) {
      double sum = 0;
      for (std::size_t i = 0; i < tasks; ++i) sum += in(mask, i) ? resource[i] : 0;
      tightest = std::max(tightest, sum);
    }
    return 1 / tightest;
  });
}

SpeedTable pairwise(Random& random, std::size_t tasks, const Matrix& a) {
  return table(random, tasks, [&](const SpeedTable&, std::size_t mask, std::size_t i) {
    double sum = 1;
    for (std::size_t k = 0; k < tasks; ++k) sum += in(mask, k) && k != i ? a[i][k] : 0;
    return 1 / sum;
  });
}

}  // namespace

double uniform(Random& random, double least, double most) {
  return least + (most - least) * std::ldexp(static_cast<double>(random() >> 11), -53);
}

SpeedTable bottleneck(Random& random, std::size_t tasks) { return resources(random, tasks, 1); }

SpeedTable shared(Random& random, std::size_t tasks) { return resources(random, tasks, 3); }

SpeedTable pair(Random& random, std::size_t tasks) {
  return pairwise(random, tasks, matrix(tasks, tasks, [&](std::size_t, std::size_t) {
                    return -0.6 * std::log(1 - uniform(random, 0, 1));
                  }));
}

SpeedTable two_class(Random& random, std::size_t tasks) {
  std::vector<bool> kind;
  for (std::size_t i = 0; i < tasks; ++i) kind.push_back(uniform(random, 0, 1) < 0.5);
  return pairwise(random, tasks, matrix(tasks, tasks, [&](std::size_t i, std::size_t k) {
                    return kind[i] == kind[k] ? uniform(random, 0.5, 1.5) : uniform(random, 0, 0.2);
                  }));
}

SpeedTable monotone(Random& random, std::size_t tasks) {
  return table(random, tasks, [&](const SpeedTable& known, std::size_t mask, std::size_t i) {
    double least = 1;
    for (std::size_t k = 0; k < tasks; ++k)
      if (in(mask, k) && k != i) least = std::min(least, known.f[mask ^ (std::size_t{1} << k)][i]);
    return least * uniform(random, 0.5, 1);
  });
}

SpeedTable rough(Random& random, std::size_t tasks) {
  return table(random, tasks,
               [&](const SpeedTable&, std::size_t, std::size_t) { return uniform(random, 0, 1); });
}

}  // namespace instances
