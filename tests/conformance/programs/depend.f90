! SPDX-License-Identifier: MIT
! construct: task, depend(in, out, inout)
! expect: explicit_tasks=4 dependences=4
! limit opari-gfortran: dependences: depend
! place: implicit @implicit=1..
! place: task @task2=1..
! place: task @task3=1..
! place: task @task4=1..
! place: task @task5=1..
program conformance
  use omp_lib
  implicit none
  integer :: x
  x = 0
!$omp parallel ! @implicit
!$omp single
!$omp task depend(out: x) ! @task2
  x = 1
!$omp end task
!$omp task depend(in: x) ! @task3
  call work()
!$omp end task
!$omp task depend(in: x) ! @task4
  call work()
!$omp end task
!$omp task depend(inout: x) ! @task5
  x = x + 1
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
