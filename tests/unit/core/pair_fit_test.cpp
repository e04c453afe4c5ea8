// SPDX-License-Identifier: BSD-3-Clause
#include "core/pair_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace core {
namespace {

/// All pairs of n hosts in the order 01, 02, ..., 12, ...
std::vector<PairTime> all_pairs(std::uint32_t n, const std::vector<double>& log_times) {
  std::vector<PairTime> pairs;
  for (std::uint32_t a = 0; a < n; ++a)
    for (std::uint32_t b = a + 1; b < n; ++b) pairs.push_back({a, b, log_times.at(pairs.size())});
  return pairs;
}

void expect_hosts(const PairFit& fit, const std::vector<double>& wanted, double within) {
  ASSERT_EQ(fit.hosts.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(fit.hosts[i], wanted[i], within) << "host " << i;
}

TEST(PairFit, IsLeastSquaresWhereAllIsSmall) {
  // numpy.linalg.lstsq of the ten pairs and five rows h_i = 0.
  const PairFit fit =
      fit_pairs(5, all_pairs(5, {.013, .02, -.021, .024, .031, .012, .018, .009, .025, -.01}));
  EXPECT_NEAR(fit.level, .0121, 1e-6);
  expect_hosts(fit, {-.0031, .0064, .00915, -.0146, .00215}, 1e-6);
}

TEST(PairFit, IsTheLeastOfHubersFunctionWhereNotAllIsSmall) {
  // Host 2 and the link of 0 and 3 are slow. scipy.optimize.minimize (BFGS, gtol 1e-12).
  const PairFit fit =
      fit_pairs(5, all_pairs(5, {.013, .52, .39, .034, .47, .011, -.018, .509, .455, .02}));
  EXPECT_NEAR(fit.level, 0.06785714212, 1e-6);
  expect_hosts(fit, {0.01801785779, -0.04151785667, 0.4206428568, 0.01126785822, -0.03776785699},
               1e-6);
}

constexpr double kSlow = 0.7;

TEST(PairFit, TellsASlowHostFromASlowLinkFromThreeHostsOn) {
  for (std::uint32_t n = 3; n <= 9; ++n) {
    std::vector<double> even(n * (n - 1) / 2, -3.0);
    std::vector<double> link = even, host = even;
    link[0] += kSlow;                                            // 0 and 1
    for (std::uint32_t b = 1; b < n; ++b) host[b - 1] += kSlow;  // all of 0
    const PairFit of_link = fit_pairs(n, all_pairs(n, link)),
                  of_host = fit_pairs(n, all_pairs(n, host));
    const double bend = kPairBend / (n - 2);
    EXPECT_NEAR(of_link.links[0], kSlow, 3 * bend) << n;
    EXPECT_NEAR(of_link.hosts[0], 0, 2 * bend) << n;
    EXPECT_NEAR(of_host.hosts[0], kSlow, 3 * bend) << n;
    for (const double rest : of_host.links) EXPECT_NEAR(rest, 0, 2 * bend) << n;
  }
}

TEST(PairFit, ASlowHostDoesNotHideASlowLink) {
  std::vector<PairTime> pairs = all_pairs(8, std::vector<double>(28, 1.0));
  for (PairTime& pair : pairs) {
    if (pair.a == 2 || pair.b == 2) pair.log_time += kSlow;
    if (pair.a == 2 && pair.b == 5) pair.log_time += 0.4;
  }
  const PairFit fit = fit_pairs(8, pairs);
  EXPECT_NEAR(fit.hosts[2], kSlow, 0.03);
  EXPECT_NEAR(fit.hosts[5], 0, 0.02);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    EXPECT_NEAR(fit.links[i], pairs[i].a == 2 && pairs[i].b == 5 ? 0.4 : 0, 0.03);
}

TEST(PairFit, TwoSlowHostsTogetherAreNotASlowLink) {
  // The slower of two decides, so their pair takes as long as any other of theirs.
  std::vector<PairTime> pairs = all_pairs(8, std::vector<double>(28, 0.0));
  for (PairTime& pair : pairs)
    if (pair.a <= 1 || pair.b <= 1) pair.log_time = kSlow;
  const PairFit fit = fit_pairs(8, pairs);
  EXPECT_NEAR(fit.hosts[0], kSlow, 0.06);
  EXPECT_NEAR(fit.hosts[1], kSlow, 0.06);
  EXPECT_LT(fit.links[0], 0);
}

TEST(PairFit, FindsTheSlowHostAmongAThousandWithTenPartners) {
  // 1000 hosts in a ring of 10 neighbours, of which one is slow.
  std::mt19937 random(4);
  std::normal_distribution<double> noise(0, 0.03);
  std::vector<PairTime> pairs;
  for (std::uint32_t a = 0; a < 1000; ++a)
    for (std::uint32_t step = 1; step <= 5; ++step) {
      const std::uint32_t b = (a + step) % 1000;
      pairs.push_back({a, b, noise(random) + (a == 500 || b == 500 ? 0.3 : 0)});
    }
  const PairFit fit = fit_pairs(1000, pairs);
  for (std::size_t i = 0; i < 1000; ++i) EXPECT_NEAR(fit.hosts[i], i == 500 ? 0.3 : 0, 0.06) << i;
}

TEST(PairFit, KnowsNothingOfAHostWithoutPairs) {
  const std::vector<PairTime> pairs{{0, 1, 2.0}};
  const PairFit fit = fit_pairs(3, pairs);
  EXPECT_NEAR(fit.level, 2, 1e-9);
  expect_hosts(fit, {0, 0, 0}, 1e-9);
  EXPECT_TRUE(fit_pairs(2, {}).links.empty());
}

}  // namespace
}  // namespace core
