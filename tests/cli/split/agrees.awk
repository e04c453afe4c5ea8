# SPDX-License-Identifier: BSD-3-Clause
# awk -f agrees.awk -v ranks=N -v status=ok|failed SAID... TABLE: whether so many rows with this
# status split the time as mpi.c and mpi.f90 have said of themselves. Both clocks are read in the same
# places, so that they differ only when a process loses its processor between two readings that
# follow each other: 0.1 s are left for that, however late the ranks and their messages are.
function near(got, said) { return got >= said - 0.1 && got <= said + 0.1 }

$1 == "own" {
    computing[$2] = $3
    mpi[$2] = $4
    next
}

{ split($0, field, ",") }

# What the program slept is the least. A rank that has failed may have waited on for the others.
field[6] == status && field[2] in computing {
    rank = field[2]
    least = rank == 1 ? 0.9 : 0.3
    waited = status != "ok" && field[8] > mpi[rank]
    good += field[7] >= least - 0.001 && near(field[7], computing[rank]) &&
        (waited || near(field[8], mpi[rank]))
}

END { exit good != ranks }
