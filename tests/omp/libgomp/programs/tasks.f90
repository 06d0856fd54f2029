! SPDX-License-Identifier: MIT
! Fortran's tasks: dependences, detach, undeferred waits, taskgroup, taskloop, and a descriptor copied.
! EXPECT: tasks 20+1+10+1
! EXPECT: begun 20+1+10+1+6
! EXPECT: taskloop_tasks 6
! EXPECT: dependent 20+1
! EXPECT: undeferred 1
! EXPECT: depend_inout 20
! EXPECT: depend_in 1+1
! EXPECT: waitpoints 2
! EXPECT: depend_waits 2
! EXPECT: detach 1
! EXPECT: fulfills 1
! EXPECT: groups 1+1+1
program tasks
  use omp_lib
  implicit none
  integer :: i, n, m, k
  integer (omp_event_handle_kind) :: event
  integer, allocatable :: list(:)
  n = 0
  m = 0
  k = 0
  allocate (list(100))
  list = 7
  !$omp parallel
  !$omp single
  do i = 1, 20
    !$omp task depend(inout: n) firstprivate(i)
    if (n == i - 1) n = i
    !$omp end task
  end do
  !$omp task depend(in: n) if(.false.)
  m = n
  !$omp end task
  !$omp taskwait depend(in: n)
  !$omp taskgroup
  do i = 1, 10
    !$omp task firstprivate(list) shared(k)
    !$omp atomic
    k = k + list(100)
    !$omp end task
  end do
  !$omp end taskgroup
  !$omp taskgroup
  !$omp task detach(event)
  call omp_fulfill_event(event)
  !$omp end task
  !$omp end taskgroup
  !$omp taskloop num_tasks(6) shared(k)
  do i = 60, 1, -2
    !$omp atomic
    k = k + 1
  end do
  !$omp end taskloop
  !$omp end single
  !$omp end parallel
  if (n /= 20 .or. m /= 20 .or. k /= 70 + 30) stop 1
end program tasks
