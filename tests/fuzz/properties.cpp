// SPDX-License-Identifier: BSD-3-Clause
#include "properties.hpp"

#include <bit>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "core/duration.hpp"
#include "core/error.hpp"
#include "core/host_name.hpp"
#include "core/hostfile.hpp"
#include "core/hostlist.hpp"
#include "core/node_times.hpp"
#include "core/number.hpp"
#include "core/times.hpp"

namespace properties {
namespace {

void require(bool condition, const char* claim) {
  if (!condition) throw std::logic_error(claim);
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

void require_same_rows(const core::TimesBlock& a, const core::TimesBlock& b) {
  require(a.hosts == b.hosts && a.benches == b.benches && a.metadata == b.metadata,
          "names and metadata are kept");
  for (std::size_t host = 0; host < a.hosts.size(); ++host)
    require(a.hardware_of(host) == b.hardware_of(host), "the hardware is kept");
  require(a.rows.size() == b.rows.size(), "rows are kept");
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    const core::TimesRow& x = a.rows[i];
    const core::TimesRow& y = b.rows[i];
    require(x.host == y.host && x.bench == y.bench && x.rank == y.rank && x.run == y.run &&
                x.peer == y.peer && x.status == y.status,
            "a row is kept");
    require(x.status != core::RowStatus::ok || same_bits(x.seconds, y.seconds),
            "seconds keep their bits");
    const auto same = [](double one, double other) {
      return std::isnan(one) ? std::isnan(other) : one == other;
    };
    require(same(x.split.compute, y.split.compute) && same(x.split.mpi, y.split.mpi),
            "how the time was spent is kept");
  }
}

std::string printed(const core::TimesBlock& block) {
  std::ostringstream out;
  core::TimesWriter writer(out, {.split = true, .peer = true, .hardware = true});
  writer.begin(block.metadata);
  for (std::size_t host = 0; host < block.hosts.size(); ++host)
    writer.hardware(block.hosts[host], block.hardware_of(host));
  for (const core::TimesRow& row : block.rows)
    writer.row(block.hosts[row.host], row.rank, row.run, block.benches[row.bench], row.status,
               row.seconds, row.split,
               row.peer == core::kNoPeer ? std::string_view() : block.hosts[row.peer]);
  writer.end(block.elapsed.value_or(0));
  return out.str();
}

void check_scores(const std::vector<core::TimesBlock>& blocks) {
  try {
    const core::Scores scores = core::score_hosts(blocks, core::By::median);
    std::size_t usable = 0;
    for (const core::HostScore& host : scores.hosts) {
      usable += host.usable ? 1 : 0;
      require(std::isnan(host.score) != host.usable, "usable hosts have a score, others none");
      require(host.times.size() == scores.benches.size(), "a node time per benchmark");
    }
    require(usable == scores.usable, "usable hosts are counted");
  } catch (const core::Error&) {
  }
}

std::vector<core::HostSlots> hosts_of(const std::string& text) {
  std::istringstream in(text);
  return core::read_hostfile(in, "hosts");
}

}  // namespace

void hostlist(std::string_view text) {
  std::vector<std::string> hosts;
  try {
    hosts = core::parse_hostlist(text, "list");
  } catch (const core::Error&) {
    return;
  }
  require(!hosts.empty() && hosts.size() <= core::kMaxHosts, "between one and a million hosts");
  for (const std::string& host : hosts) require(core::valid_host_name(host), "names are valid");
  constexpr std::size_t kMostToPrint = 1 << 14;  // keeps a search fast
  if (hosts.size() > kMostToPrint) return;
  require(core::parse_hostlist(core::print_hostlist(hosts), "printed") == hosts,
          "a printed host list expands to the same hosts");
}

void times(std::string_view text) {
  std::vector<core::TimesBlock> blocks;
  try {
    blocks = core::read_times(text, "times");
  } catch (const core::Error&) {
    return;
  }
  for (const core::TimesBlock& block : blocks) {
    const auto again = core::read_times(printed(block), "printed");
    require(again.size() == 1 && again[0].complete, "a printed block is one complete block");
    require_same_rows(block, again[0]);
  }
  check_scores(blocks);
}

void hostfile(std::string_view text) {
  std::vector<core::HostSlots> hosts;
  try {
    hosts = hosts_of(std::string(text));
  } catch (const core::Error&) {
    return;
  }
  auto written = hosts;
  for (core::HostSlots& entry : written) entry.slots = std::max(entry.slots, 1U);
  for (const auto format : {core::HostfileFormat::openmpi, core::HostfileFormat::mpich}) {
    std::ostringstream out;
    core::write_hostfile(out, hosts, format);
    require(hosts_of(out.str()) == written, "a written hostfile reads back");
  }
}

void duration(std::string_view text) {
  double seconds = 0;
  try {
    seconds = core::parse_duration(text, "duration");
  } catch (const core::Error&) {
    return;
  }
  require(std::isfinite(seconds) && !std::signbit(seconds), "seconds are finite and >= 0");
  require(same_bits(core::parse_duration(core::print_number(seconds) + "s", "printed"), seconds),
          "printed seconds read back");
  require(!core::human_duration(seconds).empty(), "people get to read something");
}

}  // namespace properties
