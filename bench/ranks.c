/* SPDX-License-Identifier: MIT */
/*
 * ranks.c - what merging the summaries of a job's ranks costs, on one core.
 *
 *   ranks [RANKS [FOLDER]]     10 000 ranks, in /tmp unless told
 *
 * Writes the summaries of ranks that never ran (tests/ranks/synthetic.h) to files, 1000 in a folder
 * as in the directory of a job, and then, as `winnow report` does, opens, validates and merges them
 * by name, and computes the report. The files are in memory then: a cold file system is not
 * measured.
 */
#include "base/mem.h"
#include "ranks/merge.h"
#include "report/job.h"
#include "report/json.h"
#include "tests/ranks/synthetic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

int
main(int argc, char **argv)
{
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
