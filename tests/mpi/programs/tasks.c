/* SPDX-License-Identifier: MIT */
/* MPI from tasks, on several threads at a time: MPI_THREAD_MULTIPLE. */
#include "count.h"

int
main(int argc, char **argv)
{
	int rank, size, provided, n = argc > 1 ? atoi(argv[1]) : 8;
	int sum = 0;
	CALL(Init_thread, &argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	CALL(Comm_rank, MPI_COMM_WORLD, &rank);
	CALL(Comm_size, MPI_COMM_WORLD, &size);
	if (provided < MPI_THREAD_MULTIPLE) {
		fprintf(stderr, "no MPI_THREAD_MULTIPLE\n");
		MPI_Abort(MPI_COMM_WORLD, 3);
	}
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < n; i++)
#pragma omp task firstprivate(i) shared(sum)
	{
		int mine = rank * 1000 + i, got = -1;
		MPI_Request request;
		CALL(Isend, &mine, 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &request);
		work(1);
		CALL(Recv, &got, 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
		CALL(Wait, &request, MPI_STATUS_IGNORE);
#pragma omp atomic
		sum += got;
	}
	CALL(Allreduce, MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("tasks %d %d %d\n", size, n, sum);
	counts[COUNT_Finalize]++;
	counts_write(rank);
	return MPI_Finalize();
}
