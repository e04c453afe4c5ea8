// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/live/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/process.hpp"

namespace spare_plan::standby::live {
namespace {

constexpr std::size_t kMostOutput = std::size_t{1} << 29;
constexpr int kEndedByLimit = 137;

}  // namespace

Commands::Commands(const std::optional<std::string>& path, std::optional<std::string> slurm_conf,
                   double timeout)
    : path_(path.value_or(kPath)), slurm_conf_(std::move(slurm_conf)), timeout_(timeout) {}

bool Commands::has(const std::string& program) const {
  return std::ranges::any_of(core::places_in_path(program, path_),
                             [](const auto& place) { return ::access(place.c_str(), X_OK) == 0; });
}

Commands::Outcome Commands::run(const std::vector<std::string>& argv) const {
  core::SpawnOptions options;
  options.empty_environment = true;
  options.environment = {{"PATH", path_}, {"LC_ALL", "C"}};
  if (slurm_conf_) options.environment.emplace_back("SLURM_CONF", *slurm_conf_);
  auto captured = core::capture(argv, timeout_, kMostOutput, options);
  return {captured.status, std::move(captured.out)};
}

std::string Commands::output(const std::vector<std::string>& argv) const {
  auto outcome = run(argv);
  if (outcome.status != 0) throw core::Error(failure(argv, outcome.status));
  return std::move(outcome.out);
}

std::string Commands::failure(const std::vector<std::string>& argv, int status) {
  const auto how = status == kEndedByLimit
                       ? std::string("printed far too much, or did not end within --timeout")
                       : fmt::format("ended with status {}", status);
  return fmt::format("{} {}", fmt::join(argv, " "), how);
}

}  // namespace spare_plan::standby::live
