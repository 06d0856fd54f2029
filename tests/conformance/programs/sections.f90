! SPDX-License-Identifier: MIT
! construct: sections
! expect: sections=3
! limit flang: sections: makes loops of them
! place: implicit @implicit=1..
program conformance
  use omp_lib
  implicit none
!$omp parallel ! @implicit
!$omp sections
!$omp section
  call work()
!$omp section
  call work()
!$omp section
  call work()
!$omp end sections
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
