// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/error.hpp"
#include "core/number.hpp"
#include "cosched_exec/strategy/simulate.hpp"

namespace cosched_exec {
namespace {

using nlohmann::json;

constexpr double kMostSlices = 1e6;
constexpr double kLongest = 1e12;  // s

[[noreturn]] void refuse(const std::string& source, const std::string& what) {
  throw core::Error(source + ": " + what, core::ExitStatus::usage);
}

json parsed(std::string_view text, const std::string& source) {
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    refuse(source, fmt::format("not JSON at byte {}, want {{\"p\":[2,1],\"f\":[[0,0],[1,0],[0,1],"
                               "[0.8,0.8]]}}",
                               error.byte));
  } catch (const json::out_of_range&) {
    refuse(source, "holds a number that is too large");
  }
}

void check_keys(const json& object, const std::string& source) {
  if (!object.is_object()) refuse(source, "not a JSON object with p and f");
  for (const auto& [key, value] : object.items())
    if (key != "p" && key != "f" && key != "slice" && key != "w0")
      refuse(source, fmt::format("{} is not known, want p, f, slice, w0", core::quoted(key)));
  for (const char* key : {"p", "f"})
    if (!object.contains(key) || !object[key].is_array())
      refuse(source, fmt::format("has no list {}", key));
}

double positive(const json& value, const std::string& name, const std::string& source) {
  if (!value.is_number() || value.get<double>() <= 0 || value.get<double>() > kLongest)
    refuse(source, fmt::format("{} is {}, want seconds above 0, at most 1e12", name,
                               core::quoted(value.dump())));
  return value.get<double>();
}

double speed(const json& value, const std::string& name, const std::string& source) {
  if (!value.is_number() || value.get<double>() < 0 || value.get<double>() > 1)
    refuse(source,
           fmt::format("{} is {}, want a speed from 0 to 1", name, core::quoted(value.dump())));
  return value.get<double>();
}

std::vector<double> times_alone(const json& list, const std::string& source) {
  if (list.empty() || list.size() > kMostKnownTasks)
    refuse(source, fmt::format("p has {} tasks, want 1 to {}", list.size(), kMostKnownTasks));
  std::vector<double> p;
  for (const json& value : list)
    p.push_back(positive(value, fmt::format("p[{}]", p.size()), source));
  return p;
}

std::vector<double> row_of(const json& list, std::size_t mask, std::size_t tasks,
                           const std::string& source) {
  if (!list.is_array() || list.size() != tasks)
    refuse(source,
           fmt::format("f[{}] is not a list of {} speeds, one for each task of p", mask, tasks));
  std::vector<double> row;
  for (std::size_t i = 0; i < tasks; ++i) {
    const auto name = fmt::format("f[{}][{}]", mask, i);
    const bool in_set = (mask >> i & 1) != 0;
    row.push_back(speed(list[i], name, source));
    if (!in_set && row[i] != 0)
      refuse(source, fmt::format("{} is {}, but set {} is without task {}, want 0", name,
                                 core::print_number(row[i]), mask, i));
    if (mask == std::size_t{1} << i && row[i] != 1)
      refuse(source, fmt::format("{} is {}, the speed of a task alone, want 1", name,
                                 core::print_number(row[i])));
  }
  return row;
}

}  // namespace

void check_slices(const KnownSpeeds& known, const std::string& source) {
  const double work = std::accumulate(known.table.p.begin(), known.table.p.end(), 0.0);
  if (work / known.slice > kMostSlices)
    refuse(source, fmt::format("slice {} is too short for {} s of work, want at least {}",
                               core::print_number(known.slice), core::print_number(work),
                               core::print_number(work / kMostSlices)));
}

KnownSpeeds parse_known_speeds(std::string_view text, const std::string& source) {
  const json object = parsed(text, source);
  check_keys(object, source);
  KnownSpeeds known;
  known.table.p = times_alone(object["p"], source);
  const std::size_t rows = std::size_t{1} << known.table.tasks();
  if (object["f"].size() != rows)
    refuse(source, fmt::format("f has {} rows, want {}, one for each set of {} tasks",
                               object["f"].size(), rows, known.table.tasks()));
  for (std::size_t mask = 0; mask < rows; ++mask)
    known.table.f.push_back(row_of(object["f"][mask], mask, known.table.tasks(), source));
  if (object.contains("slice")) known.slice = positive(object["slice"], "slice", source);
  known.w0 = object.contains("w0") ? positive(object["w0"], "w0", source) : known.slice;
  check_slices(known, source);
  return known;
}

}  // namespace cosched_exec
