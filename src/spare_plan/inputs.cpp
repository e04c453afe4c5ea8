// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "core/history.hpp"
#include "core/number.hpp"

namespace spare_plan {
namespace {

using core::print_number;

[[noreturn]] void wrong(const std::string& sentence) {
  throw core::Error(sentence, core::ExitStatus::usage);
}

void exclude(bool one, bool other, const char* names) {
  if (one && other) wrong(fmt::format("{} exclude each other", names));
}

void check_profile(const Given& g) {
  const auto with = [&](const std::optional<double>& other, const char* name) {
    exclude(g.app_profile.has_value(), other.has_value(), name);
  };
  with(g.t_cmpt, "--app-profile and --t-cmpt");
  with(g.t_comm, "--app-profile and --t-comm");
  with(g.walltime, "--app-profile and --walltime");
  with(g.compute_share, "--app-profile and --compute-share");
  exclude(g.app_profile == "-", std::ranges::count(g.from_paths, "-") > 0,
          "--app-profile - and --from -");
  if (g.scale && !g.app_profile) wrong("--scale needs --app-profile");
  if (g.scale && !(*g.scale > 0))
    wrong(fmt::format("--scale is {}, want a number above 0", print_number(*g.scale)));
}

void check_exclusions(const Given& g) {
  const bool intervals = g.abnormal_interval || g.failure_interval;
  exclude(g.p_abn.has_value(), intervals,
          "--p-abn and --abnormal-interval with --failure-interval");
  exclude(g.t_cmpt.has_value(), g.walltime.has_value(), "--t-cmpt and --walltime");
  exclude(g.slowdowns.has_value(), g.p_abn || g.alpha_abn || intervals,
          "--slowdowns and --p-abn, --alpha or the intervals");
  if (g.compute_share && !g.walltime) wrong("--compute-share needs --walltime");
  if (g.bench && !g.from) wrong("--bench needs --from");
  if (intervals && !(g.abnormal_interval && g.failure_interval))
    wrong("--abnormal-interval and --failure-interval are needed both");
}

void check_ranges(const Given& g) {
  const auto number = [](double x) { return print_number(x); };
  if (g.p_abn && !(*g.p_abn >= 0 && *g.p_abn <= 1))
    wrong(fmt::format("--p-abn is {}, want a chance from 0 to 1", number(*g.p_abn)));
  if (g.alpha_abn && !(*g.alpha_abn > 1))
    wrong(fmt::format(
        "--alpha is {}, want a ratio above 1: how many times slower an abnormal node is",
        number(*g.alpha_abn)));
  if (g.t_cmpt && !(*g.t_cmpt > 0)) wrong("--t-cmpt is 0, want a time above 0");
  if (g.walltime && !(*g.walltime > 0)) wrong("--walltime is 0, want a time above 0");
  if (g.compute_share && !(*g.compute_share > 0 && *g.compute_share < 1))
    wrong(fmt::format("--compute-share is {}, want a share between 0 and 1",
                      number(*g.compute_share)));
  if (g.abnormal_interval &&
      !(*g.failure_interval > 0 && *g.abnormal_interval > *g.failure_interval))
    wrong(
        fmt::format("--abnormal-interval ({} s) must be longer than --failure-interval ({} s), and "
                    "that above 0",
                    number(*g.abnormal_interval), number(*g.failure_interval)));
  if (g.max_nodes && g.n_node && *g.max_nodes < *g.n_node)
    wrong(fmt::format("--max-nodes {} is less than the {} nodes of -n", *g.max_nodes, *g.n_node));
}

/// Names what is missing and what would supply it. With tables, p, alpha and t_bench may still
/// come.
void check_missing(const Given& g) {
  std::vector<std::string> missing;
  if (!g.n_node) missing.emplace_back("-n N (the nodes that the application uses)");
  if (!g.from) {
    const bool kinds = !g.slowdowns;
    if (kinds && !g.p_abn && !g.abnormal_interval)
      missing.emplace_back(
          "--p-abn P (or --from TIMES, or --abnormal-interval and --failure-interval)");
    if (kinds && !g.alpha_abn) missing.emplace_back("--alpha A (or --from TIMES)");
    if (!g.t_bench) missing.emplace_back("--t-bench D (or --from TIMES)");
  }
  if (!g.t_cmpt && !g.walltime && !g.app_profile)
    missing.emplace_back("--t-cmpt D (or --walltime D, or --app-profile TABLE)");
  if (!missing.empty()) wrong(fmt::format("missing: {}", fmt::join(missing, "; ")));
}

/// JP2023183342A eq. (12)-(14): repaired failures come at intervals F, undetected abnormalities at
/// A > F.
double chance_of_intervals(double abnormal, double failure) {
  return failure / (abnormal + failure);
}

/// The word "history" alone is the default history, unless a file or folder has that name.
bool means_default_history(const std::vector<std::string>& paths) {
  return paths.size() == 1 && paths.front() == "history" && !std::filesystem::exists("history");
}

double alpha_of(const Given& given, const Inputs& inputs) {
  if (given.alpha_abn) return *given.alpha_abn;
  const auto& fit = *inputs.fit;
  if (!fit.alpha_abn)
    throw core::Error(
        "the tables of --from do not tell how slow an abnormal node is, none was seen, give "
        "--alpha");
  if (!(*fit.alpha_abn > 1))
    throw core::Error(
        fmt::format("the tables of --from give alpha_abn = {:.4g}, not above 1, their blocks have "
                    "different time "
                    "scales, give --alpha",
                    *fit.alpha_abn));
  return *fit.alpha_abn;
}

void settle_slowness(const Given& given, Inputs& inputs) {
  if (given.slowdowns) {
    inputs.ratios = read_slowdowns(core::read_file(*given.slowdowns), *given.slowdowns);
    inputs.parameters.slowness = slowness_of(*inputs.ratios);
    return;
  }
  if (given.abnormal_interval) {
    inputs.p_abn = chance_of_intervals(*given.abnormal_interval, *given.failure_interval);
  } else if (given.p_abn) {
    inputs.p_abn = given.p_abn;
  } else {
    inputs.p_abn = inputs.fit->p_abn;
    inputs.p_from_fit = true;
  }
  inputs.alpha_abn = given.alpha_abn;
  if (*inputs.p_abn > 0 || !inputs.p_from_fit) inputs.alpha_abn = alpha_of(given, inputs);
  // Without an abnormal node the ratio weighs nothing.
  inputs.parameters.slowness = two_kinds(*inputs.p_abn, inputs.alpha_abn.value_or(2));
}

void settle_times(const Given& given, Inputs& inputs) {
  auto& p = inputs.parameters;
  if (given.t_bench) {
    p.t_bench = *given.t_bench;
  } else {
    p.t_bench = inputs.fit->t_bench;
  }
  if (given.t_fix) {
    p.t_fix = *given.t_fix;
  } else if (inputs.fit) {
    p.t_fix = inputs.fit->t_fix.value_or(0);
  }
}

/// t_cmpt and t_comm.
void settle_application(const Given& given, Inputs& inputs) {
  auto& p = inputs.parameters;
  p.t_comm = given.t_comm.value_or(0);
  if (given.app_profile) {
    const auto& path = *given.app_profile;
    inputs.profile =
        app_profile(core::read_times_file(path), path == "-" ? "standard input" : path);
    inputs.scale = given.scale.value_or(1);
    p.t_cmpt = inputs.scale * inputs.profile->t_cmpt;
    p.t_comm = inputs.scale * inputs.profile->t_comm;
  } else if (given.walltime) {
    inputs.walltime = given.walltime;
    inputs.compute_share = given.compute_share.value_or(kComputeShare);
    p.t_cmpt = *inputs.compute_share * *inputs.walltime;
  } else {
    p.t_cmpt = *given.t_cmpt;
  }
}

}  // namespace

void check(const Given& given) {
  check_profile(given);
  check_exclusions(given);
  check_ranges(given);
  check_missing(given);
}

Fit fit_paths(const std::vector<std::string>& paths, const std::optional<std::string>& bench,
              const std::string& cure, const core::Environment& environment, const Talk& talk) {
  if (bench && bench->empty()) wrong("--bench is empty, want the name of a benchmark");
  const bool by_hand = !paths.empty() && !means_default_history(paths);
  const auto from = by_hand ? paths : std::vector{core::default_history(environment)};
  if (!by_hand && !std::filesystem::is_directory(from.front()))
    throw core::Error(fmt::format("there is no history {} yet, run benchrun in a job once, or {}",
                                  from.front(), cure));
  const auto blocks = core::read_tables_and_folders(from, by_hand, talk.warn);
  std::size_t rows = 0;
  for (const auto& block : blocks) rows += block.rows.size();
  if (rows == 0)
    throw core::Error(
        fmt::format("no complete block of times in {}, run benchrun in a job once, or {}",
                    fmt::join(from, ", "), cure));
  return fit(blocks, bench, talk);
}

Inputs settle(const Given& given, const core::Environment& environment, const Talk& talk) {
  check(given);
  Inputs inputs;
  inputs.max_nodes = given.max_nodes;
  inputs.parameters.n_node = *given.n_node;
  inputs.parameters.give_back = given.give_back;
  if (given.from)
    inputs.fit = fit_paths(given.from_paths, given.bench,
                           "give --p-abn, --alpha and --t-bench by hand", environment, talk);
  settle_slowness(given, inputs);
  settle_times(given, inputs);
  settle_application(given, inputs);
  return inputs;
}

}  // namespace spare_plan
