// SPDX-License-Identifier: BSD-3-Clause
// The switches of a cluster, as Slurm tells them. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mpisel {

/// A tree of switches; hosts hang at any of them. Hosts that it does not know hang at a switch of
/// their own each. Where the switches have no common root, or hosts are unknown, one is added above
/// all that stands for whatever joins them.
class SwitchTree {
 public:
  struct Switch {
    std::string name;
    std::vector<std::size_t> children;
  };

  /// From the lines of `scontrol show topology`: SwitchName=NAME with Switches=LIST, or else with
  /// Nodes=LIST (a switch above others names their nodes again). A node at several switches counts
  /// for the first. Throws Error when no switch is told, or they do not make a tree.
  explicit SwitchTree(std::string_view text);

  /// The switch of each host; unknown ones get their own.
  std::vector<std::size_t> places_of(std::span<const std::string> hosts);

  const std::vector<Switch>& switches() const { return switches_; }
  std::size_t root() const { return root_; }

 private:
  void read_line(std::string_view line);
  void join_roots();
  void check_reach() const;

  std::vector<Switch> switches_;
  std::size_t root_ = 0;
  bool root_is_ours_ = false;
  std::unordered_map<std::string, std::size_t> by_name_, by_host_;
  std::vector<std::pair<std::size_t, std::string>> below_;  ///< while reading
};

/// How many switches the messages among hosts at these places pass: those on all ways between them.
/// One for hosts at one switch, 0 for none.
std::size_t switches_between(const SwitchTree& tree, std::span<const std::size_t> places);

}  // namespace mpisel
