/* SPDX-License-Identifier: MIT */
/* A ring exchange with a parallel loop between the steps. argv[1]: steps. */
#include "count.h"

int
main(int argc, char **argv)
{
	int rank, size, steps = argc > 1 ? atoi(argv[1]) : 4;
	double sum = 0, value, got;
	CALL(Init, &argc, &argv);
	CALL(Comm_rank, MPI_COMM_WORLD, &rank);
	CALL(Comm_size, MPI_COMM_WORLD, &size);
	value = rank;
	for (int i = 0; i < steps; i++) {
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
		for (int k = 0; k < 8; k++)
			sum += work(1) + k;
		if (rank % 2 == 0 || size == 1) {
			CALL(Send, &value, 1, MPI_DOUBLE, (rank + 1) % size, 7, MPI_COMM_WORLD);
			CALL(Recv, &got, 1, MPI_DOUBLE, (rank + size - 1) % size, 7, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
		} else {
			MPI_Status status;
			CALL(Recv, &got, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
			CALL(Send, &value, 1, MPI_DOUBLE, (rank + 1) % size, 7, MPI_COMM_WORLD);
		}
		value = got;
	}
	CALL(Reduce, rank == 0 ? MPI_IN_PLACE : &value, &value, 1, MPI_DOUBLE, MPI_SUM, 0,
	     MPI_COMM_WORLD);
	if (rank == 0)
		printf("ring %d %d %.3f\n", size, steps, value);
	counts[COUNT_Finalize]++;
	counts_write(rank);
	return MPI_Finalize();
}
