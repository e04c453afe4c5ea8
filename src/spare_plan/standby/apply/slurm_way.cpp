// SPDX-License-Identifier: BSD-3-Clause
// Slurm's power saving (its guide "Power Saving", scontrol(1)). The owner gives all orders itself;
// the advisor only wakes what is missing and tells Slurm how many idle nodes not to suspend, which
// Slurm does not wake to restore.
#include <fmt/format.h>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "core/hostlist.hpp"
#include "core/output_file.hpp"
#include "spare_plan/standby/apply/slurm_facts.hpp"
#include "spare_plan/standby/apply/way.hpp"

namespace spare_plan::standby::apply {
namespace {

Nodes power(const Hands& hands, const Nodes& nodes, const char* state) {
  if (nodes.empty()) return {};
  const bool well =
      hands.run({"scontrol", "update", "nodename=" + core::print_hostlist(nodes), state});
  return well ? nodes : Nodes{};
}

SlurmConfig config_of(const Hands& hands) {
  return parse_slurm_config(hands.ask().output({"scontrol", "show", "config"}));
}

class SlurmOwner : public Way {
 public:
  explicit SlurmOwner(const Hands& hands) : hands_(hands) {
    require_power_saving(config_of(hands_));
  }
  bool scheduler_knows() const override { return true; }
  Nodes wake(const Nodes& nodes) override { return power(hands_, nodes, "state=power_up"); }
  Nodes switch_off(const Nodes& nodes) override { return power(hands_, nodes, "state=power_down"); }

 protected:
  const Hands& hands_;
};

class SlurmAdvisor : public SlurmOwner {
 public:
  SlurmAdvisor(const Given& given, const Hands& hands)
      : SlurmOwner(hands),
        fragment_(given.fragment.value_or("")),
        version_(parse_slurm_version(hands.ask().output({"scontrol", "--version"}))) {
    if (version_ < kUpdatesExcNodes && fragment_.empty())
      throw core::Error(
          "this Slurm cannot be told SuspendExcNodes while it runs (23.02 can): include a file of "
          "its own in slurm.conf and name it with --fragment",
          core::ExitStatus::usage);
  }

  bool switches_off() const override { return false; }
  Nodes switch_off(const Nodes&) override { return {}; }

  /// Before nodes are woken, lest they are suspended again.
  bool prepare(const live::Decision& decision, const live::Rule& rule, const Nodes& all) override {
    const auto wanted = exc_nodes(all, std::max(rule.keep, rule.keep_at_least),
                                  static_cast<std::uint64_t>(decision.counts.used), version_);
    if (fragment_.empty()) {
      if (config_of(hands_).suspend_exc_nodes == wanted) return true;
      return hands_.run({"scontrol", "update", "SuspendExcNodes=" + wanted});
    }
    const auto text = fragment_text(wanted);
    const bool written =
        has(text) || hands_.order("write " + fragment_ + ": SuspendExcNodes=" + wanted,
                                  [&] { core::write_output(fragment_, text); });
    if (!written || config_of(hands_).suspend_exc_nodes == wanted) return written;
    return hands_.run({"scontrol", "reconfigure"});
  }

 private:
  bool has(const std::string& text) const {
    try {
      return core::read_file(fragment_) == text;
    } catch (const core::Error&) {
      return false;
    }
  }

  std::string fragment_;
  int version_;
};

}  // namespace

std::unique_ptr<Way> make_slurm_advisor(const Given& given, const Hands& hands) {
  return std::make_unique<SlurmAdvisor>(given, hands);
}

std::unique_ptr<Way> make_slurm_owner(const Hands& hands) {
  return std::make_unique<SlurmOwner>(hands);
}

}  // namespace spare_plan::standby::apply
