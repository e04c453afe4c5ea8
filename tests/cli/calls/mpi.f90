! SPDX-License-Identifier: BSD-3-Clause
program p
  use mpi
  integer :: rank, i, ierr, total, mine
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  do i = 1, 1000
    mine = rank + i
    call MPI_Allreduce(mine, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  end do
  if (rank == 0) print *, total
  call MPI_Finalize(ierr)
end program
