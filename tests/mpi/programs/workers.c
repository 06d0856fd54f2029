/* SPDX-License-Identifier: MIT */
/* A master that gives work out, and workers that run regions; MPI_Test while waiting. */
#include "count.h"

enum { TAG_WORK = 1, TAG_DONE = 2, TAG_END = 3 };

static void
run_master(int size, int n)
{
	int sent = 0, done = 0, sum = 0, value;
	MPI_Status status;
	for (int to = 1; to < size && sent < n; to++, sent++)
		CALL(Send, &sent, 1, MPI_INT, to, TAG_WORK, MPI_COMM_WORLD);
	while (done < n) {
		CALL(Probe, MPI_ANY_SOURCE, TAG_DONE, MPI_COMM_WORLD, &status);
		CALL(Recv, &value, 1, MPI_INT, status.MPI_SOURCE, TAG_DONE, MPI_COMM_WORLD,
		     &status);
		sum += value;
		done++;
		if (sent < n) {
			CALL(Send, &sent, 1, MPI_INT, status.MPI_SOURCE, TAG_WORK, MPI_COMM_WORLD);
			sent++;
		}
	}
	for (int to = 1; to < size; to++)
		CALL(Send, &done, 1, MPI_INT, to, TAG_END, MPI_COMM_WORLD);
	printf("workers %d %d %d\n", size, n, sum);
}

static void
run_worker(void)
{
	int item, is_done;
	MPI_Status status;
	for (;;) {
		MPI_Request request;
		CALL(Irecv, &item, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
		for (is_done = 0; !is_done;)
			CALL(Test, &request, &is_done, &status);
		if (status.MPI_TAG == TAG_END)
			return;
#pragma omp parallel
		work(2);
		item = item * item;
		CALL(Send, &item, 1, MPI_INT, 0, TAG_DONE, MPI_COMM_WORLD);
	}
}

int
main(int argc, char **argv)
{
	int rank, size, n = argc > 1 ? atoi(argv[1]) : 6;
	CALL(Init, &argc, &argv);
	CALL(Comm_rank, MPI_COMM_WORLD, &rank);
	CALL(Comm_size, MPI_COMM_WORLD, &size);
	if (rank == 0)
		run_master(size, n);
	else
		run_worker();
	counts[COUNT_Finalize]++;
	counts_write(rank);
	return MPI_Finalize();
}
