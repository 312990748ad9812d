! The skeleton of High-Performance Linpack: an N x N matrix, diagonally dominant, whose panels of columns go round the
! ranks, is factorised into L and U without pivots. The owner of a panel factorises it and broadcasts it; all ranks
! update what they have of the columns behind it. Verifies that L U is the matrix.
!   panel_broadcast [N [PANEL]]    N a multiple of PANEL
program panel_broadcast
  use mpi_f08
  implicit none
  integer, parameter :: real_kind = kind(1.0d0)
  integer :: rank, ranks, n, width, panels, panel, column, row, first, last, owner, wrong
  real(real_kind), allocatable :: matrix(:, :), factors(:, :), buffer(:, :)
  real(real_kind) :: start, seconds, error, largest

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  n = argument(1, 384)
  width = argument(2, 32)
  if (mod(n, width) /= 0) then
    if (rank == 0) print '(a)', 'panel_broadcast: N must be a multiple of PANEL'
    call MPI_Abort(MPI_COMM_WORLD, 2)
  end if
  panels = n / width
  ! Every rank keeps all panels: those of others only to verify.
  allocate (matrix(n, n), factors(n, n), buffer(n, width))
  do column = 1, n
    do row = 1, n
      matrix(row, column) = element(row, column)
    end do
  end do

  call MPI_Barrier(MPI_COMM_WORLD)
  start = MPI_Wtime()
  do panel = 1, panels
    first = (panel - 1) * width + 1
    last = panel * width
    owner = mod(panel - 1, ranks)
    if (rank == owner) then
      call factorise(matrix(:, first:last), first)
      buffer = matrix(:, first:last)
    end if
    call MPI_Bcast(buffer, n * width, MPI_DOUBLE_PRECISION, owner, MPI_COMM_WORLD)
    factors(:, first:last) = buffer
    call update(panel)
  end do
  seconds = MPI_Wtime() - start

  error = largest_error()
  call MPI_Allreduce(error, largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  wrong = merge(0, 1, largest < 1.0d-9 * n)
  if (rank == 0) then
    print '(a,i0,a,i0,a,i0,a,i0,a,a,a,f0.6,a)', 'panel_broadcast: ', ranks, ' ranks, ', n, ' x ', n, &
      ' elements, panels of ', width, ': ', merge('verified', 'WRONG   ', wrong == 0), ', ', seconds, ' s'
  end if
  call MPI_Finalize()
  if (wrong > 0) stop 1

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

  real(real_kind) function element(row, column)
    integer, intent(in) :: row, column
    element = sin(1.0d0 * row * column)
    if (row == column) element = element + n
  end function

  logical function is_own(panel)
    integer, intent(in) :: panel
    is_own = mod(panel - 1, ranks) == rank
  end function

  ! L below the diagonal, with ones on it, and U from it on, in the matrix's place.
  subroutine factorise(part, first)
    real(real_kind), intent(inout) :: part(:, :)
    integer, intent(in) :: first
    integer :: k, j, diagonal
    do k = 1, width
      diagonal = first + k - 1
      part(diagonal + 1:n, k) = part(diagonal + 1:n, k) / part(diagonal, k)
      do j = k + 1, width
        part(diagonal + 1:n, j) = part(diagonal + 1:n, j) - part(diagonal + 1:n, k) * part(diagonal, j)
      end do
    end do
  end subroutine

  ! Of the rank's own panels behind this one.
  subroutine update(panel)
    integer, intent(in) :: panel
    integer :: other, j, k, diagonal
    do other = panel + 1, panels
      if (.not. is_own(other)) cycle
      do j = (other - 1) * width + 1, other * width
        do k = 1, width
          diagonal = (panel - 1) * width + k
          matrix(diagonal + 1:n, j) = matrix(diagonal + 1:n, j) - buffer(diagonal + 1:n, k) * matrix(diagonal, j)
        end do
      end do
    end do
  end subroutine

  ! Of the rank's own columns of L U.
  real(real_kind) function largest_error()
    integer :: panel, j, k
    real(real_kind) :: sum(n)
    largest_error = 0
    do panel = 1, panels
      if (.not. is_own(panel)) cycle
      do j = (panel - 1) * width + 1, panel * width
        sum = 0
        do k = 1, j
          sum(k) = sum(k) + factors(k, j)
          sum(k + 1:n) = sum(k + 1:n) + factors(k + 1:n, k) * factors(k, j)
        end do
        do k = 1, n
          largest_error = max(largest_error, abs(sum(k) - element(k, j)))
        end do
      end do
    end do
  end function

end program
