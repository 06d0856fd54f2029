! SPDX-License-Identifier: MIT
! construct: task, if(0)
! expect: explicit_tasks=4
! place: implicit @implicit=1..
! place: task @task2=1..
! place: task @task3=1..
program conformance
  use omp_lib
  implicit none
  integer :: i
!$omp parallel ! @implicit
!$omp single
  do i = 1, 2
!$omp task if (.false.) ! @task2
!$omp task ! @task3
    call work()
!$omp end task
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
