! Point-to-point messages round a ring, by one of the three interfaces; says how many
! values arrived wrong. Each rank sends ten messages of 4 kB in each of three ways.
program messages
#include "interface.inc"
  integer, parameter :: values = 512, times = 10
  double precision :: sent(values), received(values)
  POSTAGE_HANDLE(MPI_Request) :: requests(2)
#if POSTAGE_INTERFACE == 3
  type(MPI_Status) :: status
#else
  integer :: status(MPI_STATUS_SIZE)
#endif
  integer :: rank, ranks, next, previous, wrong, all_wrong, i, ierror

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  next = modulo(rank + 1, ranks)
  previous = modulo(rank - 1, ranks)
  wrong = 0
  do i = 1, times
    sent = rank * 1000d0 + i
    call MPI_Sendrecv(sent, values, MPI_DOUBLE_PRECISION, next, 1, received, values, MPI_DOUBLE_PRECISION, previous, 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    call compare(received)
    call MPI_Irecv(received, values, MPI_DOUBLE_PRECISION, previous, 2, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Isend(sent, values, MPI_DOUBLE_PRECISION, next, 2, MPI_COMM_WORLD, requests(2), ierror)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
    call compare(received)
    if (modulo(rank, 2) == 0) then
      call MPI_Send(sent, values, MPI_DOUBLE_PRECISION, next, 3, MPI_COMM_WORLD, ierror)
      call MPI_Recv(received, values, MPI_DOUBLE_PRECISION, previous, 3, MPI_COMM_WORLD, status, ierror)
    else
      call MPI_Recv(received, values, MPI_DOUBLE_PRECISION, previous, 3, MPI_COMM_WORLD, status, ierror)
      call MPI_Send(sent, values, MPI_DOUBLE_PRECISION, next, 3, MPI_COMM_WORLD, ierror)
    end if
    call compare(received)
  end do
  call MPI_Reduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0) print '(a, i0)', 'values that are wrong: ', all_wrong
  call MPI_Finalize(ierror)

contains

  subroutine compare(data)
    double precision, intent(in) :: data(values)
    wrong = wrong + count(data /= previous * 1000d0 + i)
  end subroutine compare
end program messages
