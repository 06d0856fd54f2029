! SPDX-License-Identifier: MIT
! construct: workshare (Fortran)
! expect: parallel_regions=1
! place: implicit @implicit=1..
program conformance
  use omp_lib
  implicit none
  real :: x(100)
  x = 1
!$omp parallel ! @implicit
!$omp workshare
  x = x + 1
!$omp end workshare
!$omp end parallel
  if (any(x /= 2)) print '(a)', 'wrong'
  print '(a)', 'right'
contains
  subroutine work()
    integer :: k
    real, volatile :: x
    x = 0
    do k = 1, 50
      x = x + 1
    end do
  end subroutine work
end program conformance
