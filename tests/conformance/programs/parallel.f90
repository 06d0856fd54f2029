! SPDX-License-Identifier: MIT
! construct: parallel
! expect: parallel_regions=1 implicit_tasks=T
! place: implicit @region=T
program conformance
  use omp_lib
  implicit none
!$omp parallel ! @region
  call work()
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
