! SPDX-License-Identifier: MIT
! construct: critical
! expect: parallel_regions=1
! events: MUTEX_WAIT critical=5*T
! place: implicit @implicit=1..
! place: critical @critical2=1..
program conformance
  use omp_lib
  implicit none
  integer :: i
!$omp parallel private(i) ! @implicit
  do i = 1, 5
!$omp critical ! @critical2
    call work()
!$omp end critical
  end do
!$omp end parallel
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
