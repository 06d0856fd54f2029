/* SPDX-License-Identifier: MIT */
/*
 * counts.c - what a trace holds, against what the program counted for itself in the same run.
 *
 *   counts TRACE [COUNTS] [--merge] [--split=N] [--no-chunks] [--text]
 *
 * COUNTS is what a benchmark program built with WN_COUNT wrote (bench/programs/bench.h). Explicit
 * tasks, taskwaits and, loop by loop, the ranges of chunks, sections and taskloop tasks must be
 * equal; the loops' names are not in a trace, so the loops are compared as a multiset. The trace
 * must be whole and its graph must pass wn_graph_check().
 *
 *   --merge      the program did not know the chunk size: neighbours of one thread are one line
 *   --split=N    teams of one may get a loop in one piece: chunks of N iterations are meant
 *   --no-chunks  the chunks of this program are not observable
 *   --text       print everything that is compared
 *
 * Prints "difference: ..." for each difference, then one line
 *   lineage HASH tasks N grains N nodes N fork_joins N
 * where HASH is that of the sorted lineages of all tasks, grains counts drawn grains, wrappers
 * included, and nodes are those of the reduced form. Exit status 0 = nothing differs, 1 = something
 * does, 3 = no trace.
 */
#include "graph/draw.h"
#include "graph/graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct piece {
	uint64_t group; /* which loop */
	uint64_t lo, hi;
	uint32_t thread;
	uint32_t order; /* of birth on its thread */
};

/* The ranges of one run, and where each loop's begin. */
struct pieces {
	struct piece *at;
	size_t n, capacity;
	size_t *first; /* [n_groups + 1] */
	size_t *by_content;
	size_t n_groups;
};

struct run {
	uint64_t n_tasks, n_taskwaits;
	struct pieces pieces;
};

struct options {
	bool merges, has_no_chunks, is_text;
	uint64_t split;
};

static int n_differences;

#define differ(...) (n_differences++, printf("difference: " __VA_ARGS__), (void)putchar('\n'))

static void *
need(void *memory)
{
	if (!memory) {
		fputs("out of memory\n", stderr);
		exit(3);
	}
	return memory;
}

static void
add(struct pieces *p, struct piece piece)
{
	if (p->n == p->capacity) {
		p->capacity = p->capacity ? 2 * p->capacity : 256;
		p->at = need(realloc(p->at, p->capacity * sizeof *p->at));
	}
	p->at[p->n++] = piece;
}

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static int
by_birth(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;
	int order = ORDER(a->group, b->group);
	order = order ? order : ORDER(a->thread, b->thread);
	return order ? order : ORDER(a->order, b->order);
}

static int
by_range(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;
	int order = ORDER(a->group, b->group);
	order = order ? order : ORDER(a->lo, b->lo);
	return order ? order : ORDER(a->hi, b->hi);
}

/* What one thread executed without a hole is one piece. */
static void
merge(struct pieces *p)
{
	size_t n = 0;
	qsort(p->at, p->n, sizeof *p->at, by_birth);
	for (size_t i = 0; i < p->n; i++) {
		struct piece *last = n ? &p->at[n - 1] : NULL;
		if (last && last->group == p->at[i].group && last->thread == p->at[i].thread &&
		    last->hi == p->at[i].lo)
			last->hi = p->at[i].hi;
		else
			p->at[n++] = p->at[i];
	}
	p->n = n;
}

static int
compare_groups(const struct pieces *a, size_t i, const struct pieces *b, size_t j)
{
	size_t x = a->first[i], y = b->first[j];
	for (; x < a->first[i + 1] && y < b->first[j + 1]; x++, y++) {
		int order = ORDER(a->at[x].lo, b->at[y].lo);
		order = order ? order : ORDER(a->at[x].hi, b->at[y].hi);
		if (order)
			return order;
	}
	return (x < a->first[i + 1]) - (y < b->first[j + 1]);
}

static const struct pieces *sorted_pieces; /* qsort() passes nothing on */

static int
by_content(const void *left, const void *right)
{
	return compare_groups(sorted_pieces, *(const size_t *)left, sorted_pieces,
	                      *(const size_t *)right);
}

/* Into canonical order: pieces by loop and range, loops by what they hold. */
static void
arrange(struct pieces *p)
{
	if (p->n)
		qsort(p->at, p->n, sizeof *p->at, by_range);
	p->first = need(calloc(p->n + 1, sizeof *p->first));
	p->by_content = need(calloc(p->n + 1, sizeof *p->by_content));
	for (size_t i = 0; i < p->n; i++) {
		if (i && p->at[i].group == p->at[i - 1].group)
			continue;
		p->by_content[p->n_groups] = p->n_groups;
		p->first[p->n_groups++] = i;
	}
	p->first[p->n_groups] = p->n;
	sorted_pieces = p;
	qsort(p->by_content, p->n_groups, sizeof *p->by_content, by_content);
}

static void
print_group(const char *whose, const struct pieces *p, size_t place)
{
	printf("# %s:", whose);
	if (place < p->n_groups) {
		size_t group = p->by_content[place];
		for (size_t i = p->first[group]; i < p->first[group + 1]; i++) {
			if (i - p->first[group] == 100) {
				fputs(" ...", stdout);
				break;
			}
			printf(" [%" PRIu64 ",%" PRIu64 ")", p->at[i].lo, p->at[i].hi);
		}
	}
	putchar('\n');
}

/* --- the program's own counts --- */

static bool
read_counts(const char *path, struct run *run)
{
	char line[256], name[128], last_name[128] = "";
	uint64_t group = 0, lo, hi;
	FILE *in = fopen(path, "r");
	if (!in)
		return false;
	while (fgets(line, sizeof line, in)) {
		if (sscanf(line, "explicit_tasks %" SCNu64, &run->n_tasks) == 1 ||
		    sscanf(line, "taskwaits %" SCNu64, &run->n_taskwaits) == 1)
			continue;
		if (sscanf(line, "chunk %127s %" SCNu64 " %" SCNu64, name, &lo, &hi) != 3)
			continue;
		if (strcmp(name, last_name) != 0)
			group++;
		strcpy(last_name, name);
		add(&run->pieces, (struct piece){.group = group, .lo = lo, .hi = hi});
	}
	fclose(in);
	arrange(&run->pieces);
	return true;
}

/* --- the trace --- */

static uint64_t
count_taskwaits(struct wn_trace *trace)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < wn_trace_n_threads(trace); i++) {
		struct wn_cursor cursor;
		struct wn_event e;
		wn_cursor_init(&cursor, trace, i);
		while (wn_cursor_next(&cursor, &e) == 1)
			n += e.code == WN_EV_SYNC_BEGIN &&
			     wn_trace_site(trace, e.site).aux == WN_SYNC_TASKWAIT;
	}
	return n;
}

static bool
is_team_of_one(const struct wn_graph *g, wn_grain id)
{
	uint32_t region = g->loops[g->context[id]].region;
	return region != UINT32_MAX && g->regions[region].team_size == 1;
}

static void
take_range(const struct wn_graph *g, wn_grain id, const struct options *o, struct pieces *p)
{
	uint8_t kind = g->kind[id];
	if (!g->range[id]) {
		differ("grain %" PRIu32 " of kind %u has no range", id, kind);
		return;
	}
	const struct wn_range *range = &g->ranges[g->range[id] - 1];
	struct piece piece = {.lo = range->first,
	                      .hi =
	                          range->first + (kind == WN_GRAIN_SECTION ? 1 : range->iterations),
	                      .thread = g->thread[id],
	                      .order = id};
	/* loops before taskloops */
	piece.group = kind == WN_GRAIN_TASKLOOP
	                  ? ((uint64_t)g->parent[id] + 1) << 32 | range->taskloop
	                  : g->context[id];
	uint64_t end = piece.hi;
	bool splits = o->split && kind == WN_GRAIN_CHUNK && is_team_of_one(g, id);
	while (splits && end - piece.lo > o->split) {
		piece.hi = piece.lo + o->split;
		add(p, piece);
		piece.lo = piece.hi;
	}
	piece.hi = end;
	if (piece.hi > piece.lo)
		add(p, piece);
}

static void
read_graph(struct wn_trace *trace, const struct wn_graph *g, const struct options *o,
           struct run *run)
{
	run->n_taskwaits = count_taskwaits(trace);
	for (wn_grain id = 0; id < g->n; id++) {
		if (!wn_is_grain(g, id))
			continue;
		if (!(g->flags[id] & WN_GF_STARTED) || !(g->flags[id] & WN_GF_COMPLETED))
			differ("grain %" PRIu32 " of kind %u did not start or complete", id,
			       g->kind[id]);
		if (g->kind[id] == WN_GRAIN_TASK)
			run->n_tasks++;
		else if (!o->has_no_chunks || g->kind[id] == WN_GRAIN_TASKLOOP)
			take_range(g, id, o, &run->pieces);
	}
	if (o->merges)
		merge(&run->pieces);
	arrange(&run->pieces);
}

static void
check_whole(struct wn_trace *trace, const struct wn_graph *g)
{
	const struct wn_damage *damage = wn_trace_damage(trace);
	const struct wn_anomalies *a = &g->anomalies;
	wn_err err;
	if (damage->n_bad_blocks || damage->n_gaps || damage->n_bad_bytes || damage->n_dropped)
		differ("the trace is damaged: %u blocks, %u gaps, %" PRIu64 " bytes, %" PRIu64
		       " dropped",
		       damage->n_bad_blocks, damage->n_gaps, damage->n_bad_bytes,
		       damage->n_dropped);
	if (a->n_unmatched || a->n_incomplete || a->n_never_started || a->n_lost)
		differ("anomalies: %" PRIu64 " unmatched, %" PRIu64 " incomplete, %" PRIu64
		       " never started, %" PRIu64 " lost",
		       a->n_unmatched, a->n_incomplete, a->n_never_started, a->n_lost);
	if (wn_graph_check(g, &err) != WN_OK)
		differ("the graph is broken: %s", err.msg);
}

/* --- lineages --- */

static int
by_value(const void *left, const void *right)
{
	return ORDER(*(const uint64_t *)left, *(const uint64_t *)right);
}

/* FNV-1a */
static uint64_t
hash_bytes(uint64_t hash, const void *bytes, size_t n_bytes)
{
	const unsigned char *p = bytes;
	for (size_t i = 0; i < n_bytes; i++)
		hash = (hash ^ p[i]) * 0x100000001b3u;
	return hash;
}

static uint64_t
lineage_hash(const struct wn_graph *g, wn_grain id, bool prints)
{
	char small[1024];
	char *text = small;
	size_t length = wn_graph_lineage(g, id, small, sizeof small);
	if (length >= sizeof small) {
		text = need(malloc(length + 1));
		wn_graph_lineage(g, id, text, length + 1);
	}
	if (prints)
		printf("# lineage %s\n", text);
	uint64_t hash = hash_bytes(0xcbf29ce484222325u, text, length);
	if (text != small)
		free(text);
	return hash;
}

/* Of the sorted set; no two tasks may have one lineage. */
static uint64_t
lineages(const struct wn_graph *g, const struct options *o)
{
	uint64_t *hash = need(calloc((size_t)g->n + 1, sizeof *hash));
	size_t n = 0, n_twice = 0;
	for (wn_grain id = 0; id < g->n; id++)
		if (g->kind[id] == WN_GRAIN_TASK)
			hash[n++] = lineage_hash(g, id, o->is_text);
	qsort(hash, n, sizeof *hash, by_value);
	for (size_t i = 1; i < n; i++)
		n_twice += hash[i] == hash[i - 1];
	if (n_twice)
		differ("%zu tasks share a lineage", n_twice);
	uint64_t all = hash_bytes(0xcbf29ce484222325u, hash, n * sizeof *hash);
	free(hash);
	return all;
}

static uint64_t
count_nodes(const struct wn_graph *g)
{
	struct wn_draw *draw;
	uint64_t n_nodes = 0, n_edges;
	if (wn_draw_new(g, WN_FORM_REDUCED, &draw, NULL) == WN_OK)
		wn_draw_count(draw, &n_nodes, &n_edges);
	wn_draw_free(draw);
	return n_nodes;
}

static void
print_structure(const struct wn_graph *g, const struct run *run, const struct options *o)
{
	uint64_t hash = lineages(g, o);
	uint64_t n_drawn = 0, n_nodes = count_nodes(g);
	for (wn_grain id = 0; id < g->n; id++)
		n_drawn += wn_is_drawn(g, id);
	/* S, E, and a fork and a join for each */
	uint64_t n_fork_joins = (n_nodes - n_drawn - 2) / 2;
	printf("lineage %016" PRIx64 " tasks %" PRIu64 " grains %" PRIu64 " nodes %" PRIu64
	       " fork_joins %" PRIu64 "\n",
	       hash, run->n_tasks, n_drawn, n_nodes, n_fork_joins);
}

/* --- both --- */

static void
compare(const struct run *own, const struct run *seen)
{
	if (own->n_tasks != seen->n_tasks)
		differ("%" PRIu64 " explicit tasks, the program counted %" PRIu64, seen->n_tasks,
		       own->n_tasks);
	if (own->n_taskwaits != seen->n_taskwaits)
		differ("%" PRIu64 " taskwaits, the program counted %" PRIu64, seen->n_taskwaits,
		       own->n_taskwaits);
}

static void
compare_pieces(const struct pieces *own, const struct pieces *seen)
{
	if (own->n_groups != seen->n_groups || own->n != seen->n)
		differ("%zu chunks in %zu loops, the program counted %zu in %zu", seen->n,
		       seen->n_groups, own->n, own->n_groups);
	for (size_t i = 0; i < own->n_groups || i < seen->n_groups; i++) {
		if (i < own->n_groups && i < seen->n_groups &&
		    compare_groups(own, own->by_content[i], seen, seen->by_content[i]) == 0)
			continue;
		differ("place %zu of the sorted loops", i);
		print_group("counted", own, i);
		print_group("recorded", seen, i);
		return;
	}
}

static void
print_run(const char *whose, const struct run *run)
{
	printf("# %s: %" PRIu64 " tasks, %" PRIu64 " taskwaits\n", whose, run->n_tasks,
	       run->n_taskwaits);
	for (size_t i = 0; i < run->pieces.n_groups; i++)
		print_group(whose, &run->pieces, i);
}

static void
pieces_free(struct pieces *p)
{
	free(p->at);
	free(p->first);
	free(p->by_content);
}

static const char *
parse(int argc, char **argv, struct options *o, const char **counts)
{
	const char *trace = NULL;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--merge") == 0)
			o->merges = true;
		else if (strncmp(argv[i], "--split=", 8) == 0)
			o->split = strtoull(argv[i] + 8, NULL, 10);
		else if (strcmp(argv[i], "--no-chunks") == 0)
			o->has_no_chunks = true;
		else if (strcmp(argv[i], "--text") == 0)
			o->is_text = true;
		else
			*(trace ? counts : &trace) = argv[i];
	}
	return trace;
}

int
main(int argc, char **argv)
{
	struct options o = {.merges = false};
	struct run own = {.n_tasks = 0}, seen = {.n_tasks = 0};
	struct wn_trace *trace = NULL;
	struct wn_graph *g = NULL;
	const char *counts = NULL;
	const char *path = parse(argc, argv, &o, &counts);
	wn_err err = {.msg = "no trace named"};
	if (!path || wn_trace_open(path, &trace, &err) != WN_OK ||
	    wn_graph_build(trace, &g, &err) != WN_OK) {
		printf("difference: no graph: %s\n", err.msg);
		wn_trace_close(trace);
		return 3;
	}
	read_graph(trace, g, &o, &seen);
	check_whole(trace, g);
	if (counts && !read_counts(counts, &own))
		differ("no counts in %s", counts);
	if (counts) {
		compare(&own, &seen);
		if (!o.has_no_chunks)
			compare_pieces(&own.pieces, &seen.pieces);
	}
	if (o.is_text) {
		print_run("counted", &own);
		print_run("recorded", &seen);
	}
	print_structure(g, &seen, &o);
	pieces_free(&own.pieces);
	pieces_free(&seen.pieces);
	wn_graph_free(g);
	wn_trace_close(trace);
	return n_differences ? 1 : 0;
}
