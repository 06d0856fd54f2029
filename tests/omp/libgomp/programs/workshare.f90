! SPDX-License-Identifier: MIT
! Fortran: workshare, parallel do, tasks, taskloop, sections, single.
! EXPECT: regions 3
! EXPECT: loops 1
! EXPECT: chunks 10
! EXPECT: iterations 10+30
! EXPECT: tasks 10
! EXPECT: taskloop_tasks 5
! EXPECT: begun 15
! EXPECT: sections 2
program workshare
  use omp_lib
  implicit none
  integer :: a(100), b(100), i, n, m
  n = 0
  m = 0
  b = 2
  !$omp parallel
  !$omp workshare
  a = b + 1
  b = a * 2
  !$omp end workshare
  !$omp end parallel
  !$omp parallel do schedule(dynamic, 1) reduction(+:n)
  do i = 10, 1, -1
    n = n + i
  end do
  !$omp end parallel do
  !$omp parallel
  !$omp single
  do i = 1, 10
    !$omp task firstprivate(i) shared(m)
    !$omp atomic
    m = m + i
    !$omp end task
  end do
  !$omp taskwait
  !$omp taskloop num_tasks(5) shared(m)
  do i = 1, 30
    !$omp atomic
    m = m + 1
  end do
  !$omp end taskloop
  !$omp end single
  !$omp sections
  !$omp section
  !$omp atomic
  m = m + 1
  !$omp section
  !$omp atomic
  m = m + 1
  !$omp end sections
  !$omp end parallel
  if (sum(b) /= 600 .or. n /= 55 .or. m /= 55 + 30 + 2) stop 1
end program workshare
