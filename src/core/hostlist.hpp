// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Expands a host list in Slurm's notation; order and duplicates are kept.
///
///     list  = item *( "," item )
///     item  = 1*( text | "[" range *( "," range ) "]" ) [ text ]   several groups: the last varies
///     range = number [ "-" number ]                                fastest; width of the first
///                                                                  number = zero padding
///
/// Throws Error naming `where` (an option, a variable, FILE:LINE) on an empty list or item,
/// unbalanced or nested brackets, a descending range, a bad host name, or more than kMaxHosts
/// hosts.
std::vector<std::string> parse_hostlist(std::string_view text, std::string_view where);

/// One line that parse_hostlist expands to the same hosts in the same order. Runs of consecutive
/// numbers with one prefix, suffix and width are folded: n[01-04,7],m1.
std::string print_hostlist(std::span<const std::string> hosts);

}  // namespace core
