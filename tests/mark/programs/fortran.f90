program f
  use winnow_mark
  implicit none
  integer :: i
  real(8) :: s(8)
  call winnow_region_begin("solve  ")
  !$omp parallel num_threads(2)
  !$omp single
  do i = 1, 8
    !$omp task firstprivate(i)
    call winnow_label("row " // achar(48 + i))
    s(i) = spin(i)
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  call winnow_region_end()
  call winnow_pause()
  !$omp parallel
  s(1) = 1
  !$omp end parallel
  call winnow_resume()
  print *, winnow_is_present(), winnow_control(0, 0), s(1) > 0
contains
  real(8) function spin(n)
    integer, intent(in) :: n
    integer :: k
    spin = 0
    do k = 1, 100000 * n
      spin = spin + sqrt(real(k, 8))
    end do
  end function
end program
