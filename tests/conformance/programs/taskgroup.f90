! SPDX-License-Identifier: MIT
! construct: taskgroup
! expect: explicit_tasks=5
! place: implicit @implicit=1..
! place: task @task2=1..
! place: task @task3=1..
! place: task @task4=1..
! place: task @task5=1..
! place: task @task6=1..
program conformance
  use omp_lib
  implicit none
!$omp parallel ! @implicit
!$omp single
!$omp taskgroup
!$omp task ! @task2
!$omp task ! @task3
  call work()
!$omp end task
!$omp task ! @task4
  call work()
!$omp end task
!$omp end task
!$omp task ! @task5
  call work()
!$omp end task
!$omp end taskgroup
!$omp task ! @task6
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
