! Calls as Fortran programs make them: derived datatypes, sections of arrays, operations of the program, communicators
! of a grid, of groups and between groups, nonblocking beside blocking calls, by one of the three interfaces.
! Prints for each part a sum over all that its ranks received.
program application
#include "interface.inc"
  integer, parameter :: times = 12, n = 24
  integer :: rank, ranks, code, t
  integer(8) :: h = 17
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  call grid()
  call types()
  call operations()
  call in_place()
  call mixed()
  call between()
  call transposed()
  call characters()
  call MPI_Finalize(code)
contains

  subroutine add(x)
    integer, intent(in) :: x(:)
    integer :: i
    do i = 1, size(x)
      h = ieor(ishft(h, 5) + ishft(h, -7), int(x(i), 8))
    end do
  end subroutine

  subroutine say(name)
    character(*), intent(in) :: name
    integer(8) :: mine, all
    mine = h * (2 * rank + 1)
    call MPI_Reduce(mine, all, 1, MPI_INTEGER8, MPI_BXOR, 0, MPI_COMM_WORLD, code)
    if (rank == 0) print '(2a, z16.16)', name, ': ', all
    h = 17
  end subroutine

  subroutine grid()
    POSTAGE_HANDLE(MPI_Comm) :: cart, row, col
    integer :: dims(2), r, m, q
    logical :: periods(2), keep(2)
    real(8) :: a(n, n), s(3), o(3)
    dims = 0
    call MPI_Dims_create(ranks, 2, dims, code)
    periods = [.true., .false.]
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .true., cart, code)
    keep = [.true., .false.]
    call MPI_Cart_sub(cart, keep, row, code)
    keep = [.false., .true.]
    call MPI_Cart_sub(cart, keep, col, code)
    call MPI_Comm_size(row, m, code)
    call MPI_Comm_rank(row, r, code)
    do t = 1, times
      a = rank + t
      call MPI_Bcast(a(1, 3), n, MPI_DOUBLE_PRECISION, mod(t, m), row, code)
      call add(int(a(:, 3)))
      ! sections that are not contiguous: copied in and out by the compiler (or described, with f08)
      call MPI_Bcast(a(2:n:3, 5), size(a(2:n:3, 5)), MPI_DOUBLE_PRECISION, mod(t, m), row, code)
      call add(int(a(:, 5)))
      s = [rank, t, rank * t]
      call MPI_Allreduce(s, o, 3, MPI_DOUBLE_PRECISION, MPI_SUM, col, code)
      call add(int(o))
      call MPI_Allreduce(MPI_IN_PLACE, s, 3, MPI_DOUBLE_PRECISION, MPI_MAX, cart, code)
      call add(int(s))
      q = rank
      call MPI_Reduce(merge(1, 0, rank > t), q, 1, MPI_INTEGER, MPI_SUM, 0, cart, code)
      if (rank == 0) call add([q])
      call MPI_Barrier(row, code)
    end do
    call MPI_Comm_free(row, code)
    call MPI_Comm_free(col, code)
    call MPI_Comm_free(cart, code)
    call say('grid')
  end subroutine

  subroutine types()
    POSTAGE_HANDLE(MPI_Datatype) :: line, resized, block
    integer :: a(n, n), b(n, n), i, counts(ranks), at(ranks)
    integer, allocatable :: g(:, :)
    integer(MPI_ADDRESS_KIND) :: lower, extent
    call MPI_Type_vector(n, 1, n, MPI_INTEGER, line, code)
    lower = 0
    extent = 4
    call MPI_Type_create_resized(line, lower, extent, resized, code)
    call MPI_Type_commit(line, code)
    call MPI_Type_commit(resized, code)
    call MPI_Type_indexed(2, [3, 5], [0, 10], MPI_INTEGER, block, code)
    call MPI_Type_commit(block, code)
    allocate(g(n, n * ranks))
    do t = 1, times
      a = reshape([(rank * 1000 + i * t, i = 1, n * n)], [n, n])
      b = -1
      call MPI_Bcast(a(mod(t, n) + 1, 1), 1, line, mod(t, ranks), MPI_COMM_WORLD, code)
      call add(reshape(a, [n * n]))
      call MPI_Bcast(a, 4, resized, mod(t, ranks), MPI_COMM_WORLD, code)
      call add(reshape(a, [n * n]))
      call MPI_Bcast(a, 3, block, mod(t, ranks), MPI_COMM_WORLD, code)
      call add(reshape(a, [n * n]))
      g = 0
      call MPI_Gather(a, 2, resized, g, 2 * n, MPI_INTEGER, mod(t, ranks), MPI_COMM_WORLD, code)
      call add(reshape(g, [n * n * ranks]))
      counts = [(mod(i, 3), i = 1, ranks)]
      at(1) = 0
      do i = 2, ranks
        at(i) = at(i - 1) + counts(i - 1) * n + 1
      end do
      call MPI_Allgatherv(a, counts(rank + 1), resized, g, counts * n, at, MPI_INTEGER, MPI_COMM_WORLD, code)
      call add(reshape(g, [n * n * ranks]))
    end do
    call MPI_Type_free(line, code)
    call MPI_Type_free(resized, code)
    call MPI_Type_free(block, code)
    call say('types')
  end subroutine

  subroutine operations()
    POSTAGE_HANDLE(MPI_Op) :: op
    external :: affine
    integer :: x(2, 30), y(2, 30), counts(ranks)
    integer, allocatable :: all(:, :)
    POSTAGE_HANDLE(MPI_Datatype) :: map
    call MPI_Type_contiguous(2, MPI_INTEGER, map, code)
    call MPI_Type_commit(map, code)
    allocate(all(2, 30 * ranks))
    do t = 1, times
      call MPI_Op_create(affine, .false., op, code)
      x(1, :) = mod(rank, 3) + 2
      x(2, :) = rank + t
      y = 0
      call MPI_Scan(x, y, 30, map, op, MPI_COMM_WORLD, code)
      call add(reshape(y, [60]))
      y = x
      call MPI_Exscan(MPI_IN_PLACE, y, 30, map, op, MPI_COMM_WORLD, code)
      if (rank > 0) call add(reshape(y, [60]))
      call MPI_Allreduce(x, y, 30, map, op, MPI_COMM_WORLD, code)
      call add(reshape(y, [60]))
      call MPI_Reduce(x, y, 30, map, op, mod(t, ranks), MPI_COMM_WORLD, code)
      call add(reshape(y, [60]))
      all(1, :) = 3
      all(2, :) = rank
      call MPI_Reduce_scatter_block(all, y, 30, map, op, MPI_COMM_WORLD, code)
      call add(reshape(y, [60]))
      counts = 30
      counts(1) = 7
      call MPI_Reduce_scatter(all, y, counts, map, op, MPI_COMM_WORLD, code)
      call add(reshape(y, [60]))
      call MPI_Op_free(op, code)
    end do
    call MPI_Type_free(map, code)
    call say('operations')
  end subroutine

  subroutine in_place()
    integer :: x(10 * ranks), none(1), i
    logical :: l(4), o(4)
    complex(8) :: z(3), w(3)
    real :: p(2, 3), q(2, 3)
    do t = 1, times
      x = [(rank * i + t, i = 1, 10 * ranks)]
      if (rank == mod(t, ranks)) then
        call MPI_Gather(MPI_IN_PLACE, 10, MPI_INTEGER, x, 10, MPI_INTEGER, rank, MPI_COMM_WORLD, code)
      else
        call MPI_Gather(x, 10, MPI_INTEGER, none, 0, MPI_INTEGER, mod(t, ranks), MPI_COMM_WORLD, code)
      end if
      call add(x)
      call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, x, 10, MPI_INTEGER, MPI_COMM_WORLD, code)
      call add(x)
      call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, x, 10, MPI_INTEGER, MPI_COMM_WORLD, code)
      call add(x)
      call MPI_Scan(MPI_IN_PLACE, x, 10, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
      call add(x)
      call MPI_Reduce_scatter_block(MPI_IN_PLACE, x, 10, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, code)
      call add(x(1:10))
      l = [rank > t, mod(rank, 2) == 0, .true., .false.]
      call MPI_Allreduce(l, o, 4, MPI_LOGICAL, MPI_LXOR, MPI_COMM_WORLD, code)
      call add(merge(1, 0, o))
      z = cmplx(rank, t, 8)
      call MPI_Allreduce(z, w, 3, MPI_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD, code)
      call add([int(real(w)), int(aimag(w))])
      p(1, :) = mod(rank * 5 + t, 4)
      p(2, :) = rank
      call MPI_Allreduce(p, q, 3, MPI_2REAL, MPI_MINLOC, MPI_COMM_WORLD, code)
      call add(int(reshape(q, [6])))
    end do
    call say('in place')
  end subroutine

  subroutine mixed()
    POSTAGE_HANDLE(MPI_Request) :: requests(3)
    POSTAGE_HANDLE(MPI_Comm) :: copy
    integer :: a(500), b(500), c(500), s, r, next, before
    asynchronous :: a, b
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, code)
    next = mod(rank + 1, ranks)
    before = mod(rank + ranks - 1, ranks)
    do t = 1, times
      a = rank + t
      b = rank - t
      c = rank * t
      s = rank
      call MPI_Ibcast(a, 500, MPI_INTEGER, mod(t, ranks), copy, requests(1), code)
      call MPI_Irecv(r, 1, MPI_INTEGER, before, t, copy, requests(2), code)
      call MPI_Iallreduce(MPI_IN_PLACE, b, 500, MPI_INTEGER, MPI_SUM, copy, requests(3), code)
      call MPI_Allreduce(MPI_IN_PLACE, c, 500, MPI_INTEGER, MPI_MAX, copy, code)
      call MPI_Send(s, 1, MPI_INTEGER, next, t, copy, code)
      call MPI_Bcast(c, 500, MPI_INTEGER, mod(t + 1, ranks), copy, code)
      call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, code)
      call add(a)
      call add(b)
      call add(c)
      call add([r])
    end do
    call MPI_Comm_free(copy, code)
    call say('mixed')
  end subroutine

  subroutine between()
    POSTAGE_HANDLE(MPI_Comm) :: half, inter, merged, evens
    POSTAGE_HANDLE(MPI_Group) :: world, group
    integer :: side, x(20), y(20), root
    call MPI_Comm_group(MPI_COMM_WORLD, world, code)
    call MPI_Group_range_incl(world, 1, reshape([0, ranks - 1, 2], [3, 1]), group, code)
    if (mod(rank, 2) == 0) then
      call MPI_Comm_create_group(MPI_COMM_WORLD, group, 9, evens, code)
      do t = 1, times
        x = rank * t
        call MPI_Allreduce(x, y, 20, MPI_INTEGER, MPI_SUM, evens, code)
        call add(y)
      end do
      call MPI_Comm_free(evens, code)
    end if
    if (ranks > 1) then
      side = merge(1, 0, rank >= ranks / 2)
      call MPI_Comm_split(MPI_COMM_WORLD, side, rank, half, code)
      call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, merge(ranks / 2, 0, side == 0), 3, inter, code)
      call MPI_Intercomm_merge(inter, side == 0, merged, code)
      do t = 1, times
        x = rank + t
        y = 0
        root = MPI_PROC_NULL
        if (rank == 0) root = MPI_ROOT
        if (side == 1) root = 0
        call MPI_Bcast(x, 20, MPI_INTEGER, root, inter, code)
        call add(x)
        call MPI_Allreduce(x, y, 20, MPI_INTEGER, MPI_MAX, inter, code)
        call add(y)
        call MPI_Scan(x, y, 20, MPI_INTEGER, MPI_SUM, merged, code)
        call add(y)
      end do
      call MPI_Comm_free(merged, code)
      call MPI_Comm_free(inter, code)
      call MPI_Comm_free(half, code)
    end if
    call MPI_Group_free(group, code)
    call MPI_Group_free(world, code)
    call say('between')
  end subroutine

  subroutine transposed()
    POSTAGE_HANDLE(MPI_Datatype) :: send(ranks), receive(ranks)
    integer :: a(6 * ranks, 6), b(6, 6 * ranks), i, ones(ranks), zeros(ranks)
    ones = 1
    zeros = 0
    do t = 1, times
      a = reshape([(rank * 10000 + i + t, i = 1, size(a))], shape(a))
      b = 0
      do i = 1, ranks
        call MPI_Type_create_subarray(2, [6 * ranks, 6], [6, 6], [6 * (i - 1), 0], MPI_ORDER_FORTRAN, &
                                      MPI_INTEGER, send(i), code)
        call MPI_Type_commit(send(i), code)
        call MPI_Type_create_subarray(2, [6, 6 * ranks], [6, 6], [0, 6 * (i - 1)], MPI_ORDER_FORTRAN, &
                                      MPI_INTEGER, receive(i), code)
        call MPI_Type_commit(receive(i), code)
      end do
      call MPI_Alltoallw(a, ones, zeros, send, b, ones, zeros, receive, MPI_COMM_WORLD, code)
      call add(reshape(b, [size(b)]))
      do i = 1, ranks
        call MPI_Type_free(send(i), code)
        call MPI_Type_free(receive(i), code)
      end do
      call MPI_Alltoall(a, 36, MPI_INTEGER, b, 36, MPI_INTEGER, MPI_COMM_WORLD, code)
      call add(reshape(b, [size(b)]))
    end do
    call say('transposed')
  end subroutine

  subroutine characters()
    character(40) :: text
    character(8) :: words(ranks)
    integer :: i
    do t = 1, times
      text = 'nothing'
      if (rank == mod(t, ranks)) write (text, '(a, i0)') 'from rank ', rank
      call MPI_Bcast(text, len(text), MPI_CHARACTER, mod(t, ranks), MPI_COMM_WORLD, code)
      call add([(ichar(text(i:i)), i = 1, 40)])
      write (words(1), '(a, i0)') 'r', rank
      call MPI_Allgather(text, 8, MPI_CHARACTER, words, 8, MPI_CHARACTER, MPI_COMM_WORLD, code)
      call add([(ichar(words(i)(8:8)), i = 1, ranks)])
    end do
    call say('characters')
  end subroutine
end program
! Composition of x -> a x + b: associative, and does not commute.
subroutine affine(in, inout, length, datatype)
#if POSTAGE_INTERFACE == 3
  use mpi_f08
  type(MPI_Datatype) :: datatype
#else
  integer :: datatype
#endif
  integer :: length, i
  integer :: in(2, length), inout(2, length)
  do i = 1, length
    inout(:, i) = [in(1, i) * inout(1, i), inout(1, i) * in(2, i) + inout(2, i)]
  end do
end subroutine
