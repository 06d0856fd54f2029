! SPDX-License-Identifier: MIT
! construct: taskwait
! expect: explicit_tasks=4 fork_joins=3
program conformance
  use omp_lib
  implicit none
  integer :: i
!$omp parallel
!$omp single
  do i = 1, 2
!$omp task
    call work()
!$omp end task
!$omp task
    call work()
!$omp end task
!$omp taskwait
!$omp taskwait
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
