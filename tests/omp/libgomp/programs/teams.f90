! SPDX-License-Identifier: MIT
! Fortran's leagues and target regions on the host.
! EXPECT: leagues 2
! EXPECT: regions 2*3+1
! EXPECT: targets 3
! EXPECT: undeferred 2
! EXPECT: dependent 1
! EXPECT: waitpoints 0
program teams
  implicit none
  integer :: i, n, m, k
  n = 0
  m = 0
  k = 0
  !$omp teams num_teams(3) reduction(+:n)
  !$omp distribute parallel do reduction(+:n)
  do i = 1, 30
    n = n + 1
  end do
  !$omp end teams
  !$omp target teams distribute parallel do num_teams(3) map(tofrom: m) reduction(+:m)
  do i = 1, 30
    m = m + 1
  end do
  !$omp target map(tofrom: k)
  k = k + 1
  !$omp end target
  !$omp parallel
  !$omp single
  !$omp target map(tofrom: k) nowait depend(inout: k)
  k = k + 1
  !$omp end target
  !$omp end single
  !$omp end parallel
  if (n /= 30 .or. m /= 30 .or. k /= 2) stop 1
end program teams
