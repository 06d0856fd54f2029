! SPDX-License-Identifier: MIT
! Several programs (tests/programs/several.h): the first argument says which runs.
module programs
  use omp_lib
  implicit none
contains
! Fortran's cancellation of a loop, and of a region whose others wait in a barrier.
! EXPECT: cancels 2
! EXPECT: cancels_seen T-1
! PROGRAM(cancel_f)
  subroutine cancel_f()
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
  end subroutine cancel_f

! Fortran's names for locks, critical sections, large atomics, ordered loops and doacross.
! EXPECT: locks 2*T
! EXPECT: nest_locks 2*T
! EXPECT: criticals 2*T
! EXPECT: atomics T+T
! EXPECT: ordereds 20
! EXPECT: doacross_waits 9
! EXPECT: mutexes 2+2+2+1+1
! PROGRAM(locks_f)
  subroutine locks_f()
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
  end subroutine locks_f

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
! PROGRAM(tasks_f)
  subroutine tasks_f()
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
  end subroutine tasks_f

! Fortran's leagues and target regions on the host.
! EXPECT: leagues 2
! EXPECT: regions 2*3+1
! EXPECT: targets 3
! EXPECT: undeferred 2
! EXPECT: dependent 1
! EXPECT: waitpoints 0
! PROGRAM(teams_f)
  subroutine teams_f()
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
  end subroutine teams_f

! Fortran: workshare, parallel do, tasks, taskloop, sections, single.
! EXPECT: regions 3
! EXPECT: loops 1
! EXPECT: chunks 10
! EXPECT: iterations 10+30
! EXPECT: tasks 10
! EXPECT: taskloop_tasks 5
! EXPECT: begun 15
! EXPECT: sections 2
! PROGRAM(workshare_f)
  subroutine workshare_f()
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
  end subroutine workshare_f
end module programs

program libgomp
  use programs
  character(len=32) :: name
  call get_command_argument(1, name)
  select case (name)
  case ('cancel_f')
    call cancel_f()
  case ('locks_f')
    call locks_f()
  case ('tasks_f')
    call tasks_f()
  case ('teams_f')
    call teams_f()
  case ('workshare_f')
    call workshare_f()
  case default
    stop 2
  end select
end program libgomp
