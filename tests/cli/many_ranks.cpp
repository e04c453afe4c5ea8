// SPDX-License-Identifier: BSD-3-Clause
// Stands in for Open MPI's mpirun on a large machine and for the rank programs that it would start:
// says in benchrun's records what all ranks would say, in the order in which it would arrive, and
// each with a write() of its own, as mpirun hands on what it gets. It is put into PATH as mpirun.
//
//   MANY_SILENT=N   every Nth host says nothing, and the launcher does not end; probes neither
//   MANY_SLOW=N     every Nth host takes 1.5 times as long
//   MANY_STUCK=1    while silent hosts are among them nobody says anything
//   MANY_LOG=FILE   gets the number of times told, appended
//
// many_ranks --plain HOSTS RANKS RUNS: what a program could print itself, "HOST RANK RUN SECONDS";
// silent hosts are left out, and it ends.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/fd.hpp"
#include "core/hostfile.hpp"
#include "core/number.hpp"
#include "core/records.hpp"

namespace {

constexpr double kSeconds = 0.25, kNoise = 0.02, kSlowness = 1.5;

std::size_t every(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? 0 : static_cast<std::size_t>(std::strtoul(text, nullptr, 10));
}

/// The number in the host's name, so that a host is the same one in every launch.
std::size_t number_of(const std::string& host) {
  const auto first = host.find_first_of("0123456789");
  return first == host.npos ? 0 : std::strtoul(host.c_str() + first, nullptr, 10);
}

bool chosen(const std::string& host, std::size_t nth, std::size_t offset) {
  return nth > 0 && number_of(host) % nth == offset % nth;
}
bool silent(const std::string& host) { return chosen(host, every("MANY_SILENT"), 50); }

struct Rank {
  std::uint32_t number;
  std::uint32_t host;
};

struct Launch {
  std::vector<core::HostSlots> hosts;
  std::vector<Rank> ranks;  ///< that speak, in the order in which they start
  std::string nonce;
  std::uint32_t runs = 1;
  bool is_probe = false;
};

/// Ranks start in no order, but none much later than its neighbours.
void shuffle_nearby(std::vector<Rank>& ranks) {
  constexpr std::size_t kReach = 4096;
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i + 1 < ranks.size(); ++i)
    std::swap(ranks[i], ranks[i + random() % std::min(kReach, ranks.size() - i)]);
}

void place_ranks(Launch& launch) {
  std::uint32_t number = 0;
  bool stuck = false;
  for (std::uint32_t host = 0; host < launch.hosts.size(); ++host) {
    const bool speaks = !silent(launch.hosts[host].host);
    stuck = stuck || (!speaks && every("MANY_STUCK") > 0);
    for (unsigned i = 0; i < launch.hosts[host].slots; ++i, ++number)
      if (speaks) launch.ranks.push_back({number, host});
  }
  if (stuck) launch.ranks.clear();
  shuffle_nearby(launch.ranks);
}

std::vector<core::HostSlots> hosts_of(const std::string& hostfile) {
  std::ifstream text(hostfile);
  return core::read_hostfile(text, hostfile);
}

Launch read_arguments(const std::vector<std::string>& words) {
  Launch launch;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "--hostfile") launch.hosts = hosts_of(words[i + 1]);
    if (words[i] == "--host") launch.hosts = {{words[i + 1], 1}};
    if (words[i] == "--nonce") launch.nonce = words[i + 1];
    if (words[i] == "--runs") launch.runs = static_cast<std::uint32_t>(std::stoul(words[i + 1]));
  }
  launch.is_probe = std::ranges::find(words, "--step") == words.end();
  place_ranks(launch);
  return launch;
}

class Speaker {
 public:
  explicit Speaker(const Launch& launch) : launch_(launch) {
    std::uint32_t size = 0;
    for (const core::HostSlots& host : launch.hosts) size += host.slots;
    size_ = size;
    for (const core::HostSlots& host : launch.hosts)
      slow_.push_back(chosen(host.host, every("MANY_SLOW"), 7));
  }

  /// Hello, warm-up, runs, end.
  std::uint32_t stages() const { return launch_.is_probe ? 2 : launch_.runs + 3; }

  core::Record record(const Rank& rank, std::uint32_t stage) {
    core::Record record;
    record.rank = rank.number;
    if (stage == 0) return hello(record, rank);
    if (stage + 1 == stages()) {
      record.kind = core::RecordKind::end;
      record.count = stages() - 2;
      return record;
    }
    record.kind = stage == 1 ? core::RecordKind::warm : core::RecordKind::time;
    record.run = stage < 2 ? 0 : stage - 2;
    record.seconds = seconds(rank);
    return record;
  }

  double seconds(const Rank& rank) {
    return kSeconds * (slow_[rank.host] ? kSlowness : 1) * (1 + kNoise * noise_(random_));
  }

 private:
  core::Record hello(core::Record record, const Rank& rank) const {
    record.kind = core::RecordKind::hello;
    record.size = size_;
    record.host = launch_.hosts[rank.host].host;
    record.addresses = {"10.0.0.1"};
    record.hardware = "64 x Some Processor 9000 64-Core";
    return record;
  }

  const Launch& launch_;
  std::uint32_t size_ = 0;
  std::vector<bool> slow_;
  std::mt19937_64 random_{2};
  std::exponential_distribution<double> noise_;
};

/// Calls say(rank, stage) for all stages of all ranks: a rank's in order, each some way behind the
/// one before, so that at any time many ranks are at every stage.
template <typename Say>
void in_order_of_arrival(const Launch& launch, std::uint32_t stages, Say say) {
  constexpr std::size_t kMostLag = 50000;
  const std::size_t count = launch.ranks.size(), lag = std::min(count / 4 + 1, kMostLag);
  for (std::size_t moment = 0; moment < count + (stages - 1) * lag; ++moment)
    for (std::uint32_t stage = 0; stage < stages; ++stage)
      if (moment >= stage * lag && moment - stage * lag < count)
        say(launch.ranks[moment - stage * lag], stage);
}

void write_line(std::string_view line) { core::write_all(STDOUT_FILENO, line, "the output"); }

int plain(const std::vector<std::string>& words) {
  Launch launch;
  for (std::size_t i = 1; i <= std::stoul(words[1]); ++i)
    launch.hosts.push_back({"n" + std::to_string(i), static_cast<unsigned>(std::stoul(words[2]))});
  launch.runs = static_cast<std::uint32_t>(std::stoul(words[3]));
  place_ranks(launch);
  Speaker speaker(launch);
  in_order_of_arrival(launch, launch.runs, [&](const Rank& rank, std::uint32_t run) {
    write_line(launch.hosts[rank.host].host + ' ' + std::to_string(rank.number) + ' ' +
               std::to_string(run) + ' ' + core::print_number(speaker.seconds(rank)) + '\n');
  });
  return 0;
}

int as_launcher(const std::vector<std::string>& words) {
  const Launch launch = read_arguments(words);
  Speaker speaker(launch);
  std::size_t times = 0;
  in_order_of_arrival(launch, speaker.stages(), [&](const Rank& rank, std::uint32_t stage) {
    const core::Record record = speaker.record(rank, stage);
    times += record.kind == core::RecordKind::time;
    write_line(core::print_record(launch.nonce, record));
  });
  if (const char* const log = std::getenv("MANY_LOG"); log != nullptr && !launch.is_probe)
    std::ofstream(log, std::ios::app) << times << '\n';
  const bool hangs =
      std::ranges::any_of(launch.hosts, [](const auto& host) { return silent(host.host); });
  while (hangs) ::pause();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) return 2;
  if (words[0] == "--version") {
    std::cout << "mpirun (Open MPI) 4.1.4\n";
    return 0;
  }
  return words[0] == "--plain" && words.size() == 4 ? plain(words) : as_launcher(words);
}
