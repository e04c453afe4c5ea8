// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/switches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/error.hpp"
#include "core/hostlist.hpp"

namespace mpisel {
namespace {

constexpr std::string_view kSource = "scontrol show topology";

/// The value of "KEY=" in a line of words, empty without it.
std::string_view value_of(std::string_view line, std::string_view key) {
  for (std::size_t place = line.find(key); place != line.npos; place = line.find(key, place + 1)) {
    if (place > 0 && line[place - 1] != ' ') continue;
    line.remove_prefix(place + key.size());
    return line.substr(0, line.find(' '));
  }
  return {};
}

[[noreturn]] void no_tree(const std::string& name) {
  throw core::Error(fmt::format("{}: switch {} is above itself or below two", kSource, name));
}

}  // namespace

SwitchTree::SwitchTree(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    read_line(line);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  if (switches_.empty()) throw core::Error(fmt::format("{} tells no switch", kSource));
  join_roots();
  check_reach();
}

void SwitchTree::read_line(std::string_view line) {
  const std::string name{value_of(line, "SwitchName=")};
  if (name.empty()) return;
  const std::size_t index = switches_.size();
  if (!by_name_.try_emplace(name, index).second) no_tree(name);
  switches_.push_back({name, {}});
  if (const auto below = value_of(line, "Switches="); !below.empty()) {
    for (std::string& child : core::parse_hostlist(below, kSource))
      below_.emplace_back(index, std::move(child));
    return;
  }
  if (const auto nodes = value_of(line, "Nodes="); !nodes.empty())
    for (std::string& host : core::parse_hostlist(nodes, kSource))
      by_host_.try_emplace(std::move(host), index);
}

void SwitchTree::join_roots() {
  std::vector<bool> has_parent(switches_.size(), false);
  for (const auto& [parent, name] : below_) {
    const auto child = by_name_.find(name);
    if (child == by_name_.end()) continue;
    if (has_parent[child->second]) no_tree(name);
    has_parent[child->second] = true;
    switches_[parent].children.push_back(child->second);
  }
  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < has_parent.size(); ++i)
    if (!has_parent[i]) roots.push_back(i);
  if (roots.size() == 1) {
    root_ = roots.front();
    return;
  }
  root_ = switches_.size();
  root_is_ours_ = true;
  switches_.push_back({"", std::move(roots)});
}

/// Every switch has one parent at most, so those that the root does not reach make circles.
void SwitchTree::check_reach() const {
  std::vector<std::size_t> reached{root_};
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const std::size_t child : switches_[reached[i]].children) reached.push_back(child);
  if (reached.size() == switches_.size()) return;
  std::ranges::sort(reached);
  std::size_t first = 0;
  while (first < reached.size() && reached[first] == first) ++first;
  no_tree(switches_[first].name);
}

std::vector<std::size_t> SwitchTree::places_of(std::span<const std::string> hosts) {
  std::vector<std::size_t> places;
  for (const std::string& host : hosts) {
    const auto [found, is_new] = by_host_.try_emplace(host, switches_.size());
    if (is_new) {
      if (!root_is_ours_) {
        switches_.push_back({"", {root_}});
        root_ = switches_.size() - 1;
        root_is_ours_ = true;
        found->second = switches_.size();
      }
      switches_.push_back({"", {}});
      switches_[root_].children.push_back(found->second);
    }
    places.push_back(found->second);
  }
  return places;
}

std::size_t switches_between(const SwitchTree& tree, std::span<const std::size_t> places) {
  std::vector<bool> has_host(tree.switches().size(), false);
  std::size_t distinct = 0;
  for (const std::size_t place : places) {
    distinct += !has_host[place];
    has_host[place] = true;
  }
  std::size_t count = 0;
  // Places at or below a switch. A switch is passed when some but not all are below one child.
  const std::function<std::size_t(std::size_t)> visit = [&](std::size_t at) {
    std::size_t inside = has_host[at];
    bool all_below_one = false;
    for (const std::size_t child : tree.switches()[at].children) {
      const std::size_t below = visit(child);
      inside += below;
      all_below_one = all_below_one || below == distinct;
    }
    count += inside > 0 && !all_below_one;
    return inside;
  };
  visit(tree.root());
  return count;
}

}  // namespace mpisel
