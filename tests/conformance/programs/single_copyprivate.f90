! SPDX-License-Identifier: MIT
! construct: single, copyprivate
! expect: explicit_tasks=0
! events: WORK_BEGIN single-executor=1
! place: implicit @implicit=1..
program conformance
  use omp_lib
  implicit none
  integer :: value
!$omp parallel private(value) ! @implicit
!$omp single
  value = 7
!$omp end single copyprivate(value)
  if (value /= 7) print '(a)', 'wrong'
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
