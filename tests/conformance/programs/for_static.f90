! SPDX-License-Identifier: MIT
! construct: for, static: one share for each thread
! expect: loops=1 chunks=T
! range: 0 18
! limit gfortran: loops,chunks,range: static
! limit opari-gfortran: chunks,range,place: chunks and iterations
! place: implicit @implicit=1..
program conformance
  use omp_lib
  implicit none
  integer :: i
!$omp parallel ! @implicit
!$omp do schedule(static)
  do i = 1, 18
    call work()
  end do
!$omp end do
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
