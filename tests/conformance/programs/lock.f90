! SPDX-License-Identifier: MIT
! construct: lock
! expect: parallel_regions=1
! events: MUTEX_WAIT lock=5*T
! events: MUTEX_RELEASED lock=5*T
! place: implicit @implicit=1..
! place: lock @lock2=1..
program conformance
  use omp_lib
  implicit none
  integer :: i
  integer(omp_lock_kind) :: lock
  call omp_init_lock(lock)
!$omp parallel private(i) ! @implicit
  do i = 1, 5
    call omp_set_lock(lock) ! @lock2
    call work()
    call omp_unset_lock(lock)
  end do
!$omp end parallel
  call omp_destroy_lock(lock)
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
