! SPDX-License-Identifier: MIT
! construct: for, collapse
! expect: loops=1 chunks=4
! expect ompt: chunks=(T==1)?1:4
! range: 0 20
! limit opari-gfortran: chunks,range,place: chunks and iterations
! place: implicit @implicit=1..
program conformance
  use omp_lib
  implicit none
  integer :: i, k
!$omp parallel ! @implicit
!$omp do collapse(2) schedule(dynamic, 5)
  do i = 1, 5
    do k = 1, 4
      call work()
    end do
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
