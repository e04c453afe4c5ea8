// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/settling.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/node_times.hpp"
#include "core/plural.hpp"

namespace benchrun {

namespace {

constexpr double kRoom = 1.2;  ///< a further block may take so much longer than those before
constexpr std::size_t kMostNamed = 10;

std::string percent(double share) { return fmt::format("{:.3g} %", 100 * share); }

/// Of usable hosts, by their scores.
std::vector<std::size_t> fastest_first(const core::Scores& scores) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < scores.hosts.size(); ++i)
    if (scores.hosts[i].usable) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return scores.hosts[i].score; });
  return order;
}

/// The first ones by name.
std::string listed(std::vector<std::string> names) {
  const std::size_t more = names.size() - std::min(names.size(), kMostNamed);
  names.resize(names.size() - more);
  return fmt::format("{}{}", fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

bool Settling::wants_more(const core::TimesBlock& block, double now, double deadline) {
  judge(block);
  if (!plan_.goal) return false;
  ++blocks_;
  longest_block_ = std::max(longest_block_, now - last_look_);
  last_look_ = now;
  out_of_time_ = now + kRoom * longest_block_ > deadline;
  const bool enough = reached() && !plan_.goal->all_blocks;
  return !enough && blocks_ < plan_.goal->most_blocks && !out_of_time_;
}

void Settling::judge(const core::TimesBlock& block) {
  const core::Scores scores = core::score_hosts({&block, 1}, core::By::median);
  usable_ = scores.usable;
  names_.clear();
  for (const core::HostScore& host : scores.hosts) names_.push_back(host.host);
  times_ = core::series_of(scores.hosts, core::Within::kind);
  several_kinds_ = core::by_kind(times_).size() > 1;
  judged_ = core::judge_hosts(times_, {plan_.tolerance, core::looks_at(times_)});
  links_ = core::links_of({&block, 1});
  judged_links_ = core::judge_links(links_);
  if (plan_.goal && plan_.goal->fastest) judge_fastest(scores);
}

void Settling::judge_fastest(const core::Scores& scores) {
  const std::vector<std::size_t> order = fastest_first(scores);
  const std::size_t kept = std::min<std::size_t>(*plan_.goal->fastest, order.size());
  const std::span<const std::size_t> all(order);
  const auto times = core::series_of(scores.hosts, core::Within::all);
  boundary_ = core::judge_boundary(times, all.first(kept), all.subspan(kept),
                                   {plan_.tolerance, core::looks_at(times)});
}

bool Settling::reached() const {
  if (plan_.goal->fastest) return boundary_.settled;
  return core::undecided(times_, judged_).empty() && undecided_links().empty();
}

std::vector<Sentence> Settling::sentences() const {
  std::vector<Sentence> all;
  tell_slow(all);
  tell_slow_links(all);
  if (plan_.goal) all.push_back(plan_.goal->fastest ? about_fastest() : about_slow_ones());
  if (plan_.goal && !judged_links_.empty()) all.push_back(about_links());
  return all;
}

void Settling::tell_slow(std::vector<Sentence>& sentences) const {
  std::size_t slow = 0;
  for (std::size_t i = 0; i < judged_.size(); ++i) {
    const core::Judged& host = judged_[i];
    if (host.pace != core::Pace::slow || ++slow > kMostNamed) continue;
    sentences.push_back(
        {true,
         fmt::format("{}: slow: {:.3f} times the median of the others{}, between {:.3f} and "
                     "{:.3f} after {}",
                     names_[i], host.ratio, several_kinds_ ? " of its hardware" : "",
                     host.interval.low, host.interval.high, core::counted(host.runs, "run"))});
  }
  if (slow > kMostNamed)
    sentences.push_back({true, fmt::format("... and {} more hosts are slow", slow - kMostNamed)});
}

void Settling::tell_slow_links(std::vector<Sentence>& sentences) const {
  std::size_t slow = 0;
  for (std::size_t i = 0; i < judged_links_.size(); ++i)
    if (judged_links_[i].pace == core::Pace::slow && ++slow <= kMostNamed)
      sentences.push_back({true, core::describe(links_, i, judged_links_[i])});
  if (slow > kMostNamed)
    sentences.push_back({true, fmt::format("... and {} more links are slow", slow - kMostNamed)});
}

std::vector<std::string> Settling::undecided_links() const {
  std::vector<std::string> undecided;
  for (std::size_t i = 0; i < judged_links_.size(); ++i)
    if (judged_links_[i].pace == core::Pace::undecided)
      undecided.push_back(fmt::format("{} - {} ({:.3f})", links_.hosts[links_.times[i].a],
                                      links_.hosts[links_.times[i].b], judged_links_[i].ratio));
  return undecided;
}

Sentence Settling::about_links() const {
  const auto [all, slow] = core::count_links(links_, judged_links_);
  if (all == 1) return {false, core::kOnePairAlone};
  const std::vector<std::string> undecided = undecided_links();
  return {false,
          fmt::format("links: {} of {} more than {} slower than their hosts account for, "
                      "with {} confidence that none is blamed wrongly{}",
                      slow, all, percent(core::kLinkTolerance), percent(1 - core::kLinkError),
                      undecided.empty() ? "" : "; not settled: " + listed(undecided))};
}

std::string Settling::effort() const {
  std::size_t runs = 0;
  for (const core::HostTimes& host : times_) runs = std::max(runs, host.times.size());
  return core::counted(runs, "run") +
         (out_of_time_ && !reached() ? ", all that the budget allows" : "");
}

/// Follows a sentence about who is slow.
std::string Settling::without_peers() const {
  std::vector<std::string> alone;
  for (std::size_t i = 0; i < judged_.size(); ++i)
    if (judged_[i].pace == core::Pace::alone) alone.push_back(names_[i]);
  if (alone.empty()) return "";
  return fmt::format("; compared with none, the only one of its hardware: {}", listed(alone));
}

Sentence Settling::about_slow_ones() const {
  const auto slow = std::ranges::count(judged_, core::Pace::slow, &core::Judged::pace);
  std::vector<std::string> undecided;
  for (const std::size_t i : core::undecided(times_, judged_))
    undecided.push_back(fmt::format("{} ({:.3f})", names_[i], judged_[i].ratio));
  const std::string limit = percent(plan_.tolerance);
  if (undecided.empty())
    return {false,
            fmt::format("settled after {}: {} of {} more than {} slower than the others, each "
                        "told with {} confidence{}",
                        effort(), slow, core::counted(usable_, "host"), limit,
                        percent(1 - core::kFlagError), without_peers())};
  return {false,
          fmt::format("not settled after {}: more than {} slower than the others or not: {}{}",
                      effort(), limit, listed(undecided), without_peers())};
}

Sentence Settling::about_fastest() const {
  const std::uint64_t wanted = *plan_.goal->fastest;
  if (usable_ <= wanted)
    return {usable_ < wanted, fmt::format("the {} fastest hosts: there {} only {} that can be used",
                                          wanted, usable_ == 1 ? "is" : "are", usable_)};
  return {!boundary_.settled,
          fmt::format("the {} fastest of {} hosts are {}settled after {}: {}", wanted, usable_,
                      boundary_.settled ? "" : "not ", effort(), core::describe(boundary_))};
}

}  // namespace benchrun
