// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/benchrun.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <iostream>

#include "benchrun/end_signals.hpp"
#include "benchrun/hosts.hpp"
#include "benchrun/report.hpp"
#include "benchrun/run.hpp"
#include "benchrun/self_test.hpp"
#include "benchrun/settling.hpp"
#include "core/environment.hpp"
#include "core/history.hpp"
#include "core/output_file.hpp"
#include "core/topology.hpp"

namespace benchrun {

namespace {

/// The benchmark programs lie beside the tools: bin/benchrun, libexec/launchwise/rank.
std::string rank_program() {
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe");
  const auto path = own.parent_path().parent_path() / "libexec" / "launchwise" / "rank";
  if (::access(path.c_str(), X_OK) != 0)
    throw core::Error(fmt::format("{} is missing: install launchwise as a whole", path.string()));
  return path;
}

/// Reading the topology takes time: only where something depends on it.
Machine this_machine(const Options& options) {
  const bool memory = std::ranges::find(options.benches, "memory") != options.benches.end();
  const bool bound = options.per == Per::core || options.per == Per::numa;
  if (!memory && !bound) return {};
  const core::Topology topology = core::Topology::here();
  return {topology.numa_nodes(), topology.cores(), topology.last_level_cache_bytes(),
          topology.memory_bytes()};
}

std::string date_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

void to_stderr(std::string_view text) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

void add_to_history(const Options& options, const core::TimesBlock& block) {
  if (options.history == "none") return;
  try {
    const std::string folder = options.history.empty()
                                   ? core::default_history(core::process_environment())
                                   : options.history;
    spdlog::debug("history: {}", core::add_to_history(folder, block));
  } catch (const core::Error& e) {
    spdlog::warn("{}", e.what());
  }
}

/// Everything of one invocation that the parts below share.
class Session {
 public:
  explicit Session(const Options& options)
      : options_(options),
        allocation_(find_hosts(options, core::process_environment())),
        plan_(make_plan(options, allocation_, this_machine(options))),
        launcher_(choose_launcher(options, allocation_, core::process_environment())),
        output_(options.output),
        report_(options.self_test ? nowhere_ : output_.stream(), plan_,
                describe(plan_, launcher_->name(), allocation_.job_id, date_now())),
        progress_(std::cerr,
                  ::isatty(STDERR_FILENO) == 1 && spdlog::should_log(spdlog::level::info),
                  plan_.hosts.size()) {}

  core::ExitStatus run() {
    if (plan_.has_joint_step() && !launcher_->runs_mpi())
      throw core::Error(
          fmt::format("-b network needs mpirun, mpiexec or srun: ranks started by {} are not one "
                      "MPI job",
                      launcher_->name()),
          core::ExitStatus::usage);
    for (const std::string& remark : plan_.remarks) spdlog::warn("{}", remark);
    std::optional<int> interrupted;
    {
      Run run(plan_, *launcher_, rank_program(), listener());
      interrupted = measure(run);
      if (interrupted)
        report_.add(run.held_rows());
      else
        finish(run);
    }
    if (interrupted) stop(*interrupted);
    if (options_.self_test) tell_self_test();
    output_.commit();
    // A table without a usable host says nothing about the hosts.
    if (report_.ok_hosts() > 0) add_to_history(options_, report_.block());
    return status();
  }

 private:
  /// Block after block, where the plan has a goal.
  std::optional<int> measure(Run& run) {
    Settling settling(plan_);
    auto interrupted = run.measure(plan_.phases);
    while (!interrupted && settling.wants_more(report_.block(), run.seconds(), run.deadline()))
      interrupted = run.measure(block_of(plan_, settling.blocks()));
    if (!interrupted) {
      progress_.clear();
      for (const Sentence& sentence : settling.sentences())
        spdlog::log(sentence.is_warning ? spdlog::level::warn : spdlog::level::info, "{}",
                    sentence.text);
    }
    return interrupted;
  }

  Listener listener() {
    const bool show_text = plan_.has_command() || spdlog::should_log(spdlog::level::debug);
    Listener listener;
    listener.hardware = [this](std::size_t host, const std::string& text) {
      report_.set_hardware(host, text);
    };
    listener.rows = [this](const std::vector<Row>& rows) { report_.add(rows); };
    listener.trouble = [this](const Trouble& trouble) {
      progress_.clear();
      spdlog::warn("{}: {}: {}", plan_.hosts[trouble.host].host, core::to_string(trouble.status),
                   trouble.reason);
    };
    listener.progress = [this](std::size_t finished) { progress_.show(finished); };
    listener.text = [this, show_text](std::string_view text) {
      if (!show_text) return;
      progress_.clear();
      to_stderr(text);
    };
    return listener;
  }

  void finish(const Run& run) {
    progress_.clear();
    report_.complete(run.seconds());
    if (plan_.has_command()) tell_wall_alone();
    if (run.ranks_are_apart())
      spdlog::warn(
          "every rank was an MPI job of its own (launcher {}): the table does not tell how the "
          "command runs on all of them together; for that, benchrun needs mpirun, mpiexec or srun",
          launcher_->name());
    if (report_.ok_hosts() == 0 && !plan_.has_command() && !run.complaints().empty())
      to_stderr(run.complaints());
  }

  void tell_self_test() {
    const auto look_for_signals = [this] {
      if (const auto signal = pending_end_signal()) stop(*signal);
    };
    const std::vector<SelfTest> tests =
        self_test(report_.block(), {.tolerance = plan_.tolerance,
                                    .most_blocks = plan_.goal->most_blocks,
                                    .between = look_for_signals});
    if (std::ranges::none_of(tests, &SelfTest::told))
      throw core::Error(fmt::format(
          "--self-test: no two hosts of a hardware have {} whole blocks of {} runs; give "
          "a longer --budget",
          kFewestTestBlocks, core::kBlockRuns));
    output_.stream() << print(tests);
  }

  void tell_wall_alone() const {
    const auto [rows, alone] = report_.known();
    if (alone == 0) return;
    spdlog::info(
        "{}no MPI calls were seen (not an MPI program, or linked statically): the table has the "
        "wall time alone{}",
        alone == rows ? "" : fmt::format("in {} of {} times ", alone, rows),
        alone == rows ? "" : " there");
  }

  [[noreturn]] void stop(int signal) {
    progress_.clear();
    const bool any = !report_.block().rows.empty() && !options_.self_test;
    const std::string partial = any ? output_.keep_partial() : "";
    if (options_.self_test)
      spdlog::warn("interrupted before there was an answer");
    else if (!partial.empty())
      spdlog::warn("interrupted; what there was is in {}", partial);
    else
      spdlog::warn("interrupted before there was a row to keep");
    output_.discard();  // die_by runs no destructor
    die_by(signal);
  }

  core::ExitStatus status() const {
    const std::size_t ok = report_.ok_hosts();
    if (ok == 0) throw core::Error("no host is ok");
    if (options_.strict && ok < plan_.hosts.size())
      throw core::Error(
          fmt::format("{} of {} hosts are not ok", plan_.hosts.size() - ok, plan_.hosts.size()),
          core::ExitStatus::unmet);
    return core::ExitStatus::success;
  }

  const Options& options_;
  core::Allocation allocation_;
  Plan plan_;
  std::unique_ptr<Launcher> launcher_;
  core::OutputFile output_;
  std::ostream nowhere_{nullptr};  ///< takes the rows when they are not the answer
  Report report_;
  Progress progress_;
};

}  // namespace

core::ExitStatus benchrun(const Options& options) { return Session(options).run(); }

}  // namespace benchrun
