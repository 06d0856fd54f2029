! SPDX-License-Identifier: MIT
! construct: for, dynamic
! expect: loops=1 chunks=5
! expect ompt: chunks=(T==1)?1:5
! place: chunk @loop=5
! place ompt: chunk @loop=(T==1)?1:5
! limit opari-gfortran: chunks,range,place: chunks and iterations
! limit gfortran: place: statement before
! range: 0 18
program conformance
  use omp_lib
  implicit none
  integer :: i
!$omp parallel
  call work()
!$omp do schedule(dynamic, 4) ! @loop
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
