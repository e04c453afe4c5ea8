// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Finds the index of a name among distinct names: a hash table of indices alone, open addressing,
/// at most half full. For readers that look up a name a row.
class NameIndex {
 public:
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

  /// `names` is always the vector that add() has filled.
  std::size_t find(std::string_view name, const std::vector<std::string>& names);
  /// Appends a name that is not there yet, at most 2^31 of them, and returns its index.
  std::size_t add(std::string_view name, std::vector<std::string>& names);

 private:
  std::size_t mask() const { return slots_.size() - 1; }
  void place(std::size_t index, const std::vector<std::string>& names);

  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(16);  ///< index + 1, 0: free
  std::size_t last_ = kNowhere;  ///< found last: rows often come by host, and have one benchmark
};

}  // namespace core
