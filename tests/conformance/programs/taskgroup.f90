! SPDX-License-Identifier: MIT
! construct: taskgroup
! expect: explicit_tasks=5
program conformance
  use omp_lib
  implicit none
!$omp parallel
!$omp single
!$omp taskgroup
!$omp task
!$omp task
  call work()
!$omp end task
!$omp task
  call work()
!$omp end task
!$omp end task
!$omp task
  call work()
!$omp end task
!$omp end taskgroup
!$omp task
  call work()
!$omp end task
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
