// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/live/plan.hpp"

#include "core/output_file.hpp"
#include "spare_plan/standby/live/ask.hpp"
#include "spare_plan/standby/live/ledger.hpp"
#include "spare_plan/standby/live/plan_report.hpp"

namespace spare_plan::standby::live {

int print_plan(const Given& given) {
  auto rule = rule_of(given);
  const double clock = clock_now();
  const Commands commands(given.path, given.slurm_conf, given.timeout.value_or(kDefaultTimeout));
  auto cluster = ask(given, commands, clock);
  const double now = given.time ? *given.time : cluster.time.value_or(clock);
  const auto ledger = read_ledger(given);
  add_ledger(cluster, ledger, now, given.boot_limit.value_or(kDefaultBootLimit));
  rule.keep_at_least = ledger.largest_keep(now, given.hold.value_or(kDefaultHold)).value_or(0);
  const auto decision = decide(cluster, rule, now);
  core::write_output(given.output,
                     given.json ? plan_json(decision, rule, now) : plan_text(decision, rule));
  return 0;
}

}  // namespace spare_plan::standby::live
