// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/apply/way.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include "core/error.hpp"
#include "core/number.hpp"

namespace spare_plan::standby::apply {

bool Hands::run(const std::vector<std::string>& argv) const {
  return order(fmt::format("{}", fmt::join(argv, " ")), [&] { commands_.output(argv); });
}

bool Hands::order(const std::string& what, const std::function<void()>& carry_out) const {
  if (!act_) return tell_("would do: " + what), true;
  try {
    carry_out();
    return tell_("done: " + what), true;
  } catch (const core::Error& error) {
    spdlog::warn("{}", error.what());
    return tell_("failed: " + what), false;
  }
}

std::unique_ptr<Way> make_way(const Given& given, const Hands& hands) {
  const auto wrong = [](const std::string& text) {
    throw core::Error(text, core::ExitStatus::usage);
  };
  if (!given.way) wrong("--way is missing: slurm-advisor, slurm-owner or commands");
  const bool has_commands =
      !given.on.empty() || !given.off.empty() || !given.up.empty() || given.wake_on_lan;
  if (*given.way != "commands" && has_commands)
    wrong("--on, --off, --up and --wake-on-lan go with --way commands");
  if (*given.way != "slurm-advisor" && given.fragment)
    wrong("--fragment goes with --way slurm-advisor");
  if (*given.way == "slurm-advisor") return make_slurm_advisor(given, hands);
  if (*given.way == "slurm-owner") return make_slurm_owner(hands);
  if (*given.way == "commands") return make_commands_way(given, hands);
  wrong(fmt::format("--way: {} is none of slurm-advisor, slurm-owner and commands",
                    core::quoted(*given.way)));
  return nullptr;
}

}  // namespace spare_plan::standby::apply
