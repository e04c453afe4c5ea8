// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/speed_table.hpp"
