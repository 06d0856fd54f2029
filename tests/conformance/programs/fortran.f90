! SPDX-License-Identifier: MIT
! Several programs (tests/programs/several.h): the first argument says which runs.
module programs
  use omp_lib
  implicit none
contains
  subroutine work()
    integer :: k
    real, volatile :: x
    x = 0
    do k = 1, 50
      x = x + 1
    end do
  end subroutine work

! construct: critical
! expect: parallel_regions=1
! events: MUTEX_WAIT critical=5*T
! place: implicit @implicit=1..
! place: critical @critical2=1..
! PROGRAM(critical_f)
  subroutine critical_f()
    integer :: i
!$omp parallel private(i) ! @implicit
    do i = 1, 5
!$omp critical ! @critical2
      call work()
!$omp end critical
    end do
!$omp end parallel
    print '(a)', 'right'
  end subroutine critical_f

! construct: task, depend(in, out, inout)
! expect: explicit_tasks=4 dependences=4
! limit opari-gfortran: dependences: depend
! place: implicit @implicit=1..
! place: task @task2=1..
! place: task @task3=1..
! place: task @task4=1..
! place: task @task5=1..
! PROGRAM(depend_f)
  subroutine depend_f()
    integer :: x
    x = 0
!$omp parallel ! @implicit
!$omp single
!$omp task depend(out: x) ! @task2
    x = 1
!$omp end task
!$omp task depend(in: x) ! @task3
    call work()
!$omp end task
!$omp task depend(in: x) ! @task4
    call work()
!$omp end task
!$omp task depend(inout: x) ! @task5
    x = x + 1
!$omp end task
!$omp end single
!$omp end parallel
    print '(a)', 'right'
  end subroutine depend_f

! construct: for, collapse
! expect: loops=1 chunks=4
! expect ompt: chunks=(T==1)?1:4
! range: 0 20
! limit opari-gfortran: chunks,range,place: chunks and iterations
! place: implicit @implicit=1..
! PROGRAM(for_collapse_f)
  subroutine for_collapse_f()
    integer :: i, k
!$omp parallel ! @implicit
!$omp do collapse(2) schedule(dynamic, 5)
    do i = 1, 5
      do k = 1, 4
        call work()
      end do
    end do
!$omp end do
!$omp end parallel
    print '(a)', 'right'
  end subroutine for_collapse_f

! construct: for, negative step
! expect: loops=1 chunks=5
! expect ompt: chunks=(T==1)?1:5
! range: 0 9
! limit opari-gfortran: chunks,range,place: chunks and iterations
! place: implicit @implicit=1..
! PROGRAM(for_down_f)
  subroutine for_down_f()
    integer :: i
!$omp parallel ! @implicit
!$omp do schedule(dynamic, 2)
    do i = 20, 3, -2
      call work()
    end do
!$omp end do
!$omp end parallel
    print '(a)', 'right'
  end subroutine for_down_f

! construct: for, dynamic
! expect: loops=1 chunks=5
! expect ompt: chunks=(T==1)?1:5
! place: chunk @loop=5
! place ompt: chunk @loop=(T==1)?1:5
! limit opari-gfortran: chunks,range,place: chunks and iterations
! limit gfortran: place: statement before
! range: 0 18
! PROGRAM(for_dynamic_f)
  subroutine for_dynamic_f()
    integer :: i
!$omp parallel
    call work()
!$omp do schedule(dynamic, 4) ! @loop
    do i = 1, 18
      call work()
    end do
!$omp end do
!$omp end parallel
    print '(a)', 'right'
  end subroutine for_dynamic_f

! construct: for, static: one share for each thread
! expect: loops=1 chunks=T
! range: 0 18
! limit gfortran: loops,chunks,range: static
! limit opari-gfortran: chunks,range,place: chunks and iterations
! place: implicit @implicit=1..
! PROGRAM(for_static_f)
  subroutine for_static_f()
    integer :: i
!$omp parallel ! @implicit
!$omp do schedule(static)
    do i = 1, 18
      call work()
    end do
!$omp end do
!$omp end parallel
    print '(a)', 'right'
  end subroutine for_static_f

! construct: for, 64-bit variable
! expect: loops=1 chunks=3
! expect ompt: chunks=(T==1)?1:3
! range: 0 12
! limit opari-gfortran: chunks,range,place: chunks and iterations
! place: implicit @implicit=1..
! PROGRAM(for_wide_f)
  subroutine for_wide_f()
    integer(8) :: i
!$omp parallel ! @implicit
!$omp do schedule(dynamic, 4)
    do i = 4000000000_8, 4000000011_8
      call work()
    end do
!$omp end do
!$omp end parallel
    print '(a)', 'right'
  end subroutine for_wide_f

! construct: lock
! expect: parallel_regions=1
! events: MUTEX_WAIT lock=5*T
! events: MUTEX_RELEASED lock=5*T
! place: implicit @implicit=1..
! place: lock @lock2=1..
! PROGRAM(lock_f)
  subroutine lock_f()
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
  end subroutine lock_f

! construct: nest lock
! expect: parallel_regions=1
! events: MUTEX_WAIT nest-lock=T
! place: implicit @implicit=1..
! place: nest-lock @nest_lock2=1..
! PROGRAM(nest_lock_f)
  subroutine nest_lock_f()
    integer(omp_nest_lock_kind) :: lock
    call omp_init_nest_lock(lock)
!$omp parallel ! @implicit
    call omp_set_nest_lock(lock) ! @nest_lock2
    call work()
    call omp_unset_nest_lock(lock)
!$omp end parallel
    call omp_destroy_nest_lock(lock)
    print '(a)', 'right'
  end subroutine nest_lock_f

! construct: parallel
! expect: parallel_regions=1 implicit_tasks=T
! place: implicit @region=T
! PROGRAM(parallel_f)
  subroutine parallel_f()
!$omp parallel ! @region
    call work()
!$omp end parallel
    print '(a)', 'right'
  end subroutine parallel_f

! construct: tasks that make tasks
! expect: explicit_tasks=30
! place: implicit @implicit=1..
! place: task @task2=1..
! place: task @task3=1..
! PROGRAM(recursion_f)
  subroutine recursion_f()
!$omp parallel ! @implicit
!$omp single
    call tree(4)
!$omp end single
!$omp end parallel
    print '(a)', 'right'
  end subroutine recursion_f

  recursive subroutine tree(n)
    integer, value :: n
    if (n == 0) return
!$omp task ! @task2
    call tree(n - 1)
!$omp end task
!$omp task ! @task3
    call tree(n - 1)
!$omp end task
!$omp taskwait
  end subroutine tree

! construct: sections
! expect: sections=3
! limit flang: sections: compiles them to loops
! place: implicit @implicit=1..
! PROGRAM(sections_f)
  subroutine sections_f()
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
  end subroutine sections_f

! construct: single
! expect: explicit_tasks=3 parallel_regions=1
! place: task @task=3
! events: WORK_BEGIN single-executor=1
! PROGRAM(single_f)
  subroutine single_f()
    integer :: i
!$omp parallel
!$omp single
    do i = 1, 3
!$omp task ! @task
      call work()
!$omp end task
    end do
!$omp end single
!$omp end parallel
    print '(a)', 'right'
  end subroutine single_f

! construct: single, copyprivate
! expect: explicit_tasks=0
! events: WORK_BEGIN single-executor=1
! place: implicit @implicit=1..
! PROGRAM(single_copyprivate_f)
  subroutine single_copyprivate_f()
    integer :: value
!$omp parallel private(value) ! @implicit
!$omp single
    value = 7
!$omp end single copyprivate(value)
    if (value /= 7) print '(a)', 'wrong'
!$omp end parallel
    print '(a)', 'right'
  end subroutine single_copyprivate_f

! construct: task
! expect: explicit_tasks=4 fork_joins=2
! place: task @task=4
! PROGRAM(task_f)
  subroutine task_f()
    integer :: i
!$omp parallel
!$omp single
    do i = 1, 4
!$omp task ! @task
      call work()
!$omp end task
    end do
!$omp end single
!$omp end parallel
    print '(a)', 'right'
  end subroutine task_f

! construct: task, if(0)
! expect: explicit_tasks=4
! place: implicit @implicit=1..
! place: task @task2=1..
! place: task @task3=1..
! PROGRAM(task_if0_f)
  subroutine task_if0_f()
    integer :: i
!$omp parallel ! @implicit
!$omp single
    do i = 1, 2
!$omp task if (.false.) ! @task2
!$omp task ! @task3
      call work()
!$omp end task
!$omp end task
    end do
!$omp end single
!$omp end parallel
    print '(a)', 'right'
  end subroutine task_if0_f

! construct: taskgroup
! expect: explicit_tasks=5
! place: implicit @implicit=1..
! place: task @task2=1..
! place: task @task3=1..
! place: task @task4=1..
! place: task @task5=1..
! place: task @task6=1..
! PROGRAM(taskgroup_f)
  subroutine taskgroup_f()
!$omp parallel ! @implicit
!$omp single
!$omp taskgroup
!$omp task ! @task2
!$omp task ! @task3
    call work()
!$omp end task
!$omp task ! @task4
    call work()
!$omp end task
!$omp end task
!$omp task ! @task5
    call work()
!$omp end task
!$omp end taskgroup
!$omp task ! @task6
    call work()
!$omp end task
!$omp end single
!$omp end parallel
    print '(a)', 'right'
  end subroutine taskgroup_f

! construct: taskloop, grainsize
! expect: taskloop_tasks=5
! place: taskloop @taskloop=5
! limit opari-gfortran: taskloop_tasks,place: taskloop
! PROGRAM(taskloop_grainsize_f)
  subroutine taskloop_grainsize_f()
    integer :: i
!$omp parallel
!$omp single
!$omp taskloop grainsize(4) ! @taskloop
    do i = 1, 20
      call work()
    end do
!$omp end taskloop
!$omp end single
!$omp end parallel
    print '(a)', 'right'
  end subroutine taskloop_grainsize_f

! construct: taskwait
! expect: explicit_tasks=4 fork_joins=3
! place: implicit @implicit=1..
! place: task @task2=1..
! place: task @task3=1..
! PROGRAM(taskwait_f)
  subroutine taskwait_f()
    integer :: i
!$omp parallel ! @implicit
!$omp single
    do i = 1, 2
!$omp task ! @task2
      call work()
!$omp end task
!$omp task ! @task3
      call work()
!$omp end task
!$omp taskwait
!$omp taskwait
    end do
!$omp end single
!$omp end parallel
    print '(a)', 'right'
  end subroutine taskwait_f

! construct: workshare (Fortran)
! expect: parallel_regions=1
! place: implicit @implicit=1..
! PROGRAM(workshare_f)
  subroutine workshare_f()
    real :: x(100)
    x = 1
!$omp parallel ! @implicit
!$omp workshare
    x = x + 1
!$omp end workshare
!$omp end parallel
    if (any(x /= 2)) print '(a)', 'wrong'
    print '(a)', 'right'
  end subroutine workshare_f
end module programs

program conformance
  use programs
  character(len=32) :: name
  call get_command_argument(1, name)
  select case (name)
  case ('critical_f')
    call critical_f()
  case ('depend_f')
    call depend_f()
  case ('for_collapse_f')
    call for_collapse_f()
  case ('for_down_f')
    call for_down_f()
  case ('for_dynamic_f')
    call for_dynamic_f()
  case ('for_static_f')
    call for_static_f()
  case ('for_wide_f')
    call for_wide_f()
  case ('lock_f')
    call lock_f()
  case ('nest_lock_f')
    call nest_lock_f()
  case ('parallel_f')
    call parallel_f()
  case ('recursion_f')
    call recursion_f()
  case ('sections_f')
    call sections_f()
  case ('single_f')
    call single_f()
  case ('single_copyprivate_f')
    call single_copyprivate_f()
  case ('task_f')
    call task_f()
  case ('task_if0_f')
    call task_if0_f()
  case ('taskgroup_f')
    call taskgroup_f()
  case ('taskloop_grainsize_f')
    call taskloop_grainsize_f()
  case ('taskwait_f')
    call taskwait_f()
  case ('workshare_f')
    call workshare_f()
  case default
    stop 2
  end select
end program conformance
