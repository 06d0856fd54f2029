/* SPDX-License-Identifier: MIT */
/*
 * prop_timeline.c - timelines of random programs' runs: states add up to the accounts of the
 * threads, exactly; merged stretches keep the sums; ranges and pictures from the file are those of
 * a slow sum over all stretches; painting allocates nothing. With a folder as its argument it
 * writes pictures, which parity.mjs compares with those of WebAssembly.
 */
#include "container.h"

#include "base/mem.h"
#include "grains/deflate.h"
#include "graph/replay.h"
#include "page/timeline.h"
#include "tests/property/program.h"
#include "tests/property/seeds.h"

#include <math.h>

/* The rows that the file has: threads whose time does not overlap share one. */
static struct wn_timeline *rows;
static uint32_t row_of[4096];

static uint64_t n_ranges, n_columns, n_coarse, n_replayed, n_close, n_slices;

static void
accounts(const struct wn_thread_time *t, double out[TIMELINE_SUMS_N])
{
	const double ns[TIMELINE_STATES_N] = {
	    (double)t->work_ns,
	    (double)t->serial_ns,
	    (double)t->creation_ns,
	    (double)t->dispatch_ns,
	    (double)t->scheduling_ns,
	    (double)t->leaving_ns,
	    (double)t->mutex_ns,
	    (double)t->idle_ready_ns,
	    (double)t->idle_empty_ns,
	    (double)t->forking_ns,
	    (double)(t->preempted_ns + t->serial_preempted_ns),
	    (double)(t->blocked_ns + t->serial_blocked_ns),
	    (double)(t->recording_ns + t->serial_recording_ns),
	    (double)t->paused_ns,
	    (double)t->lost_ns,
	    (double)(t->mpi_ns + t->serial_mpi_ns),
	};
	memcpy(out, ns, sizeof ns);
}

/* --- the stretches of the graph --- */

static void
check_sums(const struct wn_timeline *t, const struct wn_graph *g, const char *what)
{
	for (uint32_t k = 0; k < g->n_threads; k++) {
		const struct wn_stretches *s = &t->threads[k];
		double wanted[TIMELINE_SUMS_N];
		uint64_t sums[WN_THREAD_STATES_N] = {0};
		for (size_t i = 0; i < s->n; i++) {
			uint64_t all = 0;
			for (unsigned x = 0; x < WN_THREAD_STATES_N; x++) {
				sums[x] += s->at[i].ns[x];
				all += s->at[i].ns[x];
			}
			if (all > s->at[i].length_ns)
				differ("%s: a stretch is longer than its time", what);
			if (i > 0 &&
			    s->at[i].begin_ns != s->at[i - 1].begin_ns + s->at[i - 1].length_ns)
				differ("%s: a gap between stretches", what);
		}
		accounts(&g->thread_time[k], wanted);
		for (unsigned x = 0; x < WN_THREAD_STATES_N; x++)
			if ((double)sums[x] != wanted[x])
				differ("%s: thread %u, state %u: %.0f, not %.0f", what, k, x,
				       (double)sums[x], wanted[x]);
	}
}

/* The same stretches into a timeline with room for few: of all of them, or of those so far. */
static void
check_limit(const struct wn_graph *g, size_t n_max, bool has_progress)
{
	const struct wn_timeline *from = g->timeline;
	struct wn_timeline *t = wn_timeline_new(g->n_threads, n_max);
	size_t n_added = 0;
	for (uint32_t k = 0; k < g->n_threads; k++)
		for (size_t i = 0; i < from->threads[k].n; i++, n_added++) {
			size_t most = n_max * n_added / from->n > n_max / 8
			                  ? n_max * n_added / from->n
			                  : n_max / 8;
			if (has_progress)
				wn_timeline_progress(t, n_added, from->n);
			if (has_progress && t->n > most + 1 + 4 * (size_t)g->n_threads)
				differ("%zu stretches, at most %zu so far", t->n, most);
			const struct wn_stretch *s = &from->threads[k].at[i];
			uint64_t ns[WN_THREAD_STATES_N];
			for (unsigned x = 0; x < WN_THREAD_STATES_N; x++)
				ns[x] = s->ns[x];
			if (!wn_timeline_add(t, k, s->begin_ns, s->begin_ns + s->length_ns, ns,
			                     s->grain, s->site))
				abort();
		}
	check_sums(t, g, "limited");
	if (t->n > n_max + 4 * (size_t)g->n_threads)
		differ("%zu stretches, at most %zu", t->n, n_max);
	n_coarse += t->quantum_ns > 0;
	wn_timeline_free(t);
}

/* The same run again, with room for few: pieces become stretches while they are accounted. */
static void
check_replayed(const struct wn_graph *g, size_t n_max)
{
	const struct graph_plan plan = {
	    .detail = g->detail, .has_timeline = true, .n_stretches = n_max};
	struct wn_graph *few = NULL;
	if (graph_build(g->trace, &plan, &few, NULL) != WN_OK)
		abort();
	check_sums(few->timeline, g, "replayed");
	for (uint32_t k = 0; k < g->n_threads; k++) {
		const struct wn_stretches *s = &few->timeline->threads[k],
					  *all = &g->timeline->threads[k];
		for (size_t i = 0; i < s->n; i++)
			if (s->at[i].grain != WN_NO_GRAIN && s->at[i].grain_ns > s->at[i].length_ns)
				differ("a grain has more of a stretch than there is");
		if ((s->n == 0) != (all->n == 0))
			differ("%zu stretches replayed, %zu before", s->n, all->n);
	}
	if (few->timeline->n > n_max + 4 * (size_t)g->n_threads)
		differ("%zu stretches, at most %zu, replayed", few->timeline->n, n_max);
	n_replayed += few->timeline->quantum_ns > 0;
	wn_graph_free(few);
}

/* --- the file --- */

static void
put_part(const struct container *c, struct timeline *t, const struct wn_grains_part *part,
         double bin_ns)
{
	struct wn_inflate *inflate = wn_inflate_new();
	timeline_begin(t, part->number, part->rows[WN_ROWS_TABLE], bin_ns);
	for (uint32_t b = part->first_block; b < part->first_block + part->n_blocks; b++) {
		const struct wn_grains_block *from = &c->blocks[b];
		size_t n = wn_grains_raw_bytes(from->width, from->state, part->rows[from->rows]);
		uint8_t *raw = malloc(n + 1);
		if (!raw || (n && !wn_inflate(inflate, c->bytes + from->at, from->bytes, raw, n)))
			abort();
		if (timeline_wants(from->column) &&
		    timeline_put(t, from->column, from->code, from->width, from->state, raw, n,
		                 NULL) != WN_OK)
			abort();
		free(raw);
	}
	wn_inflate_free(inflate);
	if (timeline_end(t, NULL) != WN_OK)
		differ("a part of the timeline is damaged");
}

/* All of it, or the bins alone. NULL: the file has none. */
static struct timeline *
load(const struct container *c, bool has_slices)
{
	struct timeline *t = NULL;
	uint32_t n_threads = rows->n_threads;
	for (uint32_t i = 0; i < c->head.n_parts; i++) {
		const struct wn_grains_part *part = &c->parts[i];
		if (part->kind != WN_PART_THREADS)
			continue;
		uint8_t classes[64];
		for (unsigned k = 0; k < sizeof classes; k++)
			classes[k] = (uint8_t)(k % 9);
		if (timeline_new(n_threads, container_n(c, WN_PART_STRETCHES), &t, NULL) != WN_OK ||
		    timeline_sites(t, classes, sizeof classes, NULL) != WN_OK)
			abort();
		put_part(c, t, part,
		         (double)part->end_ns / (part->rows[WN_ROWS_TABLE] / (double)n_threads));
	}
	for (uint32_t i = 0; i < c->head.n_parts && t; i++) {
		const struct wn_grains_part *part = &c->parts[i];
		if (part->kind != WN_PART_STRETCHES)
			continue;
		timeline_slice(t, part->number, (double)part->begin_ns, (double)part->end_ns);
		if (has_slices)
			put_part(c, t, part, 0);
	}
	return t;
}

/* A slow sum over the graph's stretches; out[TIMELINE_OUTSIDE]: what is in none. */
static void
slow_sum(uint32_t row, double from, double to, double *out)
{
	const struct wn_stretches *s = &rows->threads[row];
	double all = 0;
	for (unsigned x = 0; x < TIMELINE_SUMS_N; x++)
		out[x] = 0;
	for (size_t i = 0; i < s->n; i++) {
		double begin = fmax(from, (double)s->at[i].begin_ns);
		double end = fmin(to, (double)(s->at[i].begin_ns + s->at[i].length_ns));
		for (unsigned x = 0; x < WN_THREAD_STATES_N && begin < end; x++) {
			out[x] += s->at[i].ns[x] * (end - begin) / s->at[i].length_ns;
			all += s->at[i].ns[x] * (end - begin) / s->at[i].length_ns;
		}
	}
	out[TIMELINE_OUTSIDE] = to - from - all;
}

static void
check_ranges(const struct container *c, struct timeline *t, uint64_t seed)
{
	const struct wn_graph *g = c->report->graph;
	struct random random = {seed};
	double end = (double)g->last_ns;
	for (uint32_t k = 0; k < rows->n_threads; k++) {
		double whole[TIMELINE_SUMS_N], wanted[TIMELINE_SUMS_N] = {0};
		for (uint32_t i = 0; i < g->n_threads; i++) {
			double of_thread[TIMELINE_SUMS_N];
			accounts(&g->thread_time[i], of_thread);
			for (unsigned x = 0; x < WN_THREAD_STATES_N && row_of[i] == k; x++)
				wanted[x] += of_thread[x];
		}
		timeline_sum(t, k, 0, end + 1e9, whole);
		for (unsigned x = 0; x < WN_THREAD_STATES_N; x++)
			if (fabs(whole[x] - wanted[x]) > 1e-6 * wanted[x] + 1e-3)
				differ("thread %u, state %u of all: %.3f, not %.3f", k, x, whole[x],
				       wanted[x]);
		for (int i = 0; i < 10; i++) {
			double from = floor(end * random_below(&random, 1000) / 1000);
			double to = from + 1 + floor(end * random_below(&random, 100) / 100),
			       sum = 0;
			double found[TIMELINE_SUMS_N];
			to = fmin(to, end);
			if (from >= to)
				continue;
			n_ranges++;
			timeline_sum(t, k, from, to, found);
			slow_sum(k, from, to, wanted);
			/* parts of stretches that are cut at slices are whole nanoseconds */
			double slack = 40 + 2.0 * container_n(c, WN_PART_STRETCHES);
			for (unsigned x = 0; x < TIMELINE_STATES_N; x++) {
				sum += found[x];
				if (fabs(found[x] - wanted[x]) > slack)
					differ(
					    "thread %u, state %u in [%.0f, %.0f): %.1f, not %.1f",
					    k, x, from, to, found[x], wanted[x]);
			}
			if (fabs(sum - (to - from)) > slack)
				differ("a range of %.0f ns has %.1f", to - from, sum);
		}
	}
}

/* --- pictures --- */

static struct timeline_view
view_of(const struct container *c, uint64_t seed)
{
	const struct wn_graph *g = c->report->graph;
	struct random random = {seed};
	double end = (double)g->last_ns + 1;
	struct timeline_view v = {.width = 20 + (uint32_t)random_below(&random, 300),
	                          .row = 1 + (uint32_t)random_below(&random, 60),
	                          .gap = (uint32_t)random_below(&random, 6),
	                          .first_thread = (uint32_t)random_below(&random, rows->n_threads)};
	v.n_threads = 1 + (uint32_t)random_below(&random, rows->n_threads - v.first_thread);
	v.from_ns = floor(end * random_below(&random, 90) / 100);
	double zoom = random_one_in(&random, 3) ? 1 : 1 / (1 + random_below(&random, 1000));
	v.to_ns = v.from_ns + 1 + (end - v.from_ns) * zoom;
	return v;
}

static const uint32_t *
palette(void)
{
	static uint32_t colours[TIMELINE_COLOURS_N];
	for (uint32_t k = 0; k < TIMELINE_COLOURS_N; k++)
		colours[k] = 0xff000000U | k * 0x010503U;
	return colours;
}

static bool
paint(struct timeline *t, const struct timeline_view *v, const uint32_t **pixels,
      const float **working)
{
	if (timeline_prepare(t, v->width, v->n_threads * (v->row + v->gap), NULL) != WN_OK)
		abort();
	wn_mem_fail_after(0);
	bool is_painted = timeline_paint(t, v, palette(), pixels, working);
	wn_mem_fail_after(-1);
	return is_painted;
}

/* States of a column have as many pixels as their share, to one. */
static void
check_picture(const struct container *c, struct timeline *t, const struct timeline *some,
              uint64_t seed)
{
	const struct wn_graph *g = c->report->graph;
	struct timeline_view v = view_of(c, seed);
	struct random random = {seed + 1};
	const uint32_t *pixels;
	const float *working;
	if (!paint(t, &v, &pixels, &working)) {
		differ("nothing is painted");
		return;
	}
	double per = (v.to_ns - v.from_ns) / v.width;
	for (int i = 0; i < 20; i++) {
		uint32_t x = (uint32_t)random_below(&random, v.width);
		uint32_t k = (uint32_t)random_below(&random, v.n_threads);
		double sums[TIMELINE_SUMS_N], from = v.from_ns + x * per;
		uint32_t n[TIMELINE_COLOURS_N] = {0};
		slow_sum(v.first_thread + k, from, from + per, sums);
		for (uint32_t y = 0; y < v.row; y++) {
			uint32_t colour = pixels[(size_t)(k * (v.row + v.gap) + y) * v.width + x];
			for (uint32_t p = 0; p < TIMELINE_COLOURS_N; p++)
				n[p] += colour == palette()[p];
		}
		uint32_t n_work = 0, n_outside = n[TIMELINE_COLOUR_STATE + TIMELINE_OUTSIDE] +
		                                 n[TIMELINE_COLOUR_PAPER];
		for (uint32_t p = 0; p < TIMELINE_CLASSES_N; p++)
			n_work += n[p];
		/* rounding, nanoseconds of cut stretches in columns of few, and of wide windows the
		 * bins at both ends of the column */
		bool is_close = timeline_needs(some, v.from_ns, v.to_ns, &(uint32_t){0}, 1) > 0;
		double slack = 1.01 + v.row * fmin(1, 20 / per) +
		               (is_close ? 0 : v.row * fmin(1, (double)g->last_ns / 2048 / per));
		n_columns++;
		if (fabs(n_work - sums[TIMELINE_WORK] / per * v.row) > slack)
			differ("work has %u of %u pixels, %.2f of the time", n_work, v.row,
			       sums[TIMELINE_WORK] / per);
		for (unsigned s = 1; s < WN_THREAD_STATES_N; s++)
			if (fabs(n[TIMELINE_COLOUR_STATE + s] - sums[s] / per * v.row) > slack)
				differ("state %u has %u of %u pixels, %.2f of the time", s,
				       n[TIMELINE_COLOUR_STATE + s], v.row, sums[s] / per);
		if (fabs(n_outside - sums[TIMELINE_OUTSIDE] / per * v.row) > slack)
			differ("outside has %u of %u pixels, %.2f of the time", n_outside, v.row,
			       sums[TIMELINE_OUTSIDE] / per);
	}
}

static void
check_needs(const struct container *c, struct timeline *t)
{
	uint32_t needs[4096];
	n_slices += container_n(c, WN_PART_STRETCHES);
	double end = (double)c->report->graph->last_ns;
	for (int i = 0; i < 20; i++)
		n_close += timeline_needs(t, end * i / 20, end * (i + 1) / 20, needs, 4096) > 0;
}

/* Stretches in a row do not overlap, and none is lost. */
static void
check_rows(const struct wn_graph *g)
{
	size_t n = 0;
	for (uint32_t k = 0; k < rows->n_threads; k++) {
		const struct wn_stretches *s = &rows->threads[k];
		for (size_t i = 1; i < s->n; i++)
			if (s->at[i].begin_ns < s->at[i - 1].begin_ns + s->at[i - 1].length_ns)
				differ("threads of a row overlap");
		n += s->n;
	}
	if (n != g->timeline->n)
		differ("%zu stretches in rows, not %zu", n, g->timeline->n);
}

static bool
holds(uint64_t seed)
{
	static struct container c;
	if (container_make(&c, seed, 20 + (uint32_t)(seed % 7) * 60, 64)) {
		const struct wn_graph *g = c.report->graph;
		check_sums(g->timeline, g, "all");
		check_limit(g, 8 + seed % 100, false);
		check_limit(g, 8 + seed % 100, true);
		check_replayed(g, 8 + seed % 100);
		rows = wn_timeline_rows(g->timeline, row_of);
		check_rows(g);
		struct timeline *t = load(&c, true), *some = load(&c, false);
		if (!t || !some) {
			differ("there is no timeline");
		} else {
			check_ranges(&c, t, seed);
			for (uint64_t k = 0; k < 3; k++)
				check_picture(&c, t, some, seed * 10 + k);
			check_needs(&c, some);
		}
		timeline_free(t);
		timeline_free(some);
		wn_timeline_free(rows);
	}
	container_free(&c);
	return !why[0];
}

/* Of three threads the second begins when the first has ended. */
static void
check_shared(void)
{
	static const uint64_t times[3][2] = {{0, 10}, {10, 20}, {5, 15}},
			      ns[WN_THREAD_STATES_N] = {10};
	struct wn_timeline *t = wn_timeline_new(3, 0);
	bool is_made = true;
	for (uint32_t k = 0; k < 3; k++)
		is_made &= wn_timeline_add(t, k, times[k][0], times[k][1], ns, k, k);
	struct wn_timeline *shared = wn_timeline_rows(t, row_of);
	ok(is_made && shared->n_threads == 2 && row_of[0] == 0 && row_of[1] == 0 &&
	       row_of[2] == 1 && shared->threads[0].n == 2 && shared->threads[0].at[1].site == 1,
	   "threads whose time does not overlap share a row");
	wn_timeline_free(shared);
	wn_timeline_free(t);
}

/* Days of a thread have more stretches than the limit, as none may be longer. */
static void
check_long(void)
{
	const uint64_t length_ns = (WN_STRETCH_NS_MAX - 1) / 4 * 3;
	struct wn_timeline *t = wn_timeline_new(1, 10);
	uint64_t now_ns = 0, sum_ns = 0;
	bool is_made = true;
	for (uint32_t i = 0; i < 100; i++, now_ns += length_ns) {
		const uint64_t ns[WN_THREAD_STATES_N] = {length_ns};
		is_made &= wn_timeline_add(t, 0, now_ns, now_ns + length_ns, ns, i, i);
	}
	for (size_t i = 0; i < t->n; i++)
		sum_ns += t->threads[0].at[i].ns[WN_THREAD_WORK];
	ok(is_made && sum_ns == now_ns && t->n == 100, "long stretches are kept");
	wn_timeline_free(t);
}

/* --- for parity --- */

static FILE *
file(const char *folder, uint64_t k, const char *ending)
{
	char path[512];
	snprintf(path, sizeof path, "%s/%" PRIu64 ".%s", folder, k, ending);
	FILE *to = fopen(path, "wb");
	if (!to)
		abort();
	return to;
}

static void
put_bytes(FILE *to, const void *bytes, size_t n)
{
	if (n && fwrite(bytes, 1, n, to) != n)
		abort();
}

/* A view's numbers, then its pixels, threads that work, and sums of a thread. */
static void
write_views(const struct container *c, const char *folder, uint64_t k)
{
	FILE *grains = file(folder, k, "timeline"), *views = file(folder, k, "timeline-views"),
	     *pictures = file(folder, k, "timeline-pixels");
	rows = wn_timeline_rows(c->report->graph->timeline, row_of);
	struct timeline *t = load(c, k % 3 > 0);
	put_bytes(grains, c->bytes, c->n_bytes);
	for (uint64_t i = 0; i < 20 && t; i++) {
		struct timeline_view v = view_of(c, k * 100 + i);
		const uint32_t *pixels;
		const float *working;
		double sums[TIMELINE_SUMS_N];
		double numbers[] = {v.from_ns, v.to_ns,        v.width,     v.row,
		                    v.gap,     v.first_thread, v.n_threads, (double)(k % 2)};
		if (!paint(t, &v, &pixels, &working))
			abort();
		put_bytes(views, numbers, sizeof numbers);
		put_bytes(pictures, pixels,
		          (size_t)v.width * v.n_threads * (v.row + v.gap) * sizeof *pixels);
		put_bytes(pictures, working, v.width * sizeof *working);
		timeline_sum(t, v.first_thread, v.from_ns, v.to_ns, sums);
		put_bytes(pictures, sums, sizeof sums);
	}
	timeline_free(t);
	wn_timeline_free(rows);
	fclose(grains);
	fclose(views);
	fclose(pictures);
}

static int
write_all(const char *folder)
{
	uint32_t n_made = 0;
	for (uint64_t seed = 1; n_made < 12; seed++) {
		static struct container c;
		if (container_make(&c, seed, 200, 64)) {
			write_views(&c, folder, seed);
			n_made++;
		}
		container_free(&c);
	}
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc > 1)
		return write_all(argv[1]);
	struct seeds seeds = seeds_all(90);
	ok(seeds_bad(seeds, holds) == 0, "timelines of %" PRIu64 " runs are those of a slow sum",
	   seeds.n);
	ok(n_ranges > 5 * seeds.n && n_columns > 20 * seeds.n,
	   "%" PRIu64 " ranges and %" PRIu64 " columns of pixels", n_ranges, n_columns);
	check_shared();
	check_long();
	ok(n_coarse > seeds.n / 4, "%" PRIu64 " timelines had to be merged", n_coarse);
	ok(n_replayed > seeds.n / 4, "%" PRIu64 " were merged while they were replayed",
	   n_replayed);
	ok(n_close > seeds.n && n_slices > 3 * seeds.n,
	   "%" PRIu64 " windows needed slices, of which there are %" PRIu64, n_close, n_slices);
	ok(wn_mem_live() == 0, "nothing is left in memory");
	return done();
}
