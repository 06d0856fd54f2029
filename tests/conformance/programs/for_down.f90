! SPDX-License-Identifier: MIT
! construct: for, negative step
! expect: loops=1 chunks=5
! expect ompt: chunks=(T==1)?1:5
! range: 0 9
! limit opari-gfortran: chunks,range,place: chunks and iterations
! place: implicit @implicit=1..
program conformance
  use omp_lib
  implicit none
  integer :: i
!$omp parallel ! @implicit
!$omp do schedule(dynamic, 2)
  do i = 20, 3, -2
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
