! SPDX-License-Identifier: MIT
!
! matrix.f90 - a program in Fortran, with tasks and loops, files, allocation and recursion; the one
! case it has is `all`.
program matrix
  implicit none
  character(len=16) :: name
  real(8), allocatable :: a(:, :), b(:, :), c(:, :)
  integer :: i, j, k, n, steps
  integer(8) :: total
  character(len=200) :: text

  call get_command_argument(1, name)
  if (name == 'list') then
    print '(a)', 'all 5'
    stop
  end if
  n = 40
  allocate (a(n, n), b(n, n), c(n, n))
  do concurrent(i=1:n, j=1:n)
    a(i, j) = i + 2*j
    b(i, j) = i - j
  end do
  !$omp parallel do num_threads(2) schedule(dynamic, 4) private(j, k)
  do i = 1, n
    do j = 1, n
      c(j, i) = 0
      do k = 1, n
        c(j, i) = c(j, i) + a(j, k)*b(k, i)
      end do
    end do
  end do
  total = 0
  !$omp parallel num_threads(2) shared(total)
  !$omp single
  do i = 1, 20
    !$omp task firstprivate(i) shared(total)
    !$omp atomic
    total = total + fib(i)
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  if (any(abs(c - matmul(a, b)) > 1d-9)) stop 3
  write (text, '(f20.6, i12, e14.5)') sum(c), total, sqrt(abs(c(3, 5)))
  read (text, *) a(1, 1), steps
  print '(a, i0)', trim(text), steps
  open (unit=11, status='scratch')
  write (11, *) c
  rewind (11)
  read (11, *) a
  close (11)
  if (any(abs(a - c) > 1d-6*abs(c) + 1d-6)) stop 4
  deallocate (a, b, c)
  stop 5
contains
  recursive function fib(m) result(value)
    integer, intent(in) :: m
    integer(8) :: value
    if (m < 2) then
      value = m
    else
      value = fib(m - 1) + fib(m - 2)
    end if
  end function fib
end program matrix
