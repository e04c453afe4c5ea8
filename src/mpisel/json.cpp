// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/json.hpp"

#include <nlohmann/json.hpp>
#include <ostream>
#include <unordered_map>

namespace mpisel {
namespace {

using Json = nlohmann::ordered_json;
using SlotMap = std::unordered_map<std::string_view, unsigned>;

Json host_object(const Selection& selection, const Decision& decision, const SlotMap& slots) {
  const core::HostScore& score = decision.score;
  Json object;
  object["host"] = score.host;
  const auto chosen = slots.find(score.host);
  object["slots"] = chosen == slots.end() ? Json() : Json(chosen->second);
  Json& seconds = object["seconds"] = Json::object();
  for (std::size_t i = 0; i < selection.benches.size(); ++i)
    seconds[selection.benches[i]] = score.times[i];  // NaN becomes null
  object["score"] = score.usable ? Json(score.score) : Json();
  object["ratio"] = score.usable ? Json(score.ratio) : Json();
  object["selected"] = decision.verdict == Verdict::kept;
  object["reason"] = reason(selection, decision);
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
  Json& hosts = answer["hosts"] = Json::array();
  for (const Decision& decision : selection.hosts)
    hosts.push_back(host_object(selection, decision, slots));
  out << answer.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace mpisel
