// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <unordered_map>

#include "mpisel/evidence.hpp"

namespace mpisel {
namespace {

using Json = nlohmann::ordered_json;
using SlotMap = std::unordered_map<std::string_view, unsigned>;

/// A number, or null where it is not known.
Json known(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json host_object(const Selection& selection, std::size_t index, const Evidence& evidence,
                 const SlotMap& slots) {
  const Decision& decision = selection.hosts[index];
  const core::HostScore& score = decision.score;
  const core::Judged& judged = evidence.hosts[index];
  Json object;
  object["host"] = score.host;
  const auto chosen = slots.find(score.host);
  object["slots"] = chosen == slots.end() ? Json() : Json(chosen->second);
  Json& seconds = object["seconds"] = Json::object();
  for (std::size_t i = 0; i < selection.benches.size(); ++i)
    seconds[selection.benches[i]] = score.times[i];  // NaN becomes null
  object["score"] = score.usable ? Json(score.score) : Json();
  object["ratio"] = score.usable ? Json(score.ratio) : Json();
  object["runs"] = judged.runs;
  object["ratio_to_others"] = known(judged.ratio);
  object["interval"] = std::isfinite(judged.interval.high)
                           ? Json{judged.interval.low, judged.interval.high}
                           : Json();
  object["pace"] = score.usable ? Json(core::to_string(judged.pace)) : Json();
  object["hardware"] = score.hardware.empty() ? Json() : Json(score.hardware);
  object["selected"] = decision.verdict == Verdict::kept;
  object["reason"] = reason(selection, decision);
  return object;
}

Json boundary_object(const core::Boundary& boundary) {
  Json object;
  object["settled"] = boundary.settled;
  object["clear"] = boundary.clear;
  object["gain"] = known(boundary.gain);
  object["confidence"] = 1 - core::kBoundaryError;
  return object;
}

Json link_object(const SlowLink& link) {
  Json object;
  object["hosts"] = {link.a, link.b};
  object["bench"] = link.bench;
  object["runs"] = link.judged.runs;
  object["ratio"] = link.judged.ratio;
  object["interval"] = {known(link.judged.interval.low), known(link.judged.interval.high)};
  object["excess"] = link.judged.excess;
  return object;
}

}  // namespace

void write_json(std::ostream& out, const Selection& selection,
                std::span<const core::HostSlots> chosen, Order order) {
  SlotMap slots;
  Json names = Json::array();
  for (const core::HostSlots& host : chosen) {
    slots[host.host] = host.slots;
    names.push_back(host.host);
  }
  Json answer;
  answer["n"] = selection.asked;
  answer["order"] = order == Order::speed ? "speed" : "allocation";
  answer["benches"] = selection.benches;
  Json& columns = answer["columns"] = Json::object();
  for (std::size_t i = 0; i < selection.benches.size(); ++i)
    columns[selection.benches[i]] =
        selection.measures[i] == core::Measure::computing ? "compute_seconds" : "seconds";
  answer["selected"] = std::move(names);
  const Evidence evidence = weigh(selection);
  answer["boundary"] = evidence.boundary ? boundary_object(*evidence.boundary) : Json();
  if (selection.compacted)
    answer["switches"] = {{"compact", selection.compacted->switches},
                          {"plain", selection.compacted->plain}};
  Json& hosts = answer["hosts"] = Json::array();
  for (std::size_t i = 0; i < selection.hosts.size(); ++i)
    hosts.push_back(host_object(selection, i, evidence, slots));
  Json& links = answer["slow_links"] = Json::array();
  for (const SlowLink& link : selection.network.slow) links.push_back(link_object(link));
  out << answer.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace mpisel
