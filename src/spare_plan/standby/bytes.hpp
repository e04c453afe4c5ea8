// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace spare_plan::standby {

/// A text that comes piece by piece.
class Bytes {
 public:
  /// `more` returns the next piece, valid until it is called again; empty: the end.
  explicit Bytes(std::function<std::string_view()> more) : more_(std::move(more)) {}
  /// The whole text at once.
  explicit Bytes(std::string_view text);

  /// The bytes that come next, at least one unless the text has ended; stays what it is until
  /// take().
  std::string_view peek();
  std::string_view take();

 private:
  std::function<std::string_view()> more_;
  std::string_view piece_;
};

/// Calls `use` with each line that is not empty, without its end (LF or CR LF), and its number from
/// 1. Of a line beyond kLongestLine `use` gets nothing and `too_long` its number.
constexpr std::size_t kLongestLine = std::size_t{4} << 20;
void for_each_line(Bytes& bytes, const std::function<void(std::string_view, std::size_t)>& use,
                   const std::function<void(std::size_t)>& too_long);

}  // namespace spare_plan::standby
