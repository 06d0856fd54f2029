! SPDX-License-Identifier: MIT
! MPI from Fortran: texts, status, IN_PLACE, and a parallel loop. It counts its own calls.
program fortran
	use mpi
	implicit none
	integer :: rank, size, ierr, i, k, length, n, to, from
	integer :: status(MPI_STATUS_SIZE)
	integer :: n_send = 0, n_recv = 0, n_reduce = 0
	double precision :: value, got, total
	character(len=MPI_MAX_PROCESSOR_NAME) :: host
	character(len=1024) :: path
	call MPI_Init(ierr)
	call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
	call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
	call MPI_Get_processor_name(host, length, ierr)
	to = mod(rank + 1, size)
	from = mod(rank + size - 1, size)
	value = rank
	total = 0
	do i = 1, 3
!$omp parallel do reduction(+:total)
		do k = 1, 1000
			total = total + sqrt(dble(k))
		end do
		if (mod(rank, 2) == 0) then
			call MPI_Send(value, 1, MPI_DOUBLE_PRECISION, to, 5, MPI_COMM_WORLD, ierr)
			call MPI_Recv(got, 1, MPI_DOUBLE_PRECISION, from, 5, MPI_COMM_WORLD, status, ierr)
		else
			call MPI_Recv(got, 1, MPI_DOUBLE_PRECISION, from, 5, MPI_COMM_WORLD, status, ierr)
			call MPI_Send(value, 1, MPI_DOUBLE_PRECISION, to, 5, MPI_COMM_WORLD, ierr)
		end if
		n_send = n_send + 1
		n_recv = n_recv + 1
		value = got
		call MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
		n_reduce = n_reduce + 1
	end do
	if (rank == 0) print '(a,i0,f10.1,f12.3)', 'fortran ', size, value, total
	call get_environment_variable('COUNTS', path, n)
	if (n > 0) then
		write (path(n+1:), '(a,i0)') '.', rank
		open (unit=11, file=trim(path))
		write (11, '(a,i0)') 'MPI_Init ', 1
		write (11, '(a,i0)') 'MPI_Comm_rank ', 1
		write (11, '(a,i0)') 'MPI_Comm_size ', 1
		write (11, '(a,i0)') 'MPI_Get_processor_name ', 1
		write (11, '(a,i0)') 'MPI_Send ', n_send
		write (11, '(a,i0)') 'MPI_Recv ', n_recv
		write (11, '(a,i0)') 'MPI_Allreduce ', n_reduce
		write (11, '(a,i0)') 'MPI_Finalize ', 1
		close (11)
	end if
	call MPI_Finalize(ierr)
end program
