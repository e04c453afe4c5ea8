// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>

#include "spare_plan/fit.hpp"
#include "spare_plan/inputs.hpp"
#include "spare_plan/search.hpp"

namespace spare_plan {

/// The plan as one JSON object, indented; numbers read back to the same bits.
std::string plan_json(const Inputs& inputs, const Plan& plan);
/// The object where nothing could be planned and --otherwise gave n_spare: the rest is null.
std::string unplanned_json(std::uint64_t n_node, std::uint64_t n_spare);
/// The fit as one JSON object.
std::string fit_json(const Fit& fit);
/// The fit for people: a few lines, each block with its abnormal and unusable hosts.
std::string fit_text(const Fit& fit);
/// What --explain says: the answer, what it costs against as-is, how flat the curve is there, and
/// what the model leaves out.
std::string explanation(const Inputs& inputs, const Plan& plan);

/// CSV `n_spare,expected_cost,expected_time,p_excludable` of k = 0..most_spares; numbers read back
/// to the same bits.
void write_curve(std::ostream& out, const Curve& curve, std::uint64_t most_spares);

}  // namespace spare_plan
