// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/evidence.hpp"

#include <algorithm>
#include <cmath>

namespace mpisel {

Evidence weigh(const Selection& selection) {
  std::vector<core::HostScore> scores;
  std::vector<std::size_t> kept, left;
  for (std::size_t i = 0; i < selection.hosts.size(); ++i) {
    const Decision& decision = selection.hosts[i];
    scores.push_back(decision.score);
    if (decision.verdict == Verdict::kept) kept.push_back(i);
    if (left_as_slow(decision.verdict)) left.push_back(i);
  }
  const std::vector<core::HostTimes> times = core::series_of(scores, core::Within::kind);
  const core::Criterion criterion{selection.tolerance, core::looks_at(times)};
  Evidence evidence;
  evidence.hosts = core::judge_hosts(times, criterion);
  evidence.several_kinds = core::by_kind(times).size() > 1;
  for (const core::HostTimes& host : times)
    evidence.runs = std::max(evidence.runs, host.times.size());
  for (const core::Judged& host : evidence.hosts)
    evidence.tells = evidence.tells || std::isfinite(host.interval.high);
  if (!kept.empty() && !left.empty())
    evidence.boundary =
        core::judge_boundary(core::series_of(scores, core::Within::all), kept, left, criterion);
  return evidence;
}

}  // namespace mpisel
