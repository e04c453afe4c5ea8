// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "mpisel/select.hpp"

namespace mpisel {

/// A usable host with one benchmark.
inline core::HostScore host(std::string name, double seconds, double ratio = 1) {
  core::HostScore score;
  score.host = std::move(name);
  score.usable = true;
  score.ranks = 1;
  score.score = seconds;
  score.ratio = ratio;
  score.times = {seconds};
  score.repetitions = {{{0, seconds}}};
  return score;
}

/// The same with many repetitions.
inline core::HostScore steady(std::string name, double seconds, double ratio, std::uint64_t runs) {
  core::HostScore score = host(std::move(name), seconds, ratio);
  for (std::uint64_t run = 1; run < runs; ++run) score.repetitions[0].push_back({run, seconds});
  return score;
}

inline core::HostScore broken(std::string name, core::RowStatus status) {
  core::HostScore score;
  score.host = std::move(name);
  score.worst = status;
  score.score = score.ratio = std::nan("");
  score.times = {std::nan("")};
  return score;
}

inline core::Scores scores(std::vector<core::HostScore> hosts) {
  core::Scores all;
  all.benches = {"compute"};
  all.measures = {core::Measure::wall};
  for (const core::HostScore& one : hosts) all.usable += one.usable ? 1 : 0;
  all.hosts = std::move(hosts);
  return all;
}

inline Request want(std::size_t count) {
  Request request;
  request.count = count;
  return request;
}

inline std::vector<std::string> names(const Selection& selection) {
  std::vector<std::string> chosen;
  for (const std::size_t index : selection.chosen)
    chosen.push_back(selection.hosts[index].score.host);
  return chosen;
}

}  // namespace mpisel
