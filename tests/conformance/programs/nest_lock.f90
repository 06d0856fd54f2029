! SPDX-License-Identifier: MIT
! construct: nest lock
! expect: parallel_regions=1
! events: MUTEX_WAIT nest-lock=T
! place: implicit @implicit=1..
! place: nest-lock @nest_lock2=1..
program conformance
  use omp_lib
  implicit none
  integer(omp_nest_lock_kind) :: lock
  call omp_init_nest_lock(lock)
!$omp parallel ! @implicit
  call omp_set_nest_lock(lock) ! @nest_lock2
  call work()
  call omp_unset_nest_lock(lock)
!$omp end parallel
  call omp_destroy_nest_lock(lock)
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
