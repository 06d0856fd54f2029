! SPDX-License-Identifier: MIT
! construct: tasks that make tasks
! expect: explicit_tasks=30
! place: implicit @implicit=1..
! place: task @task2=1..
! place: task @task3=1..
program conformance
  use omp_lib
  implicit none
!$omp parallel ! @implicit
!$omp single
  call tree(4)
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
  recursive subroutine tree(n)
    integer, value :: n
    if (n == 0) return
!$omp task ! @task2
    call tree(n - 1)
!$omp end task
!$omp task ! @task3
    call tree(n - 1)
!$omp end task
!$omp taskwait
  end subroutine tree
end program conformance
