// SPDX-License-Identifier: BSD-3-Clause
#include "simulated_families.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <stdexcept>

namespace cosched_exec::simulated {

namespace {

using Random = std::mt19937;
constexpr std::size_t kTasks = 8;

double uniform(Random& random, double from, double to) {
  return std::uniform_real_distribution<double>(from, to)(random);
}
double log_uniform(Random& random, double from, double to) {
  return std::exp(uniform(random, std::log(from), std::log(to)));
}

/// Resources of size 1 of which each task alone uses demand[r][i]; the tightest counts.
Speeds resources(std::vector<std::vector<double>> demand) {
  return [demand = std::move(demand)](const Combination& set) {
    double worst = 1;
    for (const auto& each : demand) {
      double sum = 0;
      for (const TaskId id : set) sum += each[id];
      worst = std::max(worst, sum);
    }
    return std::vector<double>(set.size(), 1 / worst);
  };
}

Speeds pairs(std::vector<std::vector<double>> slows) {
  return [slows = std::move(slows)](const Combination& set) {
    std::vector<double> f;
    for (const TaskId one : set) {
      double sum = 1;
      for (const TaskId other : set)
        if (other != one) sum += slows[one][other];
      f.push_back(1 / sum);
    }
    return f;
  };
}

std::vector<std::vector<double>> drawn(std::size_t rows, Random& random,
                                       const std::function<double(std::size_t, std::size_t)>& one) {
  static_cast<void>(random);
  std::vector<std::vector<double>> result(rows, std::vector<double>(kTasks));
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t i = 0; i < kTasks; ++i) result[r][i] = one(r, i);
  return result;
}

/// Programs of mixes.md on `cores` cores: those that spin stand still when processors are short;
/// the others share what there is; writers share the disk, scans the page cache.
struct Kinds {
  std::vector<Task> tasks;
  std::vector<bool> writes, scans;
  std::vector<double> floor;                  ///< f of a spinner beside busy programs
  std::vector<double> loss;                   ///< of a spinner for each core too few
  std::vector<std::vector<double>> together;  ///< sum of f of two spinners
  double cores = 2;
};

/// f of each, or what sharing the processors takes from those that do not spin.
std::vector<double> speeds_of(const Kinds& kinds, const Combination& set, bool only_sharing) {
  double asked = 0, spinning = 0, writers = 0, scanners = 0, rest = 0;
  for (const TaskId id : set) {
    asked += kinds.tasks[id].demand;
    if (kinds.tasks[id].spins)
      spinning += 1;
    else
      rest += kinds.tasks[id].demand;
    if (kinds.writes[id]) writers += 1;
    if (kinds.scans[id]) scanners += 1;
  }
  const double over = std::max(0.0, asked - kinds.cores);
  // Water filling among those that do not spin.
  double level = 1e9;
  if (rest > kinds.cores) {
    double low = 0, high = kinds.cores;
    for (int k = 0; k < 50; ++k) {
      level = (low + high) / 2;
      double used = 0;
      for (const TaskId id : set)
        if (!kinds.tasks[id].spins) used += std::min(level, kinds.tasks[id].demand);
      (used > kinds.cores ? high : low) = level;
    }
  }
  std::vector<double> f;
  for (const TaskId id : set) {
    const Task& task = kinds.tasks[id];
    if (task.spins) {
      double own = over > 0.05 ? std::max(kinds.floor[id], 1 - kinds.loss[id] * over) : 1;
      if (spinning > 1 && over > 0.05)
        for (const TaskId other : set)
          if (other != id && kinds.tasks[other].spins)
            own = std::min(own, kinds.together[id][other] / 2);
      f.push_back(own);
      continue;
    }
    double own = std::min(1.0, level / task.demand);
    if (spinning > 0 && over > 0.05) own *= task.demand > 0.9 ? 0.9 : 0.88;
    if (!only_sharing && kinds.writes[id]) own *= std::min(1.0, 1.1 / writers);
    if (!only_sharing && kinds.scans[id] && scanners > 1) own = std::min(own, 0.8 / scanners);
    f.push_back(own);
  }
  return f;
}

class KindsBuilder {
 public:
  explicit KindsBuilder(unsigned seed) : random_(seed) {}

  /// `unlike`: how much the rates of tasks of one program differ.
  void add(const std::string& program, double p, double unlike) {
    Task task;
    task.program = program;
    task.p = p;
    bool writes = false, scans = false;
    if (program == "slp") {
      task.demand = 0.55;
    } else if (program == "fsy") {
      task.demand = 0.2;
      writes = true;
    } else if (program == "scan") {
      task.demand = 0.9;
      scans = true;
    } else if (program == "dg1" || program == "lmp1" || program == "xz") {
      task.demand = 1;
      task.startup = 0.05;
    } else {
      task.demand = 2;
      task.spins = true;
      const auto known = rates_.try_emplace(program, log_uniform(random_, 500, 20000)).first;
      task.rate = task.events =
          known->second * std::exp(unlike * std::normal_distribution<double>(0, 1)(random_));
      task.startup = 0.3;
    }
    if (!task.spins) task.rate = task.demand;  // CPU seconds
    kinds_.tasks.push_back(task);
    kinds_.writes.push_back(writes);
    kinds_.scans.push_back(scans);
    kinds_.floor.push_back(log_uniform(random_, 1.0 / 70, 1.0 / 3));
    kinds_.loss.push_back(uniform(random_, 0.8, 1.2));
  }

  Node node(double drift) {
    const std::size_t n = kinds_.tasks.size();
    kinds_.together.assign(n, std::vector<double>(n, 0));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < i; ++k)
        kinds_.together[i][k] = kinds_.together[k][i] =
            sum(kinds_.tasks[i].program, kinds_.tasks[k].program);
    Node node;
    node.processors = 2;
    node.tasks = kinds_.tasks;
    node.drift = drift;
    node.speeds = [kinds = kinds_](const Combination& set) { return speeds_of(kinds, set, false); };
    node.waiting = [kinds = kinds_](const Combination& set) {
      std::vector<double> lost = speeds_of(kinds, set, true);
      for (double& each : lost) each = 1 - each;
      return lost;
    };
    return node;
  }

 private:
  double sum(const std::string& one, const std::string& other) {
    const auto are = [&](const char* a, const char* b) {
      return (one == a && other == b) || (one == b && other == a);
    };
    if (are("gmx2", "jac")) return 0.05;
    if (are("gmx2", "gmx2")) return 0.07;
    if (are("lmp2", "gmx2")) return 0.52;
    if (are("lmp2", "lmp2")) return 0.53;
    if (are("jac", "jac")) return 0.025;
    return log_uniform(random_, 0.01, 0.5);
  }

  Random random_;
  std::map<std::string, double> rates_;
  Kinds kinds_;
};

Node spin_instance(unsigned seed) {
  Random random(seed);
  KindsBuilder builder(seed + 1000);
  const char* const names[] = {"gmx2", "jac", "lmp2", "mpi", "dg1", "lmp1", "xz", "slp", "slp"};
  for (std::size_t i = 0; i < kTasks; ++i) {
    // At least two that spin, as in the mixes.
    const std::size_t pick = i < 2 ? random() % 4 : random() % 9;
    builder.add(names[pick], uniform(random, 50, 150), 0.3);
  }
  return builder.node(0);
}

}  // namespace

std::string name(Family family) {
  switch (family) {
    case Family::bottleneck:
      return "bottleneck";
    case Family::shared:
      return "shared";
    case Family::pair:
      return "pair";
    case Family::two_class:
      return "two-class";
    case Family::spin:
      return "spin";
  }
  return "";
}

Node instance(Family family, unsigned seed) {
  if (family == Family::spin) return spin_instance(seed);
  Random random(seed);
  Node node;
  node.processors = kTasks;
  for (std::size_t i = 0; i < kTasks; ++i) {
    Task task;
    task.program = "program" + std::to_string(i);
    task.p = uniform(random, 50, 150);
    task.rate = log_uniform(random, 10, 10000);
    node.tasks.push_back(task);
  }
  if (family == Family::bottleneck || family == Family::shared) {
    const std::size_t rows = family == Family::shared ? 3 : 1;
    node.speeds = resources(
        drawn(rows, random, [&](std::size_t, std::size_t) { return uniform(random, 0.1, 1); }));
  } else if (family == Family::pair) {
    std::exponential_distribution<double> exponential(1 / 0.6);
    node.speeds =
        pairs(drawn(kTasks, random, [&](std::size_t, std::size_t) { return exponential(random); }));
  } else {
    node.speeds = pairs(drawn(kTasks, random, [&](std::size_t i, std::size_t k) {
      return i % 2 == k % 2 ? uniform(random, 0.5, 1.5) : uniform(random, 0, 0.2);
    }));
  }
  return node;
}

Node mix(char letter, double seconds, unsigned seed) {
  std::vector<std::string> programs;
  switch (letter) {
    case 'A':
      programs = {"mpi", "mpi", "mpi", "mpi"};
      break;
    case 'B':
      programs = {"jac", "dg2", "jac", "dg2"};
      break;
    case 'C':
      programs = {"slp", "slp", "slp", "slp", "slp", "slp", "fsy", "fsy"};
      break;
    case 'D':
      programs = {"dg1", "lmp1", "xz", "dg1", "lmp1", "xz"};
      break;
    case 'F':
      programs = {"scan", "scan", "scan", "dg1", "dg1", "dg1"};
      break;
    case 'G':
      programs = {"lmp2", "gmx2", "mpi", "dg2", "xz", "slp"};
      break;
    case 'H':
      programs = {"gmx2", "jac", "dg1", "lmp1", "xz", "slp", "slp"};
      break;
    case 'J':
      programs = {"lmp2", "gmx2", "lmp2", "gmx2"};
      break;
    case 'K':
      programs = {"mpi", "gmx2", "slp", "slp", "slp", "slp", "fsy", "lmp1"};
      break;
    default:
      throw std::invalid_argument("no such mix");
  }
  Random random(seed);
  KindsBuilder builder(seed + 1000);
  for (const std::string& each : programs)
    builder.add(each, seconds * uniform(random, 0.9, 1.1), 0);
  return builder.node(0.07);
}

SpeedTable table(const Node& node) {
  SpeedTable table;
  const std::size_t n = node.tasks.size();
  for (const Task& task : node.tasks) table.p.push_back(task.p);
  table.f.assign(std::size_t{1} << n, std::vector<double>(n, 0));
  for (std::size_t mask = 1; mask < table.f.size(); ++mask) {
    Combination set;
    for (std::size_t i = 0; i < n; ++i)
      if ((mask >> i & 1) != 0) set.push_back(i);
    const std::vector<double> f = node.speeds(set);
    for (std::size_t k = 0; k < set.size(); ++k) table.f[mask][set[k]] = f[k];
  }
  return table;
}

}  // namespace cosched_exec::simulated
