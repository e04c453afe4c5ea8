// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "spare_plan/plot.hpp"
#include "spare_plan/report.hpp"

namespace {

using spare_plan::Curve;
using testing::HasSubstr;

Curve curve_of(std::uint64_t n, double p, double alpha, double t_bench = 0.1) {
  spare_plan::Parameters parameters;
  parameters.n_node = n;
  parameters.slowness = spare_plan::two_kinds(p, alpha);
  parameters.t_bench = t_bench;
  parameters.t_cmpt = 100;
  parameters.t_comm = 10;
  return Curve(parameters);
}

double number(const std::string& text) {
  double value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  EXPECT_TRUE(error == std::errc() && end == text.data() + text.size()) << text;
  return value;
}

TEST(CurveCsv, EveryRowReadsBackToTheSameBits) {
  const auto curve = curve_of(5000, 0.01, 3.7);
  std::stringstream csv;
  spare_plan::write_curve(csv, curve, 5000);
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line, "n_spare,expected_cost,expected_time,p_excludable");
  for (std::uint64_t k = 0; k <= 5000; ++k) {
    std::vector<std::string> fields(4);
    ASSERT_TRUE(std::getline(csv, line));
    std::istringstream row(line);
    for (auto& field : fields) std::getline(row, field, ',');
    const auto point = curve.at(k);
    EXPECT_EQ(fields[0], std::to_string(k));
    EXPECT_EQ(number(fields[1]), point.cost);
    EXPECT_EQ(number(fields[2]), point.time);
    EXPECT_EQ(number(fields[3]), point.excludable);
  }
  EXPECT_FALSE(std::getline(csv, line));
}

TEST(CurvePicture, ShowsTheAnswerWithinItsRangesWhateverTheCurve) {
  for (const std::uint64_t n : {1, 2, 100, 1000, 1'000'000})
    for (const double p : {0.0, 1e-4, 0.1, 0.45, 0.9, 1.0}) {
      SCOPED_TRACE(testing::Message() << n << " nodes, p = " << p);
      const auto curve = curve_of(n, p, 5);
      const auto plan = spare_plan::search(curve);
      const auto picture = spare_plan::curve_picture(curve, plan);
      const auto k = static_cast<double>(plan.n_spare);
      EXPECT_LE(picture.x_range->first, k);
      EXPECT_GE(picture.x_range->second, k);
      EXPECT_LT(picture.x_range->first, picture.x_range->second);
      EXPECT_LT(picture.y_range->first, picture.y_range->second);
      ASSERT_FALSE(picture.series.front().points.empty());
      EXPECT_LE(picture.series.front().points.size(), 1300u);
      for (const auto& series : picture.series)
        for (const auto& [x, y] : series.points) {
          EXPECT_GE(y, picture.y_range->first);
          EXPECT_LE(y, picture.y_range->second);
        }
    }
}

TEST(CurvePicture, TellsWhatIsGained) {
  const auto good = curve_of(100, 0.026, 3.53), useless = curve_of(100, 0, 3.53, 20);
  EXPECT_THAT(spare_plan::curve_picture(good, spare_plan::search(good)).title,
              HasSubstr("% less than as is"));
  EXPECT_THAT(spare_plan::curve_picture(useless, spare_plan::search(useless)).title,
              HasSubstr("no spares, but as is costs no more"));
}

}  // namespace
