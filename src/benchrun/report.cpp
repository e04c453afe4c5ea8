// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchrun {

Metadata describe(const Plan& plan, const std::string& launcher, const std::string& job,
                  const std::string& date) {
  Metadata metadata;
  if (!job.empty()) metadata.emplace_back("job", job);
  metadata.emplace_back("date", date);
  metadata.emplace_back("launcher", launcher);
  std::string benches;
  for (const std::string& bench : plan.benches()) benches += (benches.empty() ? "" : ",") + bench;
  metadata.emplace_back("bench", benches);
  metadata.insert(metadata.end(), plan.parameters.begin(), plan.parameters.end());
  metadata.emplace_back("allocation", core::print_allocation(plan.hosts));
  return metadata;
}

Report::Report(std::ostream& out, const Plan& plan, Metadata metadata)
    : writer_(out, {.split = plan.has_command(), .peer = plan.has_joint_step(), .hardware = true}) {
  block_.marked = true;
  block_.metadata = std::move(metadata);
  for (const core::HostSlots& host : plan.hosts) block_.hosts.push_back(host.host);
  block_.benches = plan.benches();
}

/// Each rank says it; one is enough.
void Report::set_hardware(std::size_t host, const std::string& text) {
  if (!block_.hardware_of(host).empty()) return;
  block_.set_hardware(host, text);
  writer_.hardware(block_.hosts[host], text);
}

void Report::add(const std::vector<Row>& rows) {
  if (rows.empty()) return;
  if (writer_.rows() == 0) writer_.begin(block_.metadata);
  for (const Row& row : rows) {
    writer_.row(block_.hosts[row.host], row.rank, row.run, block_.benches[row.bench], row.status,
                row.seconds, row.split,
                row.peer ? std::string_view(block_.hosts[*row.peer]) : std::string_view());
    block_.rows.push_back({static_cast<std::uint32_t>(row.host),
                           static_cast<std::uint32_t>(row.bench), row.rank, row.run, row.status,
                           row.seconds, row.split,
                           row.peer ? static_cast<std::uint32_t>(*row.peer) : core::kNoPeer});
  }
  writer_.flush();
}

void Report::complete(double elapsed_seconds) {
  writer_.end(elapsed_seconds);
  block_.complete = true;
  block_.elapsed = elapsed_seconds;
}

std::size_t Report::ok_hosts() const {
  std::vector<bool> seen(block_.hosts.size()), bad(block_.hosts.size());
  for (const core::TimesRow& row : block_.rows) {
    seen[row.host] = true;
    if (row.status != core::RowStatus::ok) bad[row.host] = true;
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) count += seen[i] && !bad[i];
  return count;
}

Report::Known Report::known() const {
  Known known;
  for (const core::TimesRow& row : block_.rows) {
    if (row.status != core::RowStatus::ok) continue;
    ++known.rows;
    known.by_wall_alone += !row.split.known();
  }
  return known;
}

Progress::Progress(std::ostream& out, bool shown, std::size_t hosts)
    : out_(out), shown_(shown), hosts_(hosts) {}

void Progress::show(std::size_t finished) {
  if (!shown_ || finished == last_) return;
  last_ = finished;
  out_ << fmt::format("\r{}/{} hosts", finished, hosts_) << std::flush;
}

void Progress::clear() {
  if (!shown_ || last_ == static_cast<std::size_t>(-1)) return;
  last_ = static_cast<std::size_t>(-1);
  out_ << "\r\x1b[K" << std::flush;
}

}  // namespace benchrun
