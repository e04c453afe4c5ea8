// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <random>
#include <string>

#include "cosched_exec/strategy/speed_table.hpp"

/// Random tables of speeds, the same for the same seed: tasks that share resources in some way.
namespace instances {

using Random = std::mt19937_64;

double uniform(Random& random, double least, double most);

/// d_i uniform in .1..1: f = 1/max(1, sum d).
cosched_exec::SpeedTable bottleneck(Random& random, std::size_t tasks);
/// Three such resources, the tightest counts.
cosched_exec::SpeedTable shared(Random& random, std::size_t tasks);
/// f_j = 1/(1 + sum of a_jk over the others in the set), a exponential with mean .6.
cosched_exec::SpeedTable pair(Random& random, std::size_t tasks);
/// The pair form with a in .5..1.5 within a kind and 0..0.2 between the two kinds.
cosched_exec::SpeedTable two_class(Random& random, std::size_t tasks);
/// Any monotone table: each f is the least over the next smaller sets times a number in .5..1.
cosched_exec::SpeedTable monotone(Random& random, std::size_t tasks);
/// Uniform speeds, not monotone.
cosched_exec::SpeedTable rough(Random& random, std::size_t tasks);

struct Family {
  std::string name;
  cosched_exec::SpeedTable (*make)(Random&, std::size_t);
};
inline const Family kMonotone[] = {{"bottleneck", bottleneck},
                                   {"shared", shared},
                                   {"pair", pair},
                                   {"two-class", two_class},
                                   {"monotone", monotone}};

}  // namespace instances
