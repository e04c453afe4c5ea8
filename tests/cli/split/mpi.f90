! SPDX-License-Identifier: BSD-3-Clause
! As mpi.c; says "own RANK COMPUTING MPI" on standard error.
program p
  use iso_c_binding
  use iso_fortran_env, only: error_unit
  use mpi
  interface
    integer(c_int) function usleep(microseconds) bind(c)
      import c_int
      integer(c_int), value :: microseconds
    end function
  end interface
  integer :: rank, i, ierr, total
  integer(c_int) :: done, long
  double precision :: start, computing
  call MPI_Init(ierr)
  start = MPI_Wtime()
  computing = 0
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  long = merge(300000, 100000, rank == 1)
  do i = 1, 3
    computing = computing - MPI_Wtime()
    done = usleep(long)
    computing = computing + MPI_Wtime()
    call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  end do
  write (error_unit, '("own ", i0, 2f12.6)') rank, computing, MPI_Wtime() - start - computing
  call MPI_Finalize(ierr)
end program
