! Every collective that a preloaded library may replace, by one of Fortran's three interfaces. Results are compared with
! what they must be.
program collectives
#include "interface.inc"
  integer, parameter :: n = 500
  integer, parameter :: times = 12
  integer :: rank, ranks, code, time, wrong, all_wrong
  POSTAGE_HANDLE(MPI_Comm) :: copy
  POSTAGE_HANDLE(MPI_Op) :: user_sum
  external :: add_integers

  wrong = 0
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, code)
  call MPI_Op_create(add_integers, .true., user_sum, code)
  do time = 1, times
    call move(MPI_COMM_WORLD)
    call move(copy)
    call move_uneven(copy)
    call combine(copy, mod(time, ranks))
    call combine_by_users_operation(copy)
    call work_in_place(copy)
  end do
  call MPI_Op_free(user_sum, code)
  call MPI_Comm_free(copy, code)
  call MPI_Reduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, code)
  if (rank == 0) print '(a, i0)', 'Fortran: results that are wrong: ', all_wrong
#if POSTAGE_INTERFACE == 3
  call MPI_Finalize()
#else
  call MPI_Finalize(code)
#endif
  if (wrong > 0) stop 1

contains

  ! Element i of what rank r gives to rank s.
  elemental integer function element(r, s, i)
    integer, intent(in) :: r, s, i
    element = 100000 * r + 1000 * s + i
  end function

  subroutine check(right, what)
    logical, intent(in) :: right
    character(*), intent(in) :: what
    if (.not. right) then
      wrong = wrong + 1
      print '(a, i0, 2a)', 'rank ', rank, ': wrong result of ', what
    end if
  end subroutine

  subroutine move(comm)
    POSTAGE_HANDLE(MPI_Comm), intent(in) :: comm
    integer :: one(n), all(n, 0:ranks - 1), gathered(n, 0:ranks - 1), root, r, i
    root = mod(time, ranks)
    do i = 1, n
      one(i) = element(merge(rank, -1, rank == root), 0, i)
      all(i, :) = [(element(rank, r, i), r = 0, ranks - 1)]
    end do
#if POSTAGE_INTERFACE == 3
    call MPI_Barrier(comm)
    call MPI_Bcast(one, n, MPI_INTEGER, root, comm)
#else
    call MPI_Barrier(comm, code)
    call MPI_Bcast(one, n, MPI_INTEGER, root, comm, code)
#endif
    call check(all_equal(one, [(element(root, 0, i), i = 1, n)]), 'bcast')
    one = [(element(rank, 0, i), i = 1, n)]
    gathered = -1
    call MPI_Gather(one, n, MPI_INTEGER, gathered, n, MPI_INTEGER, root, comm, code)
    if (rank == root) call check(is_gathered(gathered), 'gather')
    gathered = -1
    call MPI_Allgather(one, n, MPI_INTEGER, gathered, n, MPI_INTEGER, comm, code)
    call check(is_gathered(gathered), 'allgather')
    call MPI_Scatter(all, n, MPI_INTEGER, one, n, MPI_INTEGER, root, comm, code)
    call check(all_equal(one, [(element(root, rank, i), i = 1, n)]), 'scatter')
    call MPI_Alltoall(all, n, MPI_INTEGER, gathered, n, MPI_INTEGER, comm, code)
    do r = 0, ranks - 1
      call check(all_equal(gathered(:, r), [(element(r, rank, i), i = 1, n)]), 'alltoall')
    end do
  end subroutine

  logical function is_gathered(gathered)
    integer, intent(in) :: gathered(n, 0:ranks - 1)
    integer :: r, i
    is_gathered = .true.
    do r = 0, ranks - 1
      is_gathered = is_gathered .and. all_equal(gathered(:, r), [(element(r, 0, i), i = 1, n)])
    end do
  end function

  logical function all_equal(a, b)
    integer, intent(in) :: a(:), b(:)
    all_equal = all(a == b)
  end function

  ! Rank r has r + 1 elements for everybody, with one between the blocks that belongs to nobody.
  subroutine move_uneven(comm)
    POSTAGE_HANDLE(MPI_Comm), intent(in) :: comm
    integer :: counts(0:ranks - 1), starts(0:ranks - 1), same(0:ranks - 1), own_starts(0:ranks - 1)
    integer :: gathered((ranks + 1) * (ranks + 2)), own(rank + 1), to_each((rank + 1) * ranks), r, i, root
    root = mod(time, ranks)
    counts = [(r + 1, r = 0, ranks - 1)]
    starts = [((r * (r + 1)) / 2 + r, r = 0, ranks - 1)]
    own = [(element(rank, 0, i), i = 1, rank + 1)]
    gathered = -1
    call MPI_Gatherv(own, rank + 1, MPI_INTEGER, gathered, counts, starts, MPI_INTEGER, root, comm, code)
    if (rank == root) call check(is_uneven(gathered, starts), 'gatherv')
    gathered = -1
    call MPI_Allgatherv(own, rank + 1, MPI_INTEGER, gathered, counts, starts, MPI_INTEGER, comm, code)
    call check(is_uneven(gathered, starts), 'allgatherv')
    own = -1
    call MPI_Scatterv(gathered, counts, starts, MPI_INTEGER, own, rank + 1, MPI_INTEGER, root, comm, code)
    call check(all_equal(own, [(element(rank, 0, i), i = 1, rank + 1)]), 'scatterv')
    same = rank + 1
    own_starts = [(r * (rank + 1), r = 0, ranks - 1)]
    to_each = [((element(rank, 0, i), i = 1, rank + 1), r = 0, ranks - 1)]
    gathered = -1
    call MPI_Alltoallv(to_each, same, own_starts, MPI_INTEGER, gathered, counts, starts, MPI_INTEGER, comm, code)
    call check(is_uneven(gathered, starts), 'alltoallv')
  end subroutine

  logical function is_uneven(gathered, starts)
    integer, intent(in) :: gathered(:), starts(0:)
    integer :: r, i
    is_uneven = .true.
    do r = 0, ranks - 1
      is_uneven = is_uneven .and. all_equal(gathered(starts(r) + 1:starts(r) + r + 1), [(element(r, 0, i), i = 1, r + 1)])
      if (r < ranks - 1) is_uneven = is_uneven .and. gathered(starts(r) + r + 2) == -1
    end do
  end function

  subroutine combine(comm, root)
    POSTAGE_HANDLE(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: root
    integer :: i, r, counts(0:ranks - 1)
    double precision :: own(n), result(n), parts(n * ranks)
    own = [(dble(rank + i), i = 1, n)]
    call MPI_Reduce(own, result, n, MPI_DOUBLE_PRECISION, MPI_SUM, root, comm, code)
    if (rank == root) call check(is_sum(result, ranks), 'reduce')
    result = 0
    call MPI_Allreduce(own, result, n, MPI_DOUBLE_PRECISION, MPI_SUM, comm, code)
    call check(is_sum(result, ranks), 'allreduce')
    call MPI_Scan(own, result, n, MPI_DOUBLE_PRECISION, MPI_SUM, comm, code)
    call check(is_sum(result, rank + 1), 'scan')
    call MPI_Exscan(own, result, n, MPI_DOUBLE_PRECISION, MPI_SUM, comm, code)
    if (rank > 0) call check(is_sum(result, rank), 'exscan')
    parts = [((dble(rank + i), i = 1, n), r = 0, ranks - 1)]
    result = 0
    call MPI_Reduce_scatter_block(parts, result, n, MPI_DOUBLE_PRECISION, MPI_SUM, comm, code)
    call check(is_sum(result, ranks), 'reduce_scatter_block')
    counts = n
    result = 0
    call MPI_Reduce_scatter(parts, result, counts, MPI_DOUBLE_PRECISION, MPI_SUM, comm, code)
    call check(is_sum(result, ranks), 'reduce_scatter')
  end subroutine

  ! Of the first `terms` ranks' vectors. Whole numbers, which no order rounds.
  logical function is_sum(result, terms)
    double precision, intent(in) :: result(n)
    integer, intent(in) :: terms
    integer :: i
    is_sum = all(result == [(dble(terms * i + terms * (terms - 1) / 2), i = 1, n)])
  end function

  subroutine combine_by_users_operation(comm)
    POSTAGE_HANDLE(MPI_Comm), intent(in) :: comm
    integer :: own(n), result(n), i
    own = [(rank + i, i = 1, n)]
    call MPI_Allreduce(own, result, n, MPI_INTEGER, user_sum, comm, code)
    call check(is_sum(dble(result), ranks), 'allreduce by an operation of the program')
  end subroutine

  subroutine work_in_place(comm)
    POSTAGE_HANDLE(MPI_Comm), intent(in) :: comm
    double precision :: values(n)
    integer :: gathered(n, 0:ranks - 1), i, root
    root = mod(time, ranks)
    values = [(dble(rank + i), i = 1, n)]
    call MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE_PRECISION, MPI_SUM, comm, code)
    call check(is_sum(values, ranks), 'allreduce in place')
    values = [(dble(rank + i), i = 1, n)]
    call MPI_Scan(MPI_IN_PLACE, values, n, MPI_DOUBLE_PRECISION, MPI_SUM, comm, code)
    call check(is_sum(values, rank + 1), 'scan in place')
    gathered = -1
    gathered(:, rank) = [(element(rank, 0, i), i = 1, n)]
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, gathered, n, MPI_INTEGER, comm, code)
    call check(is_gathered(gathered), 'allgather in place')
    values = [(dble(rank + i), i = 1, n)]
    if (rank == 0) then
      call MPI_Reduce(MPI_IN_PLACE, values, n, MPI_DOUBLE_PRECISION, MPI_SUM, 0, comm, code)
      call check(is_sum(values, ranks), 'reduce in place')
    else
      call MPI_Reduce(values, values, n, MPI_DOUBLE_PRECISION, MPI_SUM, 0, comm, code)
    end if
  end subroutine

end program

#if POSTAGE_INTERFACE == 3
subroutine add_integers(in, inout, length, datatype)
  use mpi_f08
  use, intrinsic :: iso_c_binding
  type(c_ptr), value :: in, inout
  integer :: length
  type(MPI_Datatype) :: datatype
  integer, pointer :: from(:), to(:)
  call c_f_pointer(in, from, [length])
  call c_f_pointer(inout, to, [length])
  to = to + from
end subroutine
#else
subroutine add_integers(in, inout, length, datatype)
  integer :: length, datatype
  integer :: in(length), inout(length)
  inout = inout + in
end subroutine
#endif
