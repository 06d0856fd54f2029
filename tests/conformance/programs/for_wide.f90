! SPDX-License-Identifier: MIT
! construct: for, 64-bit variable
! expect: loops=1 chunks=3
! expect ompt: chunks=(T==1)?1:3
! range: 0 12
! limit opari-gfortran: chunks,range,place: chunks and iterations
! place: implicit @implicit=1..
program conformance
  use omp_lib
  implicit none
  integer(8) :: i
!$omp parallel ! @implicit
!$omp do schedule(dynamic, 4)
  do i = 4000000000_8, 4000000011_8
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
