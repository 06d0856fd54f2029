/* SPDX-License-Identifier: MIT */
/* Mostly collectives, of a split communicator, too; ranks with different work. */
#include "count.h"

int
main(int argc, char **argv)
{
	int rank, size, steps = argc > 1 ? atoi(argv[1]) : 4, color_size;
	long all[64] = {0}, from[64], value;
	MPI_Comm half;
	CALL(Init, &argc, &argv);
	CALL(Comm_rank, MPI_COMM_WORLD, &rank);
	CALL(Comm_size, MPI_COMM_WORLD, &size);
	CALL(Comm_split, MPI_COMM_WORLD, rank % 2, rank, &half);
	CALL(Comm_size, half, &color_size);
	for (int i = 0; i < steps; i++) {
		value = rank + i;
#pragma omp parallel for schedule(static)
		for (int k = 0; k < 4; k++)
			work(1 + rank);
		CALL(Barrier, MPI_COMM_WORLD);
		CALL(Bcast, &value, 1, MPI_LONG, i % size, MPI_COMM_WORLD);
		CALL(Gather, &value, 1, MPI_LONG, all, 1, MPI_LONG, 0, MPI_COMM_WORLD);
		for (int k = 0; k < size; k++)
			from[k] = value + k;
		CALL(Alltoall, from, 1, MPI_LONG, all, 1, MPI_LONG, MPI_COMM_WORLD);
		CALL(Allreduce, MPI_IN_PLACE, &value, 1, MPI_LONG, MPI_SUM, half);
	}
	CALL(Comm_free, &half);
	CALL(Reduce, &value, &all[0], 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("collective %d %d %d %ld\n", size, steps, color_size, all[0]);
	counts[COUNT_Finalize]++;
	counts_write(rank);
	return MPI_Finalize();
}
