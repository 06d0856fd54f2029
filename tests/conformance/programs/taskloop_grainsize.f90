! SPDX-License-Identifier: MIT
! construct: taskloop, grainsize
! expect: taskloop_tasks=5
! place: taskloop @taskloop=5
! limit opari-gfortran: taskloop_tasks,place: taskloop
program conformance
  use omp_lib
  implicit none
  integer :: i
!$omp parallel
!$omp single
!$omp taskloop grainsize(4) ! @taskloop
  do i = 1, 20
    call work()
  end do
!$omp end taskloop
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
