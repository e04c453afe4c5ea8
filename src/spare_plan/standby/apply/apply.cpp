// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/apply/apply.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>

#include "core/duration.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "spare_plan/standby/apply/ledger_file.hpp"
#include "spare_plan/standby/apply/reconcile.hpp"
#include "spare_plan/standby/apply/way.hpp"
#include "spare_plan/standby/live/ask.hpp"
#include "spare_plan/standby/live/plan_report.hpp"

namespace spare_plan::standby::apply {
namespace {

using live::Deed;
using live::NodeState;

constexpr double kMinute = 60;

/// The ledger; a run that only tells what it would do changes the copy in memory alone.
class Notes {
 public:
  Notes(const Given& given, double recent) {
    const auto path = given.plan.ledger.value_or(live::kDefaultLedger);
    live::check_ledger_file(path);
    if (given.yes)
      file_.emplace(path, recent);
    else
      copy_ = live::read_ledger(given.plan, live::Missing::allowed);
  }

  const live::Ledger& ledger() const { return file_ ? file_->ledger() : copy_; }
  void note(double time, Deed deed, const Nodes& nodes) {
    if (file_) return file_->note(time, deed, nodes);
    for (const auto& node : nodes) copy_.note(time, deed, node);
  }
  void note_keep(double time, std::uint32_t nodes) {
    if (file_) return file_->note_keep(time, nodes);
    copy_.note_keep(time, nodes);
  }

 private:
  std::optional<LedgerFile> file_;
  live::Ledger copy_;
};

class Run {
 public:
  explicit Run(const Given& given)
      : given_(given),
        rule_(live::rule_of(given.plan)),
        hold_(given.plan.hold.value_or(live::kDefaultHold)),
        boot_limit_(given.plan.boot_limit.value_or(live::kDefaultBootLimit)),
        commands_(given.plan.path, given.plan.slurm_conf,
                  given.plan.timeout.value_or(live::kDefaultTimeout)),
        hands_(commands_, given.yes, [this](const std::string& line) { text_ += line + "\n"; }),
        way_(make_way(given, hands_)),
        clock_(live::clock_now()),
        notes_(given, clock_ - std::max(hold_, kMinute)) {}

  int run() {
    auto cluster = live::ask(given_.plan, commands_, clock_);
    now_ = given_.plan.time ? *given_.plan.time : cluster.time.value_or(clock_);
    check_that_it_is_new();
    repair(cluster);
    if (!way_->scheduler_knows()) mark_stopping(cluster, notes_.ledger(), now_, boot_limit_);
    live::add_ledger(cluster, notes_.ledger(), now_, boot_limit_);
    carry_out(decide_on(cluster), names_of(cluster));
    core::write_output("-", text_ + (given_.yes ? "" : "nothing was done: --yes does it\n"));
    return failed_ ? 1 : 0;
  }

 private:
  /// Since then jobs may have got the nodes that were idle.
  void check_that_it_is_new() const {
    const bool recorded = !given_.plan.state.empty() || given_.plan.time;
    if (given_.yes && recorded && !live::is_recent(now_, clock_, boot_limit_))
      throw core::Error(fmt::format(
          "the state is of another time, {} from now: record it anew, or leave out --yes",
          core::human_duration(std::abs(clock_ - now_))));
  }

  /// What was asked of the way and did not go well is left for the next run.
  Nodes well(const Nodes& asked, Nodes done) {
    failed_ = failed_ || done.size() < asked.size();
    return done;
  }

  void repair(const live::Cluster& cluster) {
    const auto to_do =
        reconcile(cluster, notes_.ledger(), way_->scheduler_knows(), now_, boot_limit_);
    notes_.note(now_, Deed::off, to_do.off);
    notes_.note(now_, Deed::up, well(to_do.up, way_->welcome(to_do.up)));
    notes_.note(now_, Deed::off, well(to_do.finish_off, way_->switch_off(to_do.finish_off)));
    well(to_do.wake_again, way_->wake(to_do.wake_again));
    for (const auto& node : to_do.late)
      spdlog::warn("{} was woken and has not come up within {}: another one takes its place", node,
                   core::human_duration(boot_limit_));
    notes_.note(now_, Deed::late, to_do.late);
  }

  live::Decision decide_on(const live::Cluster& cluster) {
    if (notes_.ledger().last_keep() != rule_.keep) notes_.note_keep(now_, rule_.keep);
    rule_.keep_at_least = notes_.ledger().largest_keep(now_, hold_).value_or(0);
    const auto rate = given_.rate.value_or(kDefaultRate);
    const auto last_minute = notes_.ledger().orders_within(now_, kMinute);
    const auto most = given_.plan.max_change.value_or(kDefaultMaxChange);
    rule_.max_change = static_cast<std::uint32_t>(
        std::min(most, rate - std::min<std::uint64_t>(rate, last_minute)));
    return live::decide(cluster, rule_, now_);
  }

  void carry_out(const live::Decision& decision, const Nodes& all) {
    text_ += live::plan_text(decision, rule_);
    if (!way_->prepare(decision, rule_, all)) failed_ = true;
    const auto wake = names_of(decision.wake);
    notes_.note(now_, Deed::waking, wake);
    if (!wake.empty()) well(wake, way_->wake(wake));
    if (!way_->switches_off() || decision.off.empty()) return;
    const auto off = still_idle(names_of(decision.off));
    notes_.note(now_, Deed::stopping, off);
    notes_.note(now_, Deed::off, well(off, way_->switch_off(off)));
  }

  /// A job may have got a node since it was decided.
  Nodes still_idle(const Nodes& nodes) const {
    if (!given_.plan.state.empty()) return nodes;
    const auto cluster = live::ask(given_.plan, commands_, clock_);
    Nodes idle;
    for (const auto& node : nodes) {
      const auto found = std::ranges::find(cluster.nodes, node, &live::Node::name);
      if (found != cluster.nodes.end() && found->state == NodeState::idle)
        idle.push_back(node);
      else
        spdlog::info("{} is not idle any more, so it stays on", node);
    }
    return idle;
  }

  static Nodes names_of(const std::vector<live::Choice>& choices) {
    Nodes nodes;
    for (const auto& choice : choices) nodes.push_back(choice.node);
    return nodes;
  }
  static Nodes names_of(const live::Cluster& cluster) {
    Nodes nodes;
    for (const auto& node : cluster.nodes) nodes.push_back(node.name);
    return nodes;
  }

  const Given& given_;
  live::Rule rule_;
  double hold_, boot_limit_;
  live::Commands commands_;
  Hands hands_;
  std::unique_ptr<Way> way_;
  double clock_, now_ = 0;
  Notes notes_;
  std::string text_;
  bool failed_ = false;
};

}  // namespace

int apply(const Given& given) { return Run(given).run(); }

}  // namespace spare_plan::standby::apply
