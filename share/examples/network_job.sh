#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A Slurm job that leaves out slow nodes, and one of two nodes between which the network is slow. Submit
# it as job.sh, with a few nodes to spare.
#SBATCH --ntasks-per-node=2

# The nodes, and the network between them, pair by pair.
benchrun -b compute -b network -o times.csv

# --explain says what is slow: a node, or the link of two.
mpisel times.csv --explain --otherwise all -- mpirun ./app
