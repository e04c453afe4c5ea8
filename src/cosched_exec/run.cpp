// SPDX-License-Identifier: BSD-3-Clause
#include <spdlog/spdlog.h>

#include <algorithm>
#include <iostream>

#include "core/error.hpp"
#include "core/topology.hpp"
#include "cosched_exec/options.hpp"
#include "cosched_exec/outputs.hpp"
#include "cosched_exec/startable.hpp"
#include "cosched_exec/supervise/end_signals.hpp"
#include "cosched_exec/supervise/keeper.hpp"
#include "cosched_exec/task_list.hpp"
#include "cosched_exec/views/course.hpp"

namespace cosched_exec {

namespace {

/// Those that the tasks share.
std::size_t processors(const Options& options) {
  if (!options.cores.empty()) return options.cores.size();
  return std::max<std::size_t>(core::Topology::here().cores(), 1);
}

Options with_defaults(Options options, std::size_t processors) {
  if (!options.jobs) options.jobs = std::max(kLeastJobs, processors);
  return options;
}

SchedulerOptions for_scheduler(const Options& options, std::size_t processors) {
  SchedulerOptions wanted;
  wanted.strategy = options.strategy;
  wanted.window = options.window;
  wanted.interval = options.interval;
  wanted.theta = options.theta;
  wanted.processors = processors;
  return wanted;
}

/// What people should know at once.
void tell(const std::vector<Task>& tasks, const Event& event) {
  if (const auto* noted = std::get_if<Noted>(&event.what)) {
    const auto level = noted->trouble ? spdlog::level::warn : spdlog::level::debug;
    if (noted->task)
      spdlog::log(level, "task {}: {}", tasks[*noted->task].name, noted->sentence);
    else
      spdlog::log(level, "{}", noted->sentence);
  } else if (const auto* decided = std::get_if<Decided>(&event.what)) {
    spdlog::debug("{:.3f} s: {} running: {}", event.time, decided->decision.run.size(),
                  decided->decision.reason);
  }
}

/// One run, in the process that is watched by the keeper.
class Run {
 public:
  Run(const std::vector<Task>& tasks, const Options& options, Groups& groups, Outputs& outputs)
      : tasks_(tasks), options_(options), groups_(groups), outputs_(outputs) {}

  int status(int life) {
    try {
      return steer(life);
    } catch (const std::exception& e) {
      outputs_.break_off();  // here, as the keeper may be gone
      spdlog::error("{}", e.what());
      return kOwnFailure;
    }
  }

 private:
  int steer(int life) {
    const std::size_t cores = processors(options_);
    Scheduler scheduler(for_scheduler(options_, cores));
    Journal journal(false);
    const bool detailed = !options_.timeline.empty() || !options_.plot.empty();
    CourseFollower follower(
        tasks_.size(), detailed ? CourseFollower::Detail::all : CourseFollower::Detail::totals);
    journal.listen([&](const Event& event) {
      follower.follow(event);
      outputs_.trace(tasks_, event);
      tell(tasks_, event);
    });
    const Supervised supervised =
        supervise(tasks_, with_defaults(options_, cores), groups_, scheduler, journal, life);
    const Course course = follower.finish();
    return finish(supervised, report(tasks_, supervised, scheduler, course), course);
  }

  int finish(const Supervised& supervised, const Report& told, const Course& course) {
    const bool interrupted = supervised.interrupted != 0;
    const bool written = outputs_.write(tasks_, supervised, told, course);
    leave_on_signals(supervised.interrupted);  // a reader that sleeps may stop us from here on
    if (!supervised.failure.empty()) spdlog::error("{}", supervised.failure);
    if (interrupted)
      spdlog::warn("interrupted by {}: all tasks were ended", signal_name(supervised.interrupted));
    if (!supervised.lost_output.empty()) spdlog::error("{}", supervised.lost_output);
    if (!options_.quiet) write_summary(std::cerr, tasks_, supervised, told);
    std::cerr.flush();
    return written || interrupted ? exit_status(supervised) : kOwnFailure;
  }

  const std::vector<Task>& tasks_;
  const Options& options_;
  Groups& groups_;
  Outputs& outputs_;
};

void tell_of_missing_freezer(const Options& options, const Groups& groups) {
  if (options.pause == PauseWish::freezer && groups.method() == PauseMethod::none)
    spdlog::warn("--pause freezer is not possible here, signals are used ({})", groups.obstacle());
}

int run_kept(const std::vector<Task>& tasks, const Options& options, Outputs& outputs) {
  Groups groups(options.pause);
  tell_of_missing_freezer(options, groups);
  Run run(tasks, options, groups, outputs);
  const int status = keep(groups.folder(), [&](int life) { return run.status(life); });
  outputs.break_off();
  return status;
}

}  // namespace

int run(const Options& options) {
  const std::vector<Task> tasks = read_tasks(options);
  check_startable(tasks, options);
  if (options.dry_run) {
    print_plan(std::cout, tasks);
    return 0;
  }
  Outputs outputs(options);
  try {
    return run_kept(tasks, options, outputs);
  } catch (const core::Error& e) {
    spdlog::error("{}", e.what());
    return kOwnFailure;
  }
}

}  // namespace cosched_exec
