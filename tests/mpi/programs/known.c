/* SPDX-License-Identifier: MIT */
/*
 * Two ranks of two threads that sleep for known times, in units of argv[1] ms (doc/metrics.md,
 * "Jobs"):
 *
 *   time      0    1    2         4    5                  10
 *   rank 0    | MPI_Recv | serial | region: 6, thread 1: 4  | MPI_Send
 *   rank 1    | serial | region 1 | region: 3 |  MPI_Recv   |
 *
 * Each rank prints what a clock of its own says of that: "known RANK", the run, the time of the
 * first thread in MPI, outside regions, and in regions, and what each thread slept in regions, in
 * ns.
 */
#include "count.h"

#include <omp.h>
#include <time.h>

static long unit_ns, zero_ns, region_ns, slept_ns[2];

static long
now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

/* Sleeps up to a point in time, so that waking up late does not add up. */
static void
sleep_until(int units)
{
	long ns = zero_ns + units * unit_ns;
	struct timespec until = {ns / 1000000000L, ns % 1000000000L};
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0)
		continue;
}

static void
region(int end, int end_of_1)
{
	long begin = now_ns();
#pragma omp parallel num_threads(2)
	{
		long since = now_ns();
		sleep_until(omp_get_thread_num() == 0 ? end : end_of_1);
		slept_ns[omp_get_thread_num()] += now_ns() - since;
	}
	region_ns += now_ns() - begin;
}

/* A call of MPI, timed. */
#define TIMED(...)                                                                                 \
	do {                                                                                       \
		long since = now_ns();                                                             \
		__VA_ARGS__;                                                                       \
		mpi_ns += now_ns() - since;                                                        \
	} while (0)

int
main(int argc, char **argv)
{
	int rank, token = 0;
	/* recording begins here: otherwise it would begin inside MPI_Init, and its start is in no
	 * trace */
#pragma omp parallel num_threads(1)
	slept_ns[0] = 0;
	long mpi_ns = 0, begin = now_ns();
	unit_ns = (argc > 1 ? atol(argv[1]) : 100) * 1000000L;
	TIMED(MPI_Init(&argc, &argv));
	TIMED(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
	TIMED(MPI_Barrier(MPI_COMM_WORLD));
	zero_ns = now_ns();
	if (rank == 0) {
		TIMED(MPI_Recv(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
		sleep_until(4);
		region(10, 8);
		TIMED(MPI_Send(&token, 1, MPI_INT, 1, 2, MPI_COMM_WORLD));
	} else {
		sleep_until(1);
		region(2, 2);
		TIMED(MPI_Send(&token, 1, MPI_INT, 0, 1, MPI_COMM_WORLD));
		region(5, 5);
		TIMED(MPI_Recv(&token, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
	}
	TIMED(MPI_Finalize());
	long run_ns = now_ns() - begin;
	printf("known %d %ld %ld %ld %ld %ld %ld\n", rank, run_ns, mpi_ns,
	       run_ns - mpi_ns - region_ns, region_ns, slept_ns[0], slept_ns[1]);
	return 0;
}
