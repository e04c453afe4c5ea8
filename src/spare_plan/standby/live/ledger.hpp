// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spare_plan/standby/live/cluster.hpp"

namespace spare_plan::standby::live {

/// Whether something was less than `limit` seconds ago. What lies so far ahead was noted before the
/// clock was set back and is past: else it would count as new until the clock has caught up.
inline bool is_recent(double time, double now, double limit) {
  return std::abs(now - time) < limit;
}

/// What apply has done to a node last, or seen of it.
enum class Deed {
  stopping,  ///< the orders to switch it off are about to be given
  off,       ///< they were given
  waking,    ///< the orders to switch it on are about to be given
  up,        ///< it is in use again
  late,      ///< it did not come up in time
};
const char* name_of(Deed deed);

/// An append-only file in which apply notes what it does before and after it does it, so that the
/// next run knows which nodes are off on purpose and what was left half done:
///
///     # launchwise-ledger: 1
///     1796143931.250 stopping n4        TIME stopping|off|waking|up|late NODE
///     1796143931.500 keep 8             TIME keep N: from then on N nodes are kept
///
/// A last line without its newline was torn by a crash and does not count.
class Ledger {
 public:
  Ledger() = default;
  /// Throws Error naming NAME:LINE for what is not such a line.
  Ledger(std::string_view text, const std::string& name);

  void note(double time, Deed deed, const std::string& node);
  void note_keep(double time, std::uint32_t nodes);

  struct Entry {
    Deed deed;
    double time;
  };
  /// The last deed, if any.
  std::optional<Entry> last(const std::string& node) const;
  std::vector<std::string> nodes() const;
  /// The largest N that was kept within the last `hold` seconds; nothing when none is known.
  std::optional<std::uint32_t> largest_keep(double now, double hold) const;
  std::optional<std::uint32_t> last_keep() const;
  /// Orders given, on and off, within the last `seconds`.
  std::size_t orders_within(double now, double seconds) const;
  /// The text of a ledger with each node's last deed, and the keeps and orders that matter from
  /// `recent` on.
  std::string text_since(double recent) const;
  /// Bytes of the text up to its last newline: where the next line belongs.
  std::size_t whole_bytes() const { return whole_bytes_; }

 private:
  void take(std::string_view line, const std::string& where);

  std::map<std::string, Entry> last_;
  std::vector<std::pair<double, std::uint32_t>> keeps_;
  std::vector<std::pair<double, std::string>> orders_;
  std::size_t whole_bytes_ = 0;
};

constexpr std::string_view kLedgerTitle = "# launchwise-ledger: 1\n";
std::string ledger_line(double time, Deed deed, const std::string& node);
std::string ledger_line(double time, std::uint32_t keep);

/// Puts what the ledger knows into the state: a node that is down and was switched off is off; one
/// that is off or down and was woken less than `boot_limit` seconds ago is booting; one that did
/// not come up is late; since when a node is off, or up, where the scheduler does not tell.
void add_ledger(Cluster& cluster, const Ledger& ledger, double now, double boot_limit);

}  // namespace spare_plan::standby::live
