// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace spare_plan::standby {

/// The KEY=VALUE words of a line, apart by blanks. A value that has blanks itself counts up to the
/// first of them.
class KeyValues {
 public:
  /// Reads the line, which outlives what value() returns. False when a key is there twice: then one
  /// of them may be text that a user has chosen, such as the name of a job.
  bool parse(std::string_view line);
  /// Empty where the key is not there.
  std::string_view value(std::string_view key) const;

 private:
  bool add(std::string_view key, std::string_view value);

  struct Pair {
    std::string_view key, value;
  };
  std::vector<Pair> pairs_;
  std::uint64_t seen_ =
      0;  ///< a bit for each kind of key; of keys with different bits none are equal
};

}  // namespace spare_plan::standby
