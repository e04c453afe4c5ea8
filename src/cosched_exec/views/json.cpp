// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/views/report.hpp"
