// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/formats/pbs_fields.hpp"

#include <algorithm>
#include <vector>

#include "core/number.hpp"
#include "spare_plan/standby/formats/instants.hpp"

namespace spare_plan::standby {
namespace {

/// Calls `use` with each of the parts between separators.
template <class Use>
void for_each_part(std::string_view text, char separator, const Use& use) {
  for (auto end = text.find(separator); end != text.npos; end = text.find(separator)) {
    use(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  use(text);
}

double submit_of(const PbsFields& fields) {
  const auto queued = parse_instant(fields.queued);
  if (!queued) return -1;
  return std::max(*queued, parse_instant(fields.eligible).value_or(*queued));
}

double run_of(const PbsFields& fields) {
  const auto start = parse_instant(fields.start), end = parse_instant(fields.end);
  if (start && *start > 0 && end) return *end - *start;
  return parse_clock(fields.used).value_or(-1);
}

double nodes_of(const PbsFields& fields) {
  if (const auto hosts = count_hosts(fields.hosts)) return static_cast<double>(hosts);
  const auto chunks = core::parse_count(fields.node_count, kMostNodes);
  return chunks ? static_cast<double>(*chunks) : -1;
}

}  // namespace

std::size_t count_hosts(std::string_view exec_host) {
  if (exec_host.empty()) return 0;
  std::vector<std::string_view> hosts;
  for_each_part(exec_host, '+',
                [&](std::string_view part) { hosts.push_back(part.substr(0, part.find('/'))); });
  std::ranges::sort(hosts);
  return static_cast<std::size_t>(std::unique(hosts.begin(), hosts.end()) - hosts.begin());
}

std::string feature_of(std::string_view select) {
  std::string feature;
  for_each_part(select.substr(0, select.find('+')), ':', [&](std::string_view part) {
    const auto equals = part.find('=');
    if (equals == part.npos || equals + 1 == part.size()) return;
    const char first = part[equals + 1];
    if (first >= '0' && first <= '9') return;
    feature.append(feature.empty() ? "" : "&").append(part);
  });
  return feature;
}

void add_pbs_job(const PbsFields& fields, std::size_t line, HistoryBuilder& history) {
  Record record;
  record.submit = submit_of(fields);
  record.run = run_of(fields);
  record.estimate = parse_clock(fields.limit).value_or(-1);
  record.nodes = nodes_of(fields);
  record.running = fields.running;
  std::string feature;
  if (history.reading().group_by == GroupBy::feature) feature = feature_of(fields.select);
  record.group = history.reading().group_by == GroupBy::feature ? feature : fields.queue;
  history.add(record, line);
}

}  // namespace spare_plan::standby
