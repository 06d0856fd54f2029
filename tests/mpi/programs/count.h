/* SPDX-License-Identifier: MIT */
/*
 * count.h - counts the calls of MPI that a program makes, by itself and independently of any tool:
 * each is written as CALL(name, arguments), which counts before it calls. At the end every rank
 * writes "NAME COUNT" lines to COUNTS.RANK, if the environment names COUNTS.
 */
#ifndef WN_TESTS_MPI_COUNT_H
#define WN_TESTS_MPI_COUNT_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNTED(X)                                                                                 \
	X(Init)                                                                                    \
	X(Init_thread)                                                                             \
	X(Comm_rank)                                                                               \
	X(Comm_size)                                                                               \
	X(Send)                                                                                    \
	X(Recv)                                                                                    \
	X(Isend)                                                                                   \
	X(Irecv)                                                                                   \
	X(Sendrecv)                                                                                \
	X(Wait)                                                                                    \
	X(Waitall)                                                                                 \
	X(Test)                                                                                    \
	X(Probe)                                                                                   \
	X(Barrier)                                                                                 \
	X(Bcast)                                                                                   \
	X(Reduce)                                                                                  \
	X(Allreduce)                                                                               \
	X(Gather)                                                                                  \
	X(Alltoall)                                                                                \
	X(Comm_split)                                                                              \
	X(Comm_free)                                                                               \
	X(Finalize)

enum counted {
#define COUNTED_ONE(name) COUNT_##name,
	COUNTED(COUNTED_ONE)
#undef COUNTED_ONE
	    COUNTED_N
};

static _Atomic unsigned long counts[COUNTED_N];

#define CALL(name, ...) (atomic_fetch_add(&counts[COUNT_##name], 1), MPI_##name(__VA_ARGS__))

static void
counts_write(int rank)
{
	static const char *const names[] = {
#define COUNTED_ONE(name) "MPI_" #name,
	    COUNTED(COUNTED_ONE)
#undef COUNTED_ONE
	};
	char path[4096];
	const char *base = getenv("COUNTS");
	if (!base)
		return;
	snprintf(path, sizeof path, "%s.%d", base, rank);
	FILE *to = fopen(path, "w");
	for (int i = 0; to && i < COUNTED_N; i++)
		if (counts[i] > 0)
			fprintf(to, "%s %lu\n", names[i], counts[i]);
	if (to)
		fclose(to);
}

/* Work that takes about so many units of 0.1 ms, whatever the compiler does. */
static double
work(int n)
{
	double x = 1;
	for (long i = 0; i < n * 20000L; i++) {
		x = x * 0.999999 + 1e-6;
		__asm__ volatile("" : "+x"(x));
	}
	return x;
}

#endif /* WN_TESTS_MPI_COUNT_H */
