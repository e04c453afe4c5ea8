# SPDX-License-Identifier: BSD-3-Clause
# A times table, one repetition:
#   mawk -v hosts=15625 -v ranks=64 -v order=scrambled|by_rank -f mpisel_table_generate.awk
# by_rank: as benchrun writes it, the rows of a host together. scrambled: rows in no order, the worst
# case of a table made elsewhere. The seconds have 16 digits, as doubles
# printed to be read back exactly have; no two are equal. No random numbers: the table is the same
# everywhere.
BEGIN {
    OFS = ","
    rows = hosts * ranks
    printf "# launchwise-times: 1\n# bench: compute\n# allocation: "
    for (h = 0; h < hosts; ++h) printf "%snode%05d:%d", h ? "," : "", h, ranks
    printf "\nhost,rank,run,bench,seconds,status\n"
    stride = order == "by_rank" ? 1 : 611953  # a prime that does not divide the number of rows
    for (i = 0; i < rows; ++i) {
        rank = (i * stride) % rows
        noise = (rank * 7919 + 104729) % 1000003 / 1000003
        host = int(rank / ranks)
        slow = host % 97 == 5 ? 1.5 : 1
        seconds = slow * (1 + 0.05 * noise) + rank * 1e-12
        printf "node%05d,%d,0,compute,%.15f,ok\n", host, rank, seconds
    }
    printf "# complete: rows=%d elapsed=12.5\n", rows
}
