/* SPDX-License-Identifier: MIT */
/* The library that local.c opens. */
#include <mpi.h>
#include <stdio.h>

int run(void);

int
run(void)
{
	int rank, size, sum = 1, n = 0;
	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel
#pragma omp atomic
	n++;
	MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("module %d %d\n", size, sum);
	MPI_Finalize();
	return n == 0;
}
