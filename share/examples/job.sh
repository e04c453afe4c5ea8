#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A Slurm job that leaves its slow nodes out. Submit it with a few nodes to spare:
#
#   spare-plan -n 100 --from --t-cmpt 50m --t-comm 10m --otherwise 4 -- sbatch job.sh
#
# spare-plan asks for 100 + k nodes and tells the job by LAUNCHWISE_N_NODE that 100 are wanted.
#SBATCH --ntasks-per-node=2

# How fast is each of the nodes that we got? A node that hangs or is dead becomes a row of the table.
benchrun -o times.csv

# The unchanged mpirun line, on the fastest ones; on all of them if that cannot be told.
# (Add --give-back --yes, and the others are free for other jobs while it runs.)
mpisel times.csv --explain --otherwise all -- mpirun ./app
