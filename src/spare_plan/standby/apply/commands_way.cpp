// SPDX-License-Identifier: BSD-3-Clause
// Nodes switched by commands of the site: ssh, ipmitool, curl, pbsnodes, ...; and by Wake-on-LAN.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <map>
#include <sstream>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "core/hostlist.hpp"
#include "spare_plan/standby/apply/wake_on_lan.hpp"
#include "spare_plan/standby/apply/way.hpp"

namespace spare_plan::standby::apply {
namespace {

using Words = std::vector<std::string>;

Words words_of(const std::string& command) {
  std::istringstream in(command);
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// The words with {host} replaced: a host's name cannot be an option or hold a blank.
Words for_host(Words words, const std::string& host) {
  for (auto& word : words)
    for (std::size_t at = 0; (at = word.find("{host}", at)) != word.npos; at += host.size())
      word.replace(at, 6, host);
  return words;
}

std::vector<Words> steps_of(const std::vector<std::string>& commands, const char* option) {
  std::vector<Words> steps;
  for (const auto& command : commands) {
    steps.push_back(words_of(command));
    if (steps.back().empty() || command.find("{host}") == command.npos)
      throw core::Error(std::string(option) + " wants a command that names {host}",
                        core::ExitStatus::usage);
  }
  return steps;
}

class CommandsWay : public Way {
 public:
  CommandsWay(const Given& given, const Hands& hands)
      : hands_(hands),
        on_(steps_of(given.on, "--on")),
        off_(steps_of(given.off, "--off")),
        up_(steps_of(given.up, "--up")) {
    if (off_.empty() || (on_.empty() && !given.wake_on_lan))
      throw core::Error("--way commands wants --off, and --on or --wake-on-lan",
                        core::ExitStatus::usage);
    if (given.wake_on_lan)
      targets_ = parse_wake_table(core::read_file(*given.wake_on_lan), *given.wake_on_lan);
    by_lan_ = given.wake_on_lan.has_value();
  }

  bool scheduler_knows() const override { return false; }
  Nodes wake(const Nodes& nodes) override { return each(by_lan_ ? woken(nodes) : nodes, on_); }
  Nodes switch_off(const Nodes& nodes) override { return each(nodes, off_); }
  Nodes welcome(const Nodes& nodes) override { return each(nodes, up_); }

 private:
  /// Those whose packets were sent.
  Nodes woken(const Nodes& nodes) const {
    Nodes known;
    std::vector<WakeTarget> targets;
    for (const auto& node : nodes)
      if (const auto found = targets_.find(node); found != targets_.end()) {
        known.push_back(node);
        targets.push_back(found->second);
      } else {
        spdlog::warn("--wake-on-lan has no line for {}", node);
      }
    if (known.empty()) return {};
    const auto what =
        fmt::format("send Wake-on-LAN for {}, three times", core::print_hostlist(known));
    return hands_.order(what, [&] { wake_on_lan(targets); }) ? known : Nodes{};
  }

  Nodes each(const Nodes& nodes, const std::vector<Words>& steps) const {
    Nodes done;
    for (const auto& node : nodes) {
      bool well = true;
      for (const auto& step : steps) well = well && hands_.run(for_host(step, node));
      if (well) done.push_back(node);
    }
    return done;
  }

  const Hands& hands_;
  std::vector<Words> on_, off_, up_;
  std::map<std::string, WakeTarget> targets_;
  bool by_lan_ = false;
};

}  // namespace

std::unique_ptr<Way> make_commands_way(const Given& given, const Hands& hands) {
  return std::make_unique<CommandsWay>(given, hands);
}

}  // namespace spare_plan::standby::apply
