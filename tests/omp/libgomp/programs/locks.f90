! SPDX-License-Identifier: MIT
! Fortran's names for locks, critical sections, large atomics, ordered loops and doacross.
! EXPECT: locks 2*T
! EXPECT: nest_locks 2*T
! EXPECT: criticals 2*T
! EXPECT: atomics T+T
! EXPECT: ordereds 20
! EXPECT: doacross_waits 9
! EXPECT: mutexes 2+2+2+1+1
program locks
  use omp_lib
  implicit none
  integer (omp_lock_kind) :: lock, tested
  integer (omp_nest_lock_kind) :: nest, nest_tested
  integer :: n(6), i, turn, n_threads
  logical :: is_set
  real (16) :: wide
  complex (8) :: pair
  n = 0
  wide = 0
  pair = 0
  turn = 0
  n_threads = 0
  call omp_init_lock(lock)
  call omp_init_lock(tested)
  call omp_init_nest_lock(nest)
  call omp_init_nest_lock(nest_tested)
  !$omp parallel private(is_set) reduction(+:n_threads)
  n_threads = n_threads + 1
  call omp_set_lock(lock)
  n(1) = n(1) + 1
  call omp_unset_lock(lock)
  is_set = .false.
  do while (.not. is_set)
    is_set = omp_test_lock(tested)
  end do
  n(2) = n(2) + 1
  call omp_unset_lock(tested)
  call omp_set_nest_lock(nest)
  call omp_set_nest_lock(nest)
  n(3) = n(3) + 1
  call omp_unset_nest_lock(nest)
  call omp_unset_nest_lock(nest)
  do while (omp_test_nest_lock(nest_tested) == 0)
  end do
  if (omp_test_nest_lock(nest_tested) == 2) n(4) = n(4) + 1
  call omp_unset_nest_lock(nest_tested)
  call omp_unset_nest_lock(nest_tested)
  !$omp critical
  n(5) = n(5) + 1
  !$omp end critical
  !$omp critical (named)
  n(6) = n(6) + 1
  !$omp end critical (named)
  !$omp atomic
  wide = wide + 1
  !$omp atomic
  pair = pair + 1
  !$omp do ordered schedule(dynamic)
  do i = 1, 20
    !$omp ordered
    if (turn == i - 1) turn = i
    !$omp end ordered
  end do
  !$omp do ordered(1) schedule(dynamic)
  do i = 1, 10
    !$omp ordered depend(sink: i - 1)
    if (turn == 19 + i) turn = turn + 1
    !$omp ordered depend(source)
  end do
  !$omp end parallel
  if (any(n /= n_threads) .or. turn /= 30) stop 1
  if (int(wide) /= n_threads .or. int(real(pair)) /= n_threads) stop 2
end program locks
