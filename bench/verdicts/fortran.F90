! SPDX-License-Identifier: MIT
! fortran.F90 - cases in Fortran, preprocessed; the descriptors are those of case.h.
#ifdef FIXED
#define IF_FIXED(fixed, faulty) fixed
#else
#define IF_FIXED(fixed, faulty) faulty
#endif

module common
   use iso_fortran_env, only: int64
   implicit none
   integer, parameter :: us = 600
   integer(int64), volatile :: kept
contains
   ! A chain of dependent operations; no memory.
   function work(seed, rounds) result(value)
      integer(int64), intent(in) :: seed
      integer, intent(in) :: rounds
      integer(int64) :: value
      integer :: i
      value = seed
      do i = 1, rounds
         value = ieor(value, ishft(value, -29))
         value = iand(value, 4294967295_int64) * 1099087573_int64 + 1
      end do
   end function work

   subroutine keep(value)
      integer(int64), intent(in) :: value
      if (value == 42) kept = value
   end subroutine keep
end module common

program main
   use common
   implicit none
   integer(int64) :: from, to, rate
   call system_clock(from, rate)
   call run_case
   call system_clock(to)
   print '(i0)', (to - from) * (1000000000_int64 / rate)
contains

! fault f_triangle | uneven_loop uneven_region | gcc | - | static schedule of a triangular loop
#ifdef CASE_f_triangle
   subroutine run_case
      integer :: i
#ifdef FIXED
      !$omp parallel do schedule(dynamic, 4)
#else
      !$omp parallel do schedule(static) ! here: f_triangle
#endif
      do i = 1, 1000
         call keep(work(int(i, int64), i * us / 5))
      end do
   end subroutine run_case
#endif

! fault f_tasks | small_tasks one_producer | gcc | - | a task for each element
#ifdef CASE_f_tasks
   subroutine run_case
      integer :: i, k, step
      step = IF_FIXED(1000, 1)
      !$omp parallel
      !$omp single ! here: f_tasks
      do i = 1, 100000, step
         !$omp task firstprivate(i) private(k) ! here: f_tasks
         do k = i, i + step - 1
            call keep(work(int(k, int64), 40))
         end do
         !$omp end task
      end do
      !$omp end single
      !$omp end parallel
   end subroutine run_case
#endif

! fault f_sum | contended_mutex | gcc | - | a sum by a critical section instead of a reduction
#ifdef CASE_f_sum
   subroutine run_case
      integer :: i
      integer(int64) :: total, value
      total = 0
#ifdef FIXED
      !$omp parallel do private(value) reduction(+:total)
#else
      !$omp parallel do private(value)
#endif
      do i = 1, 300000
         value = work(int(i, int64), 20)
#ifdef FIXED
         total = total + value
#else
         !$omp critical ! here: f_sum
         total = total + value
         !$omp end critical
#endif
      end do
      call keep(total)
   end subroutine run_case
#endif

! fault f_regions | many_regions | gcc | - | the inner loop of a nest is the parallel one
#ifdef CASE_f_regions
   subroutine run_case
      integer :: i, k
#ifdef FIXED
      !$omp parallel do private(k)
#endif
      do i = 1, 8000
#ifndef FIXED
         !$omp parallel do ! here: f_regions
#endif
         do k = 1, 100
            call keep(work(int(k, int64), 20))
         end do
      end do
   end subroutine run_case
#endif

! fault f_workshare | no_parallelism uneven_region serial_part | gcc | - | a scalar assignment in workshare is run by one thread
#ifdef CASE_f_workshare
   subroutine run_case
      integer :: i, r
      real :: a(200000), total
      a = 2.0
      total = 0.0
      !$omp parallel private(r) ! here: f_workshare
      do r = 1, 20
#ifdef FIXED
         !$omp do reduction(+:total)
         do i = 1, size(a)
            total = total + sqrt(sin(a(i)) ** 2 + 1.0)
         end do
         !$omp end do
#else
         !$omp workshare ! here: f_workshare
         total = total + sum(sqrt(sin(a) ** 2 + 1.0))
         !$omp end workshare
#endif
      end do
      !$omp end parallel
      call keep(int(total, int64))
   end subroutine run_case
#endif

! fault f_chunks | small_chunks | gcc | - | schedule(dynamic) of tiny iterations
#ifdef CASE_f_chunks
   subroutine run_case
      integer :: i
      !$omp parallel do schedule(dynamic, IF_FIXED(10000, 1)) ! here: f_chunks
      do i = 1, 1000000
         call keep(work(int(i, int64), 8))
      end do
   end subroutine run_case
#endif

! fault f_wait | wait_after_each_task | gcc | - | a taskwait inside the loop of tasks
#ifdef CASE_f_wait
   subroutine run_case
      integer :: i
      !$omp parallel
      !$omp single
      do i = 1, 100
         !$omp task firstprivate(i) ! here: f_wait
         call keep(work(int(i, int64), 1000 * us))
         !$omp end task
#ifndef FIXED
         !$omp taskwait
#endif
      end do
      !$omp end single
      !$omp end parallel
   end subroutine run_case
#endif

! sound f_stencil | - | gcc | - | steps of a stencil with a barrier
#ifdef CASE_f_stencil
   subroutine run_case
      integer, parameter :: n = 200000
      integer :: i, r
      real, allocatable :: a(:), b(:)
      allocate(a(n), b(n))
      a = 1.0
      b = 2.0
      !$omp parallel private(r)
      do r = 1, 200
         !$omp do schedule(static)
         do i = 2, n - 1
            b(i) = 0.25 * a(i - 1) + 0.5 * a(i) + 0.25 * a(i + 1)
         end do
         !$omp end do
         !$omp do schedule(static)
         do i = 2, n - 1
            a(i) = 0.25 * b(i - 1) + 0.5 * b(i) + 0.25 * b(i + 1)
         end do
         !$omp end do
      end do
      !$omp end parallel
      call keep(int(a(9), int64))
   end subroutine run_case
#endif

! fault f_tree | taskwait_idle | gcc | - | a taskwait that nothing needs in a tree of tasks: by chance, libgomp leaves its thread idle while the other one runs the last subtree
#ifdef CASE_f_tree
   recursive subroutine walk(depth)
      integer, value :: depth
      integer :: i
      if (depth == 0) then
         call keep(work(7_int64, 600 * us))
         return
      end if
      do i = 1, 3
         !$omp task firstprivate(depth)
         call walk(depth - 1)
         !$omp end task
      end do
#ifndef FIXED
      !$omp taskwait ! here: f_tree
#endif
   end subroutine walk

   subroutine run_case
      !$omp parallel
      !$omp single
      call walk(5) ! here: f_tree
      !$omp end single
      !$omp end parallel
   end subroutine run_case
#endif

! fault f_stride | strided_access work_inflation | gcc | - | the loop over rows is the inner one
#ifdef CASE_f_stride
   subroutine run_case
      integer, parameter :: n = 1200
      real(8), allocatable :: a(:, :), b(:, :)
      integer :: i, k, r
      allocate (a(n, n), b(n, n))
      !$omp parallel do private(i)
      do k = 1, n
         do i = 1, n
            a(i, k) = i
            b(i, k) = k
         end do
      end do
      do r = 1, 8
#ifdef FIXED
         !$omp parallel do private(i)
         do k = 1, n
            do i = 1, n
               a(i, k) = a(i, k) + 0.5d0 * b(i, k)
            end do
         end do
#else
         !$omp parallel do private(k) ! here: f_stride
         do i = 1, n
            do k = 1, n
               a(i, k) = a(i, k) + 0.5d0 * b(i, k) ! here: f_stride
            end do
         end do
#endif
      end do
      call keep(int(a(3, 4), int64))
   end subroutine run_case
#endif

! fault f_sections | uneven_sections uneven_loop uneven_region no_parallelism | gcc | - | sections of different length
#ifdef CASE_f_sections
   subroutine run_case
      integer :: r
      do r = 1, 5
         !$omp parallel sections ! here: f_sections
         call keep(work(1_int64, IF_FIXED(12500, 20000) * us))
         !$omp section
         call keep(work(2_int64, IF_FIXED(12500, 5000) * us))
         !$omp end parallel sections
      end do
   end subroutine run_case
#endif

! fault f_collapse | uneven_loop uneven_region no_parallelism | gcc | - | an outer loop of three iterations
#ifdef CASE_f_collapse
   subroutine run_case
      integer :: i, k, r
      do r = 1, 6
#ifdef FIXED
         !$omp parallel do collapse(2)
#else
         !$omp parallel do private(k) ! here: f_collapse
#endif
         do i = 1, 3
            do k = 1, 100
               call keep(work(int(k, int64), 60 * us))
            end do
         end do
      end do
   end subroutine run_case
#endif

! fault f_flag | busy_wait | gcc | - | a thread waits for another one by a flag and flush
#ifdef CASE_f_flag
   subroutine run_case
      use omp_lib
      integer, volatile :: flag
      integer :: i, me
      flag = 0
      !$omp parallel private(i, me)
      me = omp_get_thread_num()
      do i = 1, 20
         call keep(work(int(i, int64), IF_FIXED(2500, merge(4500, 500, me == 0)) * us))
         if (me == 0) then
            flag = i
            !$omp flush
         else
            do while (flag < i) ! here: f_flag
               !$omp flush
            end do ! here: f_flag
         end if
      end do
      !$omp end parallel
   end subroutine run_case
#endif

! fault f_counts | false_sharing work_inflation | gcc | - | counts of each thread in a column of its own, with no gap between the columns
#ifdef CASE_f_counts
   integer function class_of(i)
      integer, intent(in) :: i
      class_of = mod(i, 3) + mod(i / 7, 4)
   end function class_of

   subroutine run_case
      use omp_lib
      integer :: counts(0:IF_FIXED(31, 8), 0:63), i, r, me, class
      counts = 0
      !$omp parallel private(i, r, me, class) shared(counts) ! here: f_counts
      me = omp_get_thread_num()
      do r = 1, 40
         !$omp do schedule(static)
         do i = 1, 1000000
            class = class_of(i)
            counts(class, me) = counts(class, me) + 1 ! here: f_counts
         end do
         !$omp end do
      end do
      !$omp end parallel
      call keep(int(sum(counts), int64))
   end subroutine run_case
#endif

end program main
