#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The simulated hosts themselves: names, ssh, mpirun, every way of slowing, every fault.
exec bash "$(dirname -- "$0")/cluster" selftest
