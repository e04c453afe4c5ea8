// SPDX-License-Identifier: BSD-3-Clause
#include "rank_options.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <string_view>

#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/launchers.hpp"
#include "core/number.hpp"
#include "core/topology.hpp"

namespace benchmarks {

namespace {

class Words {
 public:
  Words(int argc, char** argv) : argc_(argc), argv_(argv) {}
  bool done() const { return next_ >= argc_; }
  std::string word() {
    if (done()) throw core::Error("an argument is missing at the end");
    return argv_[next_++];
  }
  std::uint32_t number() {
    const std::string text = word();
    const auto number = core::parse_count(text, UINT32_MAX);
    if (!number) throw core::Error(core::quoted(text) + " is not a number");
    return static_cast<std::uint32_t>(*number);
  }

 private:
  int argc_;
  char** argv_;
  int next_ = 1;
};

Binding binding(const std::string& name) {
  if (name == "core") return Binding::core;
  if (name == "numa") return Binding::numa;
  if (name == "none") return Binding::none;
  throw core::Error("no such binding: " + core::quoted(name));
}

Step read_step(Words& words) {
  Step step;
  const std::string kind = words.word();
  if (kind != "bench" && kind != "command") throw core::Error("no such step: " + kind);
  step.kind = kind == "bench" ? Step::Kind::bench : Step::Kind::command;
  step.first = words.number();
  for (std::uint32_t count = words.number(); count > 0; --count) step.argv.push_back(words.word());
  if (step.argv.empty()) throw core::Error("a step without program");
  return step;
}

void read_option(const std::string& name, Words& words, RankOptions& options) {
  if (name == "--nonce")
    options.nonce = words.word();
  else if (name == "--rank")
    options.rank = words.number();
  else if (name == "--size")
    options.size = words.number();
  else if (name == "--local")
    options.local = words.number();
  else if (name == "--alive")
    options.alive = std::max(1U, words.number());
  else if (name == "--deadline")
    options.deadline = std::max(1U, words.number());
  else if (name == "--threads")
    options.threads = words.number();
  else if (name == "--bind")
    options.binding = binding(words.word());
  else if (name == "--step")
    options.steps.push_back(read_step(words));
  else
    throw core::Error("unknown argument " + core::quoted(name));
}

std::optional<std::uint32_t> first_number(std::span<const std::string_view> variables) {
  const core::Environment environment = core::process_environment();
  for (const std::string_view variable : variables)
    if (const auto text = environment(std::string(variable)))
      if (const auto number = core::parse_count(*text, UINT32_MAX))
        return static_cast<std::uint32_t>(*number);
  return std::nullopt;
}

constexpr std::array<std::string_view, 4> kLocalRank = {
    "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK", "SLURM_LOCALID"};

std::string numeric(const sockaddr& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* bytes =
      address.sa_family == AF_INET
          ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in&>(address).sin_addr)
          : &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  return ::inet_ntop(address.sa_family, bytes, text.data(), text.size()) == nullptr ? ""
                                                                                    : text.data();
}

}  // namespace

RankOptions parse_rank_options(int argc, char** argv) {
  RankOptions options;
  for (Words words(argc, argv); !words.done();) {
    const std::string name = words.word();
    read_option(name, words, options);
  }
  if (options.nonce.empty()) throw core::Error("--nonce is missing: benchrun starts this program");
  return options;
}

void read_identity(RankOptions& options) {
  if (!options.rank) options.rank = first_number(core::rank_variables());
  if (!options.size) options.size = first_number(core::size_variables());
  if (!options.local) options.local = first_number(kLocalRank);
}

void bind_rank(RankOptions& options) {
  const core::Topology topology = core::Topology::here();
  if (options.binding != Binding::none) {
    if (!options.local) throw core::Error("the launcher tells no local rank to bind by");
    const bool by_core = options.binding == Binding::core;
    const auto units =
        by_core ? topology.core_cpuset(*options.local) : topology.numa_cpuset(*options.local);
    if (units.empty())
      throw core::Error(fmt::format("this host has only {} {} for the ranks of a host",
                                    by_core ? topology.cores() : topology.numa_nodes(),
                                    by_core ? "cores" : "NUMA nodes"));
    core::bind_to(units);
  }
  const auto cores =
      static_cast<std::uint32_t>(options.binding == Binding::core   ? 1
                                 : options.binding == Binding::numa ? core::Topology::here().cores()
                                                                    : topology.cores());
  options.threads = options.threads == 0 ? cores : std::min(options.threads, cores);
}

std::vector<std::string> own_addresses() {
  std::vector<std::string> addresses;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return addresses;
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || (entry->ifa_flags & IFF_LOOPBACK) != 0) continue;
    const int family = entry->ifa_addr->sa_family;
    if (family == AF_INET || family == AF_INET6) addresses.push_back(numeric(*entry->ifa_addr));
  }
  ::freeifaddrs(list);
  return addresses;
}

std::string own_host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "-";
  return name.data();
}

}  // namespace benchmarks
