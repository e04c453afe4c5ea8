// SPDX-License-Identifier: BSD-3-Clause
// Prints what the on-line simulation of models.md 3 says of each strategy: makespan over the
// optimum for the true speeds, and for the mixes of mixes.md over seq and par.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <string_view>

#include "cosched_exec/strategy/optimum.hpp"
#include "simulated_families.hpp"

namespace {

using namespace cosched_exec;
using namespace cosched_exec::simulated;

constexpr Strategy kStrategies[] = {Strategy::seq, Strategy::par, Strategy::fcs,
                                    Strategy::pe,  Strategy::pf,  Strategy::automatic};

SchedulerOptions options(Strategy strategy, const Node& node) {
  SchedulerOptions result;
  result.strategy = strategy;
  result.processors = node.processors;
  return result;
}

void family(Family which, unsigned instances) {
  for (const Strategy strategy : kStrategies) {
    double mean = 0, worst = 0, over_par = 0, left = 0;
    for (unsigned seed = 1; seed <= instances; ++seed) {
      const Node node = instance(which, seed);
      const double best = optimum(table(node)).makespan;
      const double limit = 20 * best;
      const Course result = run(node, options(strategy, node), 12, seed, limit);
      const Course par = run(node, options(Strategy::par, node), 12, seed, limit);
      mean += result.makespan / best / instances;
      worst = std::max(worst, result.makespan / best);
      over_par = std::max(over_par, (result.makespan - result.probing_cost) / par.makespan);
      left = std::max(left, result.left_all);
    }
    std::printf("%-10s %-5s mean %6.3f worst %6.3f  over par %5.3f  leaves all by %6.2f s\n",
                name(which).c_str(), std::string(name_of(strategy)).c_str(), mean, worst, over_par,
                left);
  }
}

void trace(const Course& result) {
  for (const auto& [time, decision] : result.decisions) {
    std::printf("  %7.2f %-5s F %.2f:", time, decision.probe ? "probe" : "", decision.speed);
    for (const TaskId id : decision.run) std::printf(" %zu", id);
    std::printf("  %s\n", decision.reason.c_str());
  }
}

void mixes(double seconds, const char* letters) {
  for (; *letters != 0; ++letters) {
    std::printf("%c", *letters);
    double sum[6] = {}, worst = 0, best = 0, cost = 0;
    constexpr unsigned kSeeds = 9;
    for (unsigned seed = 1; seed <= kSeeds; ++seed) {
      const Node node = mix(*letters, seconds, seed);
      best += optimum(table(node)).makespan;
      double makespan[6] = {};
      for (int k = 0; k < 6; ++k) {
        const Course result = run(node, options(kStrategies[k], node), 12, seed, 2000);
        makespan[k] = result.makespan;
        sum[k] += result.makespan;
        if (k == 5) cost += result.probing_cost;
      }
      worst = std::max(worst, makespan[5] / std::min(makespan[0], makespan[1]));
    }
    for (int k = 0; k < 6; ++k)
      std::printf(" %s %7.1f", std::string(name_of(kStrategies[k])).c_str(), sum[k] / kSeeds);
    std::printf(" opt %.1f  auto/seq %.3f auto/par %.3f worst/better %.3f probing %.2f s\n",
                best / kSeeds, sum[5] / sum[0], sum[5] / sum[1], worst, cost / kSeeds);
  }
}

/// 1,000 equal one-core tasks on 128 cores: over what xargs -P 128 takes.
void many(double seconds) {
  Node node;
  node.processors = 128;
  for (int i = 0; i < 1000; ++i) {
    Task task;
    task.program = "one";
    task.p = seconds * (1 + 0.001 * (i % 7));
    node.tasks.push_back(task);
  }
  const auto speeds = [](const Combination& set) {
    return std::vector<double>(set.size(), std::min(1.0, 128.0 / static_cast<double>(set.size())));
  };
  node.speeds = speeds;
  node.waiting = [](const Combination& set) { return std::vector<double>(set.size(), 0); };
  const Course par = run(node, options(Strategy::par, node), 128, 1, 1e6);
  const Course result = run(node, options(Strategy::automatic, node), 128, 1, 1e6);
  std::printf("1000 tasks of %g s: auto %.2f par %.2f ratio %.4f slowest decision %.2f ms\n",
              seconds, result.makespan, par.makespan, result.makespan / par.makespan,
              1e3 * result.slowest_decision);
}

/// Seconds of a decision among so many classes when about 100 sets were measured.
void cost(std::size_t classes) {
  SchedulerOptions given;
  given.window = classes;
  given.processors = 8;
  Scheduler scheduler(given);
  std::mt19937 random(1);
  const auto observe = [&](const Combination& set, double now) {
    std::vector<Observation> seen;
    for (const TaskId id : set) {
      Observation each;
      each.task = id;
      each.amount = 1 / (1 + 0.2 * static_cast<double>(set.size()) +
                         0.02 * static_cast<double>(random() % 10));
      each.unit = 1;
      each.cpu = 1;
      seen.push_back(each);
    }
    scheduler.observe(set, 1, 1, seen, now);
  };
  Combination all;
  for (TaskId id = 0; id < classes; ++id) {
    scheduler.admit({id, std::to_string(id), true}, 0);
    all.push_back(id);
  }
  double now = 0;
  scheduler.decide(now);
  observe(all, ++now);
  for (TaskId id = 0; id < classes; ++id) observe({id}, ++now);
  for (int k = 0; k < 90; ++k) {
    Combination set;
    for (const TaskId id : all)
      if (random() % 2 == 0) set.push_back(id);
    if (!set.empty()) observe(set, ++now);
  }
  constexpr int kDecisions = 50;
  double worst = 0, sum = 0;
  for (int k = 0; k < kDecisions; ++k) {
    const std::clock_t begin = std::clock();  // CPU time: other work here does not count
    const Decision decision = scheduler.decide(++now);
    const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    worst = std::max(worst, took);
    sum += took;
    observe(decision.run, ++now);
  }
  std::printf("decision among %zu classes: mean %.3f ms, worst %.3f ms\n", classes,
              1e3 * sum / kDecisions, 1e3 * worst);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "all";
  const unsigned instances = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 25;
  if (what == "trace") {
    const char* const which = argv[2];
    const unsigned seed = static_cast<unsigned>(std::atoi(argv[3]));
    Node node;
    if (which[1] == 0)
      node = mix(which[0], 9, seed);
    else
      for (const Family each :
           {Family::bottleneck, Family::shared, Family::pair, Family::two_class, Family::spin})
        if (name(each) == which) node = instance(each, seed);
    trace(run(node, options(Strategy::automatic, node), 12, seed, 2000));
    return 0;
  }
  if (what == "all" || what == "families")
    for (const Family each :
         {Family::bottleneck, Family::shared, Family::pair, Family::two_class, Family::spin})
      family(each, instances);
  if (what == "all" || what == "mixes") mixes(argc > 3 ? std::atof(argv[3]) : 9, "ABCDFGHJK");
  if (what == "all" || what == "cost")
    for (const std::size_t classes : {12u, 24u}) cost(classes);
  if (what == "all" || what == "many")
    for (const double seconds : {2.0, 10.0, 60.0}) many(seconds);
  return 0;
}
