! SPDX-License-Identifier: MIT
! Fortran's cancellation of a loop, and of a region whose others wait in a barrier.
! EXPECT: cancels 2
! EXPECT: cancels_seen T-1
program cancel
  use omp_lib
  implicit none
  integer :: i, n
  n = 0
  !$omp parallel
  !$omp do schedule(dynamic)
  do i = 1, 100
    if (i == 1) then
      !$omp cancel do
    end if
    !$omp atomic
    n = n + 1
  end do
  !$omp end do
  !$omp end parallel
  !$omp parallel
  if (omp_get_thread_num() == 0) then
    !$omp cancel parallel
  end if
  !$omp barrier
  !$omp atomic
  n = n + 1000
  !$omp end parallel
  if (n >= 1000) stop 1
end program cancel
