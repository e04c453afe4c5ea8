// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "spare_plan/standby/apply/given.hpp"
#include "spare_plan/standby/live/commands.hpp"
#include "spare_plan/standby/live/decide.hpp"

namespace spare_plan::standby::apply {

using Nodes = std::vector<std::string>;

/// What carries orders out, or tells what it would do.
class Hands {
 public:
  /// `tell` gets a line for every order.
  Hands(const live::Commands& commands, bool act, std::function<void(const std::string&)> tell)
      : commands_(commands), act_(act), tell_(std::move(tell)) {}

  /// Whether the command ended well, or would only have been told. A failure is warned of.
  bool run(const std::vector<std::string>& argv) const;
  /// The same for an order that is no command.
  bool order(const std::string& what, const std::function<void()>& carry_out) const;
  /// What changes nothing is asked in any case.
  const live::Commands& ask() const { return commands_; }

 private:
  const live::Commands& commands_;
  bool act_;
  std::function<void(const std::string&)> tell_;
};

/// How nodes are switched on and off. All of it may be done twice: after a crash it is.
class Way {
 public:
  virtual ~Way() = default;
  /// Whether the scheduler itself knows which nodes are off and which are on their way.
  virtual bool scheduler_knows() const = 0;
  /// Whether we switch nodes off, rather than Slurm.
  virtual bool switches_off() const { return true; }
  /// Before anything else, at every run.
  virtual bool prepare(const live::Decision&, const live::Rule&, const Nodes& /*all*/) {
    return true;
  }
  /// Each returns the nodes for which it went well.
  virtual Nodes wake(const Nodes& nodes) = 0;
  virtual Nodes switch_off(const Nodes& nodes) = 0;
  /// For nodes that have come up.
  virtual Nodes welcome(const Nodes& nodes) { return nodes; }
};

/// By --way. Throws Error for what is missing on the command line or in Slurm's configuration.
std::unique_ptr<Way> make_way(const Given& given, const Hands& hands);

// Each in a file of its own.
std::unique_ptr<Way> make_slurm_advisor(const Given& given, const Hands& hands);
std::unique_ptr<Way> make_slurm_owner(const Hands& hands);
std::unique_ptr<Way> make_commands_way(const Given& given, const Hands& hands);

}  // namespace spare_plan::standby::apply
