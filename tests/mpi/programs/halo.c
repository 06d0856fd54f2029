/* SPDX-License-Identifier: MIT */
/* A halo exchange with tasks: nonblocking messages by the primary thread, work by tasks. */
#include "count.h"

#define CELLS 64

int
main(int argc, char **argv)
{
	int rank, size, provided, steps = argc > 1 ? atoi(argv[1]) : 4;
	double cells[CELLS + 2] = {0}, total = 0;
	CALL(Init_thread, &argc, &argv, MPI_THREAD_FUNNELED, &provided);
	CALL(Comm_rank, MPI_COMM_WORLD, &rank);
	CALL(Comm_size, MPI_COMM_WORLD, &size);
	int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
	int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
	cells[CELLS / 2] = rank + 1;
#pragma omp parallel
#pragma omp master
	for (int i = 0; i < steps; i++) {
		MPI_Request requests[4];
		CALL(Irecv, &cells[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
		CALL(Irecv, &cells[CELLS + 1], 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD,
		     &requests[1]);
		CALL(Isend, &cells[1], 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[2]);
		CALL(Isend, &cells[CELLS], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[3]);
		CALL(Waitall, 4, requests, MPI_STATUSES_IGNORE);
		for (int k = 1; k <= CELLS; k += 8)
#pragma omp task firstprivate(k) shared(cells)
			for (int c = k; c < k + 8; c++)
				cells[c] = 0.5 * cells[c] + 0.25 * work(1) * c;
#pragma omp taskwait
	}
	for (int c = 1; c <= CELLS; c++)
		total += cells[c];
	CALL(Allreduce, MPI_IN_PLACE, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("halo %d %d %.6f\n", size, steps, total);
	counts[COUNT_Finalize]++;
	counts_write(rank);
	return MPI_Finalize();
}
