! A two-dimensional fast Fourier transform and its inverse, of an N x N matrix whose columns lie on the ranks in blocks:
! each rank transforms its columns, MPI_Alltoall transposes the matrix, and each transforms its columns again. Verifies
! that the inverse gives the matrix back.
!   fft_2d [N [REPETITIONS]]    N a power of two and a multiple of the number of ranks
program fft_2d
  use mpi
  implicit none
  integer, parameter :: real_kind = kind(1.0d0)
  integer :: rank, ranks, code, n, own, repetition, repetitions, i, j
  complex(real_kind), allocatable :: matrix(:, :), first(:, :), send(:, :, :), receive(:, :, :)
  real(real_kind) :: start, seconds, error
  logical :: right

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  n = argument(1, 256)
  repetitions = argument(2, 10)
  if (iand(n, n - 1) /= 0 .or. mod(n, ranks) /= 0) then
    if (rank == 0) print '(a)', 'fft_2d: N must be a power of two and a multiple of the number of ranks'
    call MPI_Abort(MPI_COMM_WORLD, 2, code)
  end if
  own = n / ranks
  allocate (matrix(n, own), send(own, own, ranks), receive(own, own, ranks))
  do j = 1, own
    do i = 1, n
      matrix(i, j) = cmplx(sin(0.1d0 * i * (rank * own + j)), cos(0.3d0 * i + j), real_kind)
    end do
  end do
  first = matrix

  call MPI_Barrier(MPI_COMM_WORLD, code)
  start = MPI_Wtime()
  do repetition = 1, repetitions
    call transform_all(-1)
    call transform_all(1)
    matrix = matrix / (real(n, real_kind) * n)
  end do
  seconds = MPI_Wtime() - start

  error = maxval(abs(matrix - first))
  call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, code)
  right = error < 1.0d-9
  if (rank == 0) then
    print '(a,i0,a,i0,a,i0,a,i0,a,a,a,f0.6,a)', 'fft_2d: ', ranks, ' ranks, ', n, ' x ', n, ' points, ', repetitions, &
      ' times there and back: ', merge('verified', 'WRONG   ', right), ', ', seconds, ' s'
  end if
  call MPI_Finalize(code)
  if (.not. right) stop 1

contains

  integer function argument(number, otherwise)
    integer, intent(in) :: number, otherwise
    character(32) :: text
    argument = otherwise
    if (command_argument_count() >= number) then
      call get_command_argument(number, text)
      read (text, *) argument
    end if
  end function

  subroutine transform_all(direction)
    integer, intent(in) :: direction
    integer :: column, pass
    do pass = 1, 2
      do column = 1, own
        call transform(matrix(:, column), direction)
      end do
      call transpose_all()
    end do
  end subroutine

  ! Block r of this rank's columns goes to rank r, as a row of blocks.
  subroutine transpose_all()
    integer :: block
    do block = 1, ranks
      send(:, :, block) = transpose(matrix((block - 1) * own + 1:block * own, :))
    end do
    call MPI_Alltoall(send, own * own, MPI_DOUBLE_COMPLEX, receive, own * own, MPI_DOUBLE_COMPLEX, MPI_COMM_WORLD, code)
    do block = 1, ranks
      matrix((block - 1) * own + 1:block * own, :) = receive(:, :, block)
    end do
  end subroutine

  ! In place: elements in bit-reversed order, then butterflies of growing width.
  subroutine transform(values, direction)
    complex(real_kind), intent(inout) :: values(0:)
    integer, intent(in) :: direction
    real(real_kind), parameter :: pi = 3.14159265358979323846d0
    complex(real_kind) :: swapped, turned, factor, step
    integer :: size, width, low, high, k, bit
    size = ubound(values, 1) + 1
    high = 0
    do low = 0, size - 2
      if (low < high) then
        swapped = values(low)
        values(low) = values(high)
        values(high) = swapped
      end if
      bit = size / 2
      do while (bit >= 1 .and. high >= bit)
        high = high - bit
        bit = bit / 2
      end do
      high = high + bit
    end do
    width = 1
    do while (width < size)
      step = exp(cmplx(0.0d0, direction * pi / width, real_kind))
      factor = (1.0d0, 0.0d0)
      do k = 0, width - 1
        do low = k, size - 1, 2 * width
          turned = factor * values(low + width)
          values(low + width) = values(low) - turned
          values(low) = values(low) + turned
        end do
        factor = factor * step
      end do
      width = 2 * width
    end do
  end subroutine

end program
