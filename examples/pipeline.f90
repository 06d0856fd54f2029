! SPDX-License-Identifier: MIT
!
! pipeline.f90 - a Fortran program of two stages: a triangular loop, then tasks.
!
! Problem   The first stage fills a triangle row by row with a static schedule: the last thread has
!           the longest rows.  (The second stage, a task per block of rows, is as it should be.)
! Winnow    load balance near 2 on many threads for the loop in build; the tasks of digest have a
!           parallel benefit far above 1.  Lines and procedures are found as in C.
! Fix       schedule(dynamic, 8).  Compile with -cpp, and -DFIXED for the fix.
!
module stages
    implicit none
    integer, parameter :: n = 1500, block = 25, steps = 60
contains
    subroutine build(a, step)
        double precision, intent(inout) :: a(n)
        integer, intent(in) :: step
        integer :: i, j
        double precision :: total
#ifdef FIXED
        !$omp parallel do schedule(dynamic, 8) private(j, total)
#else
        !$omp parallel do schedule(static) private(j, total)
#endif
        do i = 1, n
            total = 0d0
            do j = 1, i
                total = total + sqrt(dble(i + j * step)) / dble(j + 1)
            end do
            a(i) = total
        end do
        !$omp end parallel do
    end subroutine build

    subroutine digest(a, sums)
        double precision, intent(in) :: a(n)
        double precision, intent(inout) :: sums(n / block)
        integer :: b
        !$omp parallel
        !$omp single
        do b = 1, n / block
            !$omp task firstprivate(b) shared(a, sums)
            sums(b) = sums(b) + block_sum(a, (b - 1) * block)
            !$omp end task
        end do
        !$omp taskwait
        !$omp end single
        !$omp end parallel
    end subroutine digest

    double precision function block_sum(a, first)
        double precision, intent(in) :: a(n)
        integer, intent(in) :: first
        integer :: i, k
        block_sum = 0d0
        do i = first + 1, first + block
            do k = 1, 400
                block_sum = block_sum + sqrt(a(i) + dble(k))
            end do
        end do
    end function block_sum
end module stages

program pipeline
    use stages
    implicit none
    double precision :: a(n), sums(n / block)
    integer :: step
    sums = 0d0
    do step = 1, steps
        call build(a, step)
        call digest(a, sums)
    end do
    print '(a, f0.4)', 'checksum ', sum(sums)
end program pipeline
