/* SPDX-License-Identifier: MIT */
/* Rank 1 polls for a message that rank 0 sends late. With an argument, threads of both ranks call MPI as no level below it allows. */
#include "count.h"

#include <omp.h>
#include <time.h>

static void
rest(long ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000L};
	nanosleep(&t, NULL);
}

/* The first thread waits for the other rank, while the second one calls a local function. */
static void
misuse(int rank)
{
#pragma omp parallel num_threads(2)
	{
		int size;
#pragma omp barrier
		if (omp_get_thread_num() == 0) {
			if (rank == 0)
				rest(300);
			CALL(Barrier, MPI_COMM_WORLD);
		} else {
			rest(100);
			CALL(Comm_size, MPI_COMM_WORLD, &size);
		}
	}
}

int
main(int argc, char **argv)
{
	int rank, provided, value = 1, is_done = 0;
	int level = argc > 1 ? atoi(argv[1]) : 0;
	CALL(Init_thread, &argc, &argv, level == 2 ? MPI_THREAD_SERIALIZED : MPI_THREAD_FUNNELED, &provided);
	CALL(Comm_rank, MPI_COMM_WORLD, &rank);
	if (level > 0) {
		misuse(rank);
	} else if (rank == 0) {
		rest(300);
		CALL(Send, &value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
	} else {
		MPI_Request request;
		CALL(Irecv, &value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
		while (!is_done)
			CALL(Test, &request, &is_done, MPI_STATUS_IGNORE);
	}
	counts[COUNT_Finalize]++;
	counts_write(rank);
	return MPI_Finalize();
}
