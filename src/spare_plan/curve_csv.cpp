// SPDX-License-Identifier: BSD-3-Clause
// Ten million rows are possible, and printing numbers is what takes the time: a number that is the
// same as in the row before (most chances and times are) is not printed anew.
#include <fmt/compile.h>
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

#include "spare_plan/report.hpp"

namespace spare_plan {
namespace {

/// Room for a row: four numbers of at most 24 characters and their separators.
constexpr std::size_t kLongestRow = 128;

/// The text of the last number printed in a column.
class Column {
 public:
  char* print(double value, char* out) {
    if (value != value_ || size_ == 0) {
      value_ = value;
      size_ = static_cast<std::size_t>(fmt::format_to(text_.data(), FMT_COMPILE("{}"), value) -
                                       text_.data());
    }
    std::memcpy(out, text_.data(), text_.size());
    return out + size_;
  }

 private:
  double value_ = 0;
  std::array<char, 32> text_{};
  std::size_t size_ = 0;
};

}  // namespace

void write_curve(std::ostream& out, const Curve& curve, std::uint64_t most_spares) {
  out << "n_spare,expected_cost,expected_time,p_excludable\n";
  std::vector<char> block(1 << 16);
  char* const end = block.data() + block.size() - kLongestRow;
  char* at = block.data();
  Column time, excludable;
  curve.each(0, most_spares, [&](std::uint64_t k, const Point& point) {
    at = fmt::format_to(at, FMT_COMPILE("{},{},"), k, point.cost);
    at = time.print(point.time, at);
    *at++ = ',';
    at = excludable.print(point.excludable, at);
    *at++ = '\n';
    if (at < end) return;
    out.write(block.data(), at - block.data());
    at = block.data();
  });
  out.write(block.data(), at - block.data());
}

}  // namespace spare_plan
