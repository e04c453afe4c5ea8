// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/bytes.hpp"

#include <string>
#include <utility>

namespace spare_plan::standby {

Bytes::Bytes(std::string_view text)
    : more_([text]() mutable { return std::exchange(text, std::string_view()); }) {}

std::string_view Bytes::peek() {
  if (piece_.empty()) piece_ = more_();
  return piece_;
}

std::string_view Bytes::take() {
  peek();
  return std::exchange(piece_, std::string_view());
}

namespace {

/// Puts lines together.
class Lines {
 public:
  Lines(const std::function<void(std::string_view, std::size_t)>& use,
        const std::function<void(std::size_t)>& too_long)
      : use_(use), too_long_(too_long) {}

  void add(std::string_view piece) {
    for (auto end = piece.find('\n'); end != piece.npos; end = piece.find('\n')) {
      append(piece.substr(0, end));
      finish();
      piece.remove_prefix(end + 1);
    }
    append(piece);
    keep();
  }

  void finish() {
    ++number_;
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    if (too_long_now_)
      too_long_(number_);
    else if (!line_.empty())
      use_(line_, number_);
    line_ = {};
    begun_.clear();
    too_long_now_ = false;
  }

 private:
  /// The line is a part of the piece as long as it began there.
  void append(std::string_view part) {
    too_long_now_ = too_long_now_ || begun_.size() + part.size() > kLongestLine;
    if (too_long_now_) begun_.clear();
    line_ = begun_.empty() ? part : std::string_view(begun_.append(part));
  }

  void keep() {
    if (!too_long_now_ && begun_.empty()) begun_ = line_;
  }

  const std::function<void(std::string_view, std::size_t)>& use_;
  const std::function<void(std::size_t)>& too_long_;
  std::string_view line_;
  std::string begun_;  ///< what earlier pieces had of it
  bool too_long_now_ = false;
  std::size_t number_ = 0;
};

}  // namespace

void for_each_line(Bytes& bytes, const std::function<void(std::string_view, std::size_t)>& use,
                   const std::function<void(std::size_t)>& too_long) {
  Lines lines(use, too_long);
  for (auto piece = bytes.take(); !piece.empty(); piece = bytes.take()) lines.add(piece);
  lines.finish();
}

}  // namespace spare_plan::standby
