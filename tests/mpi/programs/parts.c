/* SPDX-License-Identifier: MIT */
/* Several small programs; PART_NAME, which is defined, selects one. */

#ifdef PART_ABORT
/* The last rank calls MPI_Abort(4) after a region; the others wait for it. */
#include <mpi.h>

int
main(int argc, char **argv)
{
	int rank, size, n = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel
#pragma omp atomic
	n++;
	if (rank == size - 1)
		MPI_Abort(MPI_COMM_WORLD, 4);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return n == 0;
}
#endif

#ifdef PART_SKEW
/* A library: the wall clock of a process is SKEW_NS ahead, as on a node whose clock is wrong. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int
clock_gettime(clockid_t clock, struct timespec *now)
{
	long result = syscall(SYS_clock_gettime, clock, now);
	const char *skew = clock == CLOCK_REALTIME && result == 0 ? getenv("SKEW_NS") : NULL;
	if (skew) {
		long long ns = now->tv_nsec + atoll(skew);
		now->tv_sec += ns / 1000000000;
		now->tv_nsec = ns % 1000000000;
	}
	return (int)result;
}
#endif

#ifdef PART_TOOL
/* A program with a PMPI tool linked into it: the tool sees the calls that it would see alone. */
#include <mpi.h>
#include <stdio.h>

static int n_seen;

int
MPI_Barrier(MPI_Comm comm)
{
	n_seen++;
	return PMPI_Barrier(comm);
}

int
main(int argc, char **argv)
{
	int rank, n = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
#pragma omp atomic
	n++;
	for (int i = 0; i < 5; i++)
		MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		printf("tool %d\n", n_seen);
	MPI_Finalize();
	return n == 0;
}
#endif

#ifdef PART_LOCAL
/* Opens argv[1], a library that uses MPI, locally, as an interpreter opens an extension module. */
#include <dlfcn.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
	void *handle = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	int (*run)(void) = handle ? (int (*)(void))dlsym(handle, "run") : NULL;
	if (!run) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	return run();
}
#endif

#ifdef PART_MODULE
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
#endif

#ifdef PART_POLLS
/* Rank 1 polls for a message that rank 0 sends late. With an argument, threads of both ranks call
 * MPI as no level below it allows. */
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
	CALL(Init_thread, &argc, &argv, level == 2 ? MPI_THREAD_SERIALIZED : MPI_THREAD_FUNNELED,
	     &provided);
	CALL(Comm_rank, MPI_COMM_WORLD, &rank);
	if (level > 0) {
		misuse(rank);
	} else if (rank == 0) {
		rest(300);
		CALL(Send, &value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
	} else {
		MPI_Request request;
		CALL(Irecv, &value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
		     &request);
		while (!is_done)
			CALL(Test, &request, &is_done, MPI_STATUS_IGNORE);
	}
	counts[COUNT_Finalize]++;
	counts_write(rank);
	return MPI_Finalize();
}
#endif

#ifdef PART_KNOWN
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
#endif

#ifdef PART_RING
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
#endif

#ifdef PART_HALO
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
#endif

#ifdef PART_COLLECTIVE
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
#endif

#ifdef PART_WORKERS
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
#endif
