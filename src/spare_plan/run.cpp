// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/run.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>

#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/picture.hpp"
#include "core/process.hpp"
#include "spare_plan/plot.hpp"
#include "spare_plan/report.hpp"
#include "spare_plan/submit.hpp"

namespace spare_plan {
namespace {

void warn(const std::string& sentence) { spdlog::warn("{}", sentence); }

Talk talk() {
  return {warn, [](const std::string& sentence) { spdlog::info("{}", sentence); },
          [](const std::string& sentence) { spdlog::debug("{}", sentence); }};
}

bool is_stdout(const std::string& path) { return path == "-"; }

/// Whether one would replace the other: devices and pipes take both.
bool same_file(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  if (is_stdout(one) || is_stdout(other)) return false;
  std::error_code error;
  if (fs::exists(one, error) && !fs::is_regular_file(one, error)) return false;
  return fs::weakly_canonical(fs::absolute(one, error), error) ==
         fs::weakly_canonical(fs::absolute(other, error), error);
}

[[noreturn]] void wrong(const std::string& sentence) {
  throw core::Error(sentence, core::ExitStatus::usage);
}

/// No two of the files that are written may be one.
void check_files(const Wanted& wanted) {
  std::vector<std::pair<const char*, std::string>> files{{"-o", wanted.output}};
  if (wanted.curve) files.emplace_back("--curve", *wanted.curve);
  if (wanted.plot) files.emplace_back("--plot", *wanted.plot);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i].second.empty()) wrong(fmt::format("{}: an empty file name", files[i].first));
    for (std::size_t j = 0; j < i; ++j)
      if (same_file(files[j].second, files[i].second))
        wrong(fmt::format("{} and {} name the same file {}", files[j].first, files[i].first,
                          files[i].second));
  }
}

/// What can be told before any work is done.
void check(const Wanted& wanted) {
  check_files(wanted);
  if (wanted.submit) {
    check_submission(wanted.command);
    if (wanted.json && is_stdout(wanted.output))
      wrong("--json needs -o FILE here: standard output belongs to the command after --");
    if (wanted.curve && is_stdout(*wanted.curve))
      wrong("--curve - is not possible here: standard output belongs to the command after --");
  }
  if (wanted.curve && is_stdout(*wanted.curve) && is_stdout(wanted.output))
    wrong("--curve - needs -o FILE for the answer: both would be mixed on standard output");
  if (wanted.plot) core::check_picture_path(*wanted.plot);
}

/// p = 0 is the best guess when no abnormal node was seen, but not the only one that fits.
void warn_of_no_abnormal_node(const Inputs& inputs) {
  if (!inputs.p_from_fit || *inputs.p_abn > 0) return;
  const double limit = inputs.fit->p_abn_95.second;
  auto sentence = fmt::format(
      "no abnormal node among the {} of the tables: p_abn is taken as 0, its upper limit (95 %) is "
      "{:.4g}",
      inputs.fit->nodes, limit);
  if (inputs.alpha_abn) {
    auto parameters = inputs.parameters;
    parameters.slowness = two_kinds(limit, *inputs.alpha_abn);
    const auto plan = search(Curve(parameters), inputs.max_nodes);
    sentence += fmt::format(", where the answer is {}", plan.n_spare);
  } else {
    sentence += ", give --alpha for the answer there";
  }
  warn(sentence);
}

/// The answer, and its text for --json.
struct Answer {
  std::uint64_t n_spare;
  std::string json;
};

/// Holds back the signals that ask to stop, so that a long file is whole when they take effect and
/// no temporary one is left.
class HeldSignals {
 public:
  HeldSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
    sigprocmask(SIG_BLOCK, &signals, &before_);
  }
  ~HeldSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
  sigset_t before_{};
};

void write_curve_file(const std::string& path, const Curve& curve, std::uint64_t most_spares) {
  // A pipe may have a reader that waits: there we can be stopped.
  const bool in_place =
      is_stdout(path) || (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path));
  const auto held = in_place ? nullptr : std::make_unique<HeldSignals>();
  core::OutputFile file(path);
  write_curve(file.stream(), curve, most_spares);
  file.commit();
}

void write_extras(const Wanted& wanted, const Inputs& inputs, const Curve& curve,
                  const Plan& plan) {
  if (wanted.curve) write_curve_file(*wanted.curve, curve, plan.most_spares);
  if (wanted.plot) core::write_picture(curve_picture(curve, plan), *wanted.plot);
  if (wanted.explain) std::cerr << explanation(inputs, plan);
}

Answer planned(const Inputs& inputs, const Wanted& wanted) {
  const Curve curve(inputs.parameters);
  const auto plan = search(curve, inputs.max_nodes);
  warn_of_no_abnormal_node(inputs);
  write_extras(wanted, inputs, curve, plan);
  if (wanted.submit && !plan.worth_it && !wanted.explain)
    warn("not worth it: without spares and without a benchmark the job would cost no more");
  return {plan.n_spare, plan_json(inputs, plan)};
}

/// The spares of --otherwise, as far as --max-nodes lets them.
std::uint64_t spares_otherwise(const Given& given) {
  if (!given.max_nodes) return *given.otherwise;
  return std::min(*given.otherwise, *given.max_nodes - *given.n_node);
}

/// What --otherwise says, and what is left of it.
std::string otherwise_text(const Given& given) {
  const auto said = *given.otherwise, left = spares_otherwise(given);
  auto text = fmt::format("--otherwise says {} spare{}", said, said == 1 ? "" : "s");
  if (left < said)
    text += fmt::format(" but --max-nodes {} leaves {}, so {} {} taken", *given.max_nodes, left,
                        left, left == 1 ? "is" : "are");
  return text;
}

/// The parameters, or nothing when the tables cannot tell them and --otherwise is there.
std::optional<Inputs> settled(const Given& given, const core::Environment& environment) {
  try {
    return settle(given, environment, talk());
  } catch (const core::Error& e) {
    if (!given.otherwise || e.status() == core::ExitStatus::usage) throw;
    warn(fmt::format("{}; nothing can be planned, {}", e.what(), otherwise_text(given)));
    return std::nullopt;
  }
}

Answer answer(const Given& given, const Wanted& wanted, const core::Environment& environment) {
  if (const auto inputs = settled(given, environment)) return planned(*inputs, wanted);
  const auto spares = spares_otherwise(given);
  return {spares, unplanned_json(*given.n_node, spares)};
}

[[noreturn]] void become_submitter(const Wanted& wanted, std::uint64_t n_node,
                                   std::uint64_t n_spare) {
  const auto nodes = n_node + n_spare;
  const auto result = submission(wanted.command, n_node, nodes, find_job_script(wanted.command));
  for (const auto& sentence : result.warnings) warn(sentence);
  for (const auto& sentence : result.notes) spdlog::info("{}", sentence);
  spdlog::info("{} is asked for {} nodes, {} of them spare", wanted.command.front(), nodes,
               n_spare);
  core::SpawnOptions options;
  options.in = core::Stream::inherit;
  options.environment = result.environment;
  core::become(result.argv, options);
}

}  // namespace

int run_plan(const Given& given, const Wanted& wanted, const core::Environment& environment) {
  check(wanted);
  const auto result = answer(given, wanted, environment);
  if (!wanted.submit || !is_stdout(wanted.output))
    core::write_output(wanted.output,
                       wanted.json ? result.json : fmt::format("{}\n", result.n_spare));
  if (wanted.submit) become_submitter(wanted, *given.n_node, result.n_spare);
  return 0;
}

int run_fit(const std::vector<std::string>& paths, const std::optional<std::string>& bench,
            const Wanted& wanted, const core::Environment& environment) {
  if (wanted.submit) wrong("fit submits nothing, leave out -- and what follows it");
  check_files(wanted);
  const auto result = fit_paths(paths, bench, "name tables", environment, talk());
  core::write_output(wanted.output, wanted.json ? fit_json(result) : fit_text(result));
  return 0;
}

}  // namespace spare_plan
