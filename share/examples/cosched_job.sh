#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A Slurm job that keeps one node busy with several programs. Submit it with sbatch cosched_job.sh.
#SBATCH --nodes=1
#SBATCH --exclusive

# The first failure starts no more tasks; tasks.log tells how each one ended.
cosched_exec tasks.txt --halt soon,fail=1 --joblog tasks.log --plot tasks.svg
