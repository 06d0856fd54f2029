/* SPDX-License-Identifier: MIT */
/*
 * grains.c - what run.grains costs: bytes for each grain, and CPU time of making it.
 *
 *   grains FILE
 *
 * "base" is what a page needs of a grain: the tree, when and where it ran, what it did and what it
 * cost; the rest are the columns that a budget leaves out first. Times are CPU time of all threads,
 * as they are and in proportion for ten million grains.
 */
#include "base/parallel.h"
#include "view/view_private.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double
cpu_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void
die(const char *file, const wn_err *err)
{
	fprintf(stderr, "grains: %s: %s\n", file, err->msg);
	exit(1);
}

struct bytes {
	double base, spare, groups, rest;
};

static struct bytes
count_bytes(struct wn_harvest *v)
{
	struct bytes n = {0};
	size_t n_parts, n_blocks;
	struct wn_grains_part *parts = wn_grains_writer_parts(v->writer, &n_parts);
	struct wn_grains_block *blocks = wn_grains_writer_blocks(v->writer, &n_blocks);
	for (size_t k = 0; k < n_parts; k++)
		for (uint32_t b = 0; b < parts[k].n_blocks; b++) {
			const struct wn_grains_block *block = &blocks[parts[k].first_block + b];
			bool is_spare = block->column >= WN_COLUMN_INST_PAR_MEDIAN &&
			                block->column <= WN_COLUMN_CREATE_INSTANT;
			double *to = block->rows == WN_ROWS_SUMMARY   ? &n.groups
			             : parts[k].kind != WN_PART_CHUNK ? &n.rest
			             : is_spare                       ? &n.spare
			                                              : &n.base;
			*to += block->bytes;
		}
	return n;
}

/* As wn_harvest_build() does it, step by step. */
static void
measure(const char *file)
{
	wn_err err = {.msg = ""};
	struct wn_options options = wn_options_default();
	struct wn_trace *trace;
	struct wn_report *report;
	struct wn_harvest v = {.spool = tmpfile()};
	double at[6];
	options.needs_whole_graph = true;
	at[0] = cpu_s();
	if (!v.spool || wn_trace_open(file, &trace, &err) != WN_OK ||
	    wn_report_build(trace, &options, &report, &err) != WN_OK)
		die(file, &err);
	at[1] = cpu_s();
	v.r = report;
	v.g = report->graph;
	v.m = report->metrics;
	if (wn_grains_writer_new(v.spool, &v.writer, &err) != WN_OK ||
	    wn_tree_build(v.g, 0, &v.tree, &err) != WN_OK ||
	    wn_tree_number(v.tree, &err) != WN_OK || view_lay_out(&v, &err) != WN_OK)
		die(file, &err);
	at[2] = cpu_s();
	if (view_summarise(&v, &err) != WN_OK || view_put_tiers(&v, &err) != WN_OK ||
	    view_put_tables(&v, &err) != WN_OK || view_put_threads(&v, &err) != WN_OK)
		die(file, &err);
	at[3] = cpu_s();
	if (view_put_chunks(&v, &err) != WN_OK)
		die(file, &err);
	at[4] = cpu_s();
	struct bytes b = count_bytes(&v);
	double n = v.tree->n_of_kind[WN_TREE_GRAIN], per = 1e7 / n;
	printf("%s: %.0f grains, %.2f groups each\n", file, n, (v.tree->n - n) / n);
	printf("  bytes per grain: base %.2f, spare columns %.2f; groups %.2f, tables %.3f\n",
	       b.base / n, b.spare / n, b.groups / n, b.rest / n);
	printf("  CPU s: report %.2f, tree %.2f, groups and tables %.2f, chunks %.2f; for 10^7: "
	       "%.1f, %.1f, %.1f, %.2f\n",
	       at[1] - at[0], at[2] - at[1], at[3] - at[2], at[4] - at[3], (at[1] - at[0]) * per,
	       (at[2] - at[1]) * per, (at[3] - at[2]) * per, (at[4] - at[3]) * per);
	exit(0); /* what is left is nobody's */
}

int
main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: grains FILE\n");
		return 2;
	}
	measure(argv[1]);
	return 0;
}
