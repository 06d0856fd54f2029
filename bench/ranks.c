/* SPDX-License-Identifier: MIT */
/*
 * ranks.c - what merging the summaries of a job's ranks costs, and matching their messages, on one
 * core.
 *
 *   ranks [RANKS [FOLDER]]     10 000 ranks, in /tmp unless told
 *   ranks --match RANKS...     jobs of so many ranks
 *
 * Writes the summaries of ranks that never ran (tests/ranks/synthetic.h) to files, 1000 in a folder
 * as in the directory of a job, and then, as `winnow report` does, opens, validates and merges them
 * by name, and computes the report. The files are in memory then: a cold file system is not
 * measured.
 *
 * A job that is matched has 16 ranks on a node, each of which exchanges messages with both
 * neighbours and, every tenth time, calls a collective of all ranks and one of its node's.
 */
#include "base/mem.h"
#include "base/mix.h"
#include "ranks/exchange.h"
#include "ranks/merge.h"
#include "report/job.h"
#include "report/json.h"
#include "tests/ranks/synthetic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PATH_BYTES 4096

static void
die(const char *what)
{
	fprintf(stderr, "ranks: %s\n", what);
	exit(1);
}

static double
now_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CPU time in the kernel, most of it for fresh pages. */
static double
kernel_s(void)
{
	struct rusage used;
	getrusage(RUSAGE_SELF, &used);
	return (double)used.ru_stime.tv_sec + 1e-6 * (double)used.ru_stime.tv_usec;
}

static void
path_of(const char *folder, uint32_t rank, char out[PATH_BYTES])
{
	snprintf(out, PATH_BYTES, "%s/%03u/%06u.sum", folder, rank / 1000, rank);
}

/* Returns the bytes written. */
static uint64_t
write_all(const char *folder, uint32_t n)
{
	char path[PATH_BYTES];
	uint64_t n_bytes = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct wn_ranks s;
		if (i % 1000 == 0) {
			snprintf(path, sizeof path, "%s/%03u", folder, i / 1000);
			(void)mkdir(path, 0777);
		}
		if (synthetic_rank(i, n, 1, &s, NULL) != WN_OK)
			die("no summary");
		path_of(folder, i, path);
		FILE *f = fopen(path, "wb");
		if (!f || fwrite(s.bytes, 1, s.header->n_bytes, f) != s.header->n_bytes ||
		    fclose(f) != 0)
			die("not written");
		n_bytes += s.header->n_bytes;
		wn_ranks_fini(&s);
	}
	return n_bytes;
}

static void
merge_all(const char *folder, uint32_t n, struct wn_ranks *out)
{
	char path[PATH_BYTES];
	struct wn_merge merge;
	wn_merge_init(&merge);
	for (uint32_t i = 0; i < n; i++) {
		struct wn_ranks s;
		path_of(folder, i, path);
		if (wn_ranks_open(path, &s, NULL) != WN_OK ||
		    wn_merge_add(&merge, &s, NULL) != WN_OK)
			die("not merged");
		wn_ranks_fini(&s);
	}
	if (wn_merge_finish(&merge, out, NULL) != WN_OK)
		die("not finished");
	wn_merge_fini(&merge);
}

static void
report(const struct wn_ranks *s, const char *name)
{
	struct wn_job_input in = {.name = name};
	struct wn_text_style style = {.width = 80};
	struct wn_job_report *r;
	if (wn_job_report_build(s, &in, &r, NULL) != WN_OK ||
	    wn_job_report_text(r, &style, stdout, NULL) != WN_OK)
		die("no report");
	wn_job_report_free(r);
}

static void
remove_all(const char *folder, uint32_t n)
{
	char path[PATH_BYTES];
	for (uint32_t i = 0; i < n; i++) {
		path_of(folder, i, path);
		unlink(path);
		if (i % 1000 == 999 || i + 1 == n) {
			*strrchr(path, '/') = '\0';
			rmdir(path);
		}
	}
	rmdir(folder);
}

/* --- matching --- */

#define ROUNDS         1000u
#define RANKS_PER_NODE 16u
enum { OF_ALL = -1, OF_NODE = -2 }; /* peers of collectives */

struct calls {
	struct wn_messages m;
	uint64_t now_ns, in_mpi_ns;
};

static void
add_step(struct calls *c, uint64_t end_ns, enum wn_mpi_step_kind kind, int32_t peer, uint32_t of)
{
	uint32_t communicator = kind == WN_MPI_STEP_TO_ALL && peer == OF_NODE;
	if (wn_grow(&c->m.steps, &c->m.capacity, c->m.n + 1, sizeof *c->m.steps))
		die("no memory");
	c->m.steps[c->m.n++] = (struct wn_mpi_step){.begin_ns = c->now_ns,
	                                            .end_ns = end_ns,
	                                            .outside_ns = c->now_ns - c->in_mpi_ns,
	                                            .communicator = communicator,
	                                            .of = of,
	                                            .peer = peer,
	                                            .kind = (uint8_t)kind};
}

static void
call(struct calls *c, uint64_t end_ns, enum wn_mpi_step_kind kind, int32_t peer)
{
	add_step(c, end_ns, kind, peer, UINT32_MAX);
	if (kind != WN_MPI_STEP_SEND)
		add_step(c, end_ns, WN_MPI_STEP_DONE, 0, (uint32_t)c->m.n - 1);
	c->in_mpi_ns += end_ns - c->now_ns;
	c->now_ns = end_ns;
}

/* All ranks begin a round of 1 ms within 0.3 ms, and end their receives when all have sent. */
static void
call_round(struct calls *c, uint32_t rank, uint32_t n, uint32_t round)
{
	uint64_t begin_ns = UINT64_C(1000000) * (round + 1);
	c->now_ns = begin_ns + wn_mix(rank, round) % 300000;
	int32_t left = (int32_t)((rank + n - 1) % n), right = (int32_t)((rank + 1) % n);
	call(c, c->now_ns + 1000, WN_MPI_STEP_SEND, right);
	call(c, c->now_ns + 1000, WN_MPI_STEP_SEND, left);
	call(c, begin_ns + 310000, WN_MPI_STEP_RECEIVE, left);
	call(c, begin_ns + 312000, WN_MPI_STEP_RECEIVE, right);
	if (round % 10 == 9)
		call(c, begin_ns + 320000, WN_MPI_STEP_TO_ALL, OF_ALL);
	if (round % 10 == 4)
		call(c, begin_ns + 320000, WN_MPI_STEP_TO_ALL, OF_NODE);
}

static void
make_steps(uint32_t rank, uint32_t n, struct wn_rank_row *row, struct wn_steps *out)
{
	uint32_t first = rank / RANKS_PER_NODE * RANKS_PER_NODE, n_left = n - first;
	struct wn_mpi_communicator all[] = {
	    {.rank = rank, .size = n},
	    {.identity = 1 + first,
	     .rank = rank - first,
	     .size = n_left < RANKS_PER_NODE ? n_left : RANKS_PER_NODE}};
	struct calls c = {.m = {.communicators = all, .n_communicators = 2}};
	char *bytes = NULL;
	size_t n_bytes = 0;
	for (uint32_t round = 0; round < ROUNDS; round++)
		call_round(&c, rank, n, round);
	*row = (struct wn_rank_row){.rank = rank, .elapsed_ns = c.now_ns};
	c.m.end_ns = c.now_ns;
	c.m.outside_ns = c.now_ns - c.in_mpi_ns;
	FILE *to = open_memstream(&bytes, &n_bytes);
	if (!to || !wn_steps_write(&c.m, rank, &row->source, to) || fclose(to) != 0 ||
	    wn_steps_read(bytes, n_bytes, out, NULL) != WN_OK)
		die("no steps");
	wn_free(c.m.steps);
}

static void
match(uint32_t n)
{
	struct wn_steps *steps = wn_calloc(n, sizeof *steps);
	struct wn_rank_row *rows = wn_calloc(n, sizeof *rows);
	uint64_t *begin_ns = wn_calloc(n, sizeof *begin_ns), ideal_ns, error_ns, skew_ns;
	uint32_t *node = wn_calloc(n, sizeof *node);
	struct wn_rank_path path;
	struct wn_exchange x;
	bool is_known;
	if (!steps || !rows || !begin_ns || !node)
		die("no memory");
	for (uint32_t i = 0; i < n; i++) {
		make_steps(i, n, &rows[i], &steps[i]);
		node[i] = i / RANKS_PER_NODE;
		begin_ns[i] = node[i] * UINT64_C(1000000);
	}
	double kernel = kernel_s(), start = now_s();
	if (wn_exchange_make(steps, n, n, &x, NULL) != WN_OK || *x.why)
		die("not matched");
	double matched = now_s();
	if (wn_exchange_ideal(&x, rows, &ideal_ns, NULL) != WN_OK)
		die("no ideal time");
	double replayed = now_s();
	if (wn_exchange_clocks(&x, rows, node, node[n - 1] + 1, begin_ns, &error_ns, &skew_ns,
	                       &is_known, NULL) != WN_OK ||
	    !is_known)
		die("no clocks");
	double related = now_s();
	if (wn_exchange_path(&x, rows, begin_ns, &path, NULL) != WN_OK)
		die("no path");
	double followed = now_s();
	kernel = kernel_s() - kernel;
	uint64_t n_steps = steps[0].header->n_steps;
	double us = 1e6 / n, all_us = us * (followed - start), kernel_us = us * kernel;
	printf("%5u ranks on %2u nodes, %llu steps each, CPU time of a rank: matched %.0f us, "
	       "replayed "
	       "%.0f us, clocks %.0f us, path %.0f us; all %.0f us, of that %.0f us in the kernel; "
	       "%.0f ns "
	       "a step\n",
	       n, node[n - 1] + 1, (unsigned long long)n_steps, us * (matched - start),
	       us * (replayed - matched), us * (related - replayed), us * (followed - related),
	       all_us, kernel_us, 1e3 * all_us / (double)n_steps);
	wn_free(path.shares);
	wn_exchange_fini(&x);
	for (uint32_t i = 0; i < n; i++)
		free((void *)(uintptr_t)steps[i].header);
	wn_free(steps);
	wn_free(rows);
	wn_free(begin_ns);
	wn_free(node);
}

int
main(int argc, char **argv)
{
	if (argc > 2 && strcmp(argv[1], "--match") == 0) {
		for (int i = 2; i < argc; i++)
			match((uint32_t)strtoul(argv[i], NULL, 10));
		return 0;
	}
	uint32_t n = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 10000;
	char folder[PATH_BYTES];
	struct wn_ranks s;
	snprintf(folder, sizeof folder, "%s/winnow-ranks.XXXXXX", argc > 2 ? argv[2] : "/tmp");
	if (n == 0 || n > WN_SUMMARY_RANKS_MAX || !mkdtemp(folder))
		die("ranks [RANKS [FOLDER]]");
	double start = now_s();
	uint64_t n_bytes = write_all(folder, n);
	double written = now_s();
	merge_all(folder, n, &s);
	double merged = now_s();
	report(&s, folder);
	double reported = now_s();
	printf(
	    "\n%u ranks, CPU time: written %.2f s, merged %.3f s (%.1f us each), reported %.3f s\n",
	    n, written - start, merged - written, 1e6 * (merged - written) / n, reported - merged);
	printf("%.0f bytes a summary, %.0f bytes a rank when merged\n", (double)n_bytes / n,
	       (double)s.header->n_bytes / n);
	wn_ranks_fini(&s);
	remove_all(folder, n);
	return 0;
}
