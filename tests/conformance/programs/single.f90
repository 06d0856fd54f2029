! SPDX-License-Identifier: MIT
! construct: single
! expect: explicit_tasks=3 parallel_regions=1
! place: task @task=3
! events: WORK_BEGIN single-executor=1
program conformance
  use omp_lib
  implicit none
  integer :: i
!$omp parallel
!$omp single
  do i = 1, 3
!$omp task ! @task
    call work()
!$omp end task
  end do
!$omp end single
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
