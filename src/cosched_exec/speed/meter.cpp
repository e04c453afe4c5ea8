// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/speed/meter.hpp"
