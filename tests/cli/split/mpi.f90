! SPDX-License-Identifier: BSD-3-Clause
! As mpi.c.
program p
  use iso_c_binding
  use mpi
  interface
    integer(c_int) function usleep(microseconds) bind(c)
      import c_int
      integer(c_int), value :: microseconds
    end function
  end interface
  integer :: rank, i, ierr, total
  integer(c_int) :: done, long
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  long = merge(300000, 100000, rank == 1)
  do i = 1, 3
    done = usleep(long)
    call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  end do
  call MPI_Finalize(ierr)
end program
