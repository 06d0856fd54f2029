/* SPDX-License-Identifier: MIT */
/*
 * grains.c - what run.grains costs: bytes for each grain, and CPU time of making it.
 *
 *   grains FILE GRAINS
 *
 * FILE is a recording, GRAINS what `winnow view --budget none` made of it. "Pictures" is the least
 * that tells of a grain: the tree, its name, source, thread, begin, work and what creating it cost.
 * "Base" is all that a budget does not leave out first, "spare" what it does; "most" is the largest
 * column that pictures can do without. Times are CPU time of all threads, as they are and in
 * proportion for ten million grains; that of pictures is encoding alone.
 */
#include "base/parallel.h"
#include "tests/view/grains_file.h"
#include "view/view_private.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

static const uint16_t pictures[] = {WN_COLUMN_NODE_KIND, WN_COLUMN_CLOSES,  WN_COLUMN_ID,
                                    WN_COLUMN_SITE,      WN_COLUMN_THREAD,  WN_COLUMN_BEGIN,
                                    WN_COLUMN_WORK,      WN_COLUMN_CREATION};
#define PICTURES_N (sizeof pictures / sizeof *pictures)

/* Of the column of grains that has most bytes and is none of those. */
static double
most_bytes(struct wn_page_data *v)
{
	static double of_column[UINT16_MAX + 1];
	double most = 0;
	size_t n_parts, n_blocks;
	struct wn_grains_part *parts = wn_grains_writer_parts(v->writer, &n_parts);
	struct wn_grains_block *blocks = wn_grains_writer_blocks(v->writer, &n_blocks);
	for (size_t k = 0; k < n_parts; k++)
		for (uint32_t b = 0; b < parts[k].n_blocks && parts[k].kind == WN_PART_CHUNK; b++) {
			const struct wn_grains_block *block = &blocks[parts[k].first_block + b];
			of_column[block->column] += block->rows == WN_ROWS_GRAIN ? block->bytes : 0;
		}
	for (size_t i = 0; i < PICTURES_N; i++)
		of_column[pictures[i]] = 0;
	for (size_t i = 0; i <= UINT16_MAX; i++)
		most = of_column[i] > most ? of_column[i] : most;
	return most;
}

static struct bytes
count_bytes(struct wn_page_data *v)
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

struct column {
	uint64_t *v;
	uint8_t *missing;
	size_t n;
};

static bool
has_any(const struct column *c)
{
	for (size_t i = 0; i < (c->n + 7) / 8; i++)
		if (c->missing[i])
			return true;
	return false;
}

/* Reads the columns of a chunk, and encodes them again. Returns the seconds that took. */
static double
encode_again(struct wn_grains_file *f, uint32_t k, struct wn_grains_encoder *e)
{
	const struct wn_grains_part *part = &f->parts[f->first_chunk + k];
	struct column columns[PICTURES_N];
	struct wn_grains_chunk *chunk;
	wn_err err = {.msg = ""};
	if (wn_grains_chunk_open(f, k, &chunk, &err) != WN_OK)
		die("a chunk", &err);
	for (size_t i = 0; i < PICTURES_N; i++) {
		struct column *c = &columns[i];
		c->n = part->rows[wn_grains_column_info(pictures[i])->rows];
		c->v = calloc(c->n + 1, sizeof *c->v);
		c->missing = calloc(c->n / 8 + 1, 1);
		if (!c->v || !c->missing ||
		    wn_grains_chunk_read(chunk, pictures[i], c->v, c->missing, &err) != WN_OK)
			die("a column", &err);
	}
	struct wn_grains_base base = {.owner_row = chunk->shape.owner_row};
	double from = cpu_s();
	wn_grains_encoder_begin(e, WN_PART_CHUNK, k, 1);
	memcpy(e->part.rows, part->rows, sizeof part->rows);
	for (size_t i = 0; i < PICTURES_N; i++)
		if (wn_grains_encode(e, pictures[i], &base, columns[i].v,
		                     has_any(&columns[i]) ? columns[i].missing : NULL,
		                     &err) != WN_OK)
			die("a column", &err);
	double took = cpu_s() - from;
	for (size_t i = 0; i < PICTURES_N; i++) {
		free(columns[i].v);
		free(columns[i].missing);
	}
	wn_grains_chunk_close(chunk);
	return took;
}

static void
measure_pictures(const char *grains)
{
	struct wn_grains_file *f;
	struct wn_grains_encoder e = {0};
	wn_err err = {.msg = ""};
	double took = 0, bytes = 0;
	if (wn_grains_open(grains, &f, &err) != WN_OK)
		die(grains, &err);
	for (uint32_t k = 0; k < f->n_chunks; k++) {
		took += encode_again(f, k, &e);
		bytes += (double)e.n_bytes;
	}
	double n = f->head.n_grains;
	printf("  pictures: %.2f bytes per grain, CPU %.3f s; for 10^7: %.2f\n", bytes / n, took,
	       took * 1e7 / n);
	wn_grains_encoder_fini(&e);
	wn_grains_close(f);
}

/* As wn_page_data_build() does it, step by step. */
static void
measure(const char *file)
{
	wn_err err = {.msg = ""};
	struct wn_options options = wn_options_default();
	struct wn_trace *trace;
	struct wn_report *report;
	struct wn_page_data v = {.spool = tmpfile()};
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
	if (view_summarise(&v, &err) != WN_OK || view_put_timeline(&v, &err) != WN_OK)
		die(file, &err);
	at[3] = cpu_s();
	if (view_put_parts(&v, &err) != WN_OK)
		die(file, &err);
	at[4] = cpu_s();
	struct bytes b = count_bytes(&v);
	double n = v.tree->n_of_kind[WN_TREE_GRAIN], per = 1e7 / n;
	printf("%s: %.0f grains, %.2f groups each\n", file, n, (v.tree->n - n) / n);
	printf("  bytes per grain: base %.2f, spare columns %.2f; groups %.2f, tables %.3f; "
	       "most %.2f\n",
	       b.base / n, b.spare / n, b.groups / n, b.rest / n, most_bytes(&v) / n);
	printf("  CPU s: report %.2f, tree %.2f, groups and timeline %.2f, parts %.2f; for 10^7: "
	       "%.1f, %.1f, %.1f, %.2f\n",
	       at[1] - at[0], at[2] - at[1], at[3] - at[2], at[4] - at[3], (at[1] - at[0]) * per,
	       (at[2] - at[1]) * per, (at[3] - at[2]) * per, (at[4] - at[3]) * per);
}

int
main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: grains FILE GRAINS\n");
		return 2;
	}
	measure(argv[1]); /* what is left is nobody's */
	measure_pictures(argv[2]);
	fflush(stdout);
	_exit(0);
}
