/* SPDX-License-Identifier: MIT */
/* table_rows.c - builds the tree from the table's rows: children in order of joins and births,
 * fork-joins, regions of implicit tasks, loops of chunks. */
#include "graph/from_table.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

static int
compare(double a, double b)
{
	return (a > b) - (a < b);
}

/* For one parent. Unknown numbers come last, by id. */
static int
by_join_and_number(const void *left, const void *right, void *user)
{
	const struct table_maker *t = user;
	wn_grain a = *(const wn_grain *)left, b = *(const wn_grain *)right;
	double x = t->child_number[a], y = t->child_number[b];
	int order = compare(t->joins_at[a], t->joins_at[b]);
	if (!order)
		order = isnan(x) || isnan(y) ? !!isnan(x) - !!isnan(y) : compare(x, y);
	return order ? order : (a > b) - (a < b);
}

/* Returns whether it is joined. Other rows are left out, with all their descendants. */
static bool
is_linked(const struct table_maker *t, wn_grain id)
{
	return t->g->kind[id] && id > 0 && t->g->parent[id] != WN_NO_GRAIN &&
	       t->joins_at[id] >= 0 && t->joins_at[id] < UINT32_MAX;
}

/* Orders parents before children, level by level. Rows not reached are in a cycle, or unconnected.
 */
static void
order_grains(struct table_maker *t)
{
	struct wn_graph *g = t->g;
	t->order[t->n_order++] = 0;
	for (uint32_t at = 0; at < t->n_order; at++) {
		wn_grain id = t->order[at];
		for (uint32_t i = t->first_child[id]; i < t->first_child[id + 1]; i++)
			t->order[t->n_order++] = t->children[i];
	}
	uint8_t *kind = g->kind;
	for (uint32_t at = 0; at < t->n_order; at++)
		kind[t->order[at]] |= 0x80;
	for (wn_grain id = 0; id < g->n; id++) {
		g->anomalies.n_lost += kind[id] && !(kind[id] & 0x80);
		if (!(kind[id] & 0x80)) {
			kind[id] = WN_GRAIN_NONE;
			g->parent[id] = WN_NO_GRAIN;
		}
		kind[id] &= 0x7f;
	}
}

wn_status
table_link(struct table_maker *t)
{
	struct wn_graph *g = t->g;
	t->first_child = wn_calloc((size_t)g->n + 2, sizeof *t->first_child);
	t->children = wn_calloc(g->n, sizeof *t->children);
	t->order = wn_calloc(g->n, sizeof *t->order);
	if (!t->first_child || !t->children || !t->order)
		return table_no_memory(t);
	/* shifted by one, so that filling leaves the begin of each list in its place */
	for (wn_grain id = 0; id < g->n; id++)
		if (is_linked(t, id))
			t->first_child[g->parent[id] + 2]++;
	for (size_t i = 2; i <= (size_t)g->n + 1; i++)
		t->first_child[i] += t->first_child[i - 1];
	for (wn_grain id = 0; id < g->n; id++)
		if (is_linked(t, id))
			t->children[t->first_child[g->parent[id] + 1]++] = id;
	for (wn_grain id = 0; id < g->n; id++) {
		uint32_t first = t->first_child[id], count = t->first_child[id + 1] - first;
		if (count > 1)
			qsort_r(t->children + first, count, sizeof *t->children, by_join_and_number,
			        t);
	}
	order_grains(t);
	return WN_OK;
}

/* Takes numbers from the table, or the order of births. */
static void
number_children(struct table_maker *t, wn_grain owner)
{
	struct wn_graph *g = t->g;
	uint32_t first = t->first_child[owner], end = t->first_child[owner + 1];
	bool is_given = true;
	for (uint32_t i = first; i < end; i++)
		is_given &= t->child_number[t->children[i]] >= 1 &&
		            t->child_number[t->children[i]] < UINT32_MAX;
	for (uint32_t i = first; i < end; i++)
		g->child_number[t->children[i]] =
		    is_given ? (uint32_t)t->child_number[t->children[i]] : i - first + 1;
	g->n_children[owner] = end - first;
}

static wn_status
add_fork_join(struct table_maker *t, wn_grain owner, uint32_t index, uint32_t from, uint32_t to)
{
	struct wn_graph *g = t->g;
	struct wn_fork_join f = {owner, index, to - from, WN_NO_FJ};
	if (wn_grow(&g->fjs, &g->fjs_capacity, g->n_fjs + 1, sizeof f) != 0)
		return table_no_memory(t);
	for (uint32_t i = from; i < to; i++)
		g->fj[t->children[i]] = (uint32_t)g->n_fjs;
	g->fjs[g->n_fjs++] = f;
	return WN_OK;
}

static wn_status
sum_fork_joins(struct table_maker *t)
{
	struct wn_graph *g = t->g;
	if (!wn_times_init(&g->fj_sum, g->n_fjs) || !wn_times_init(&g->fj_max, g->n_fjs))
		return table_no_memory(t);
	for (wn_grain id = 0; id < g->n; id++)
		if (g->fj[id] != WN_NO_FJ && !wn_fork_join_add(g, g->fj[id], wn_work_ns(g, id)))
			return table_no_memory(t);
	return WN_OK;
}

static wn_status
add_fork_joins(struct table_maker *t)
{
	t->first_fj = wn_calloc((size_t)t->g->n + 1, sizeof *t->first_fj);
	if (!t->first_fj)
		return table_no_memory(t);
	for (wn_grain id = 0; id < t->g->n; id++) {
		uint32_t end = t->first_child[id + 1], index = 0;
		t->first_fj[id] = (uint32_t)t->g->n_fjs;
		if (!t->g->kind[id])
			continue;
		number_children(t, id);
		for (uint32_t i = t->first_child[id], to; i < end; i = to) {
			double join = t->joins_at[t->children[i]];
			for (to = i + 1; to < end && !(t->joins_at[t->children[to]] > join); to++)
				;
			wn_status st = add_fork_join(t, id, index++, i, to);
			if (st != WN_OK)
				return st;
		}
	}
	t->first_fj[t->g->n] = (uint32_t)t->g->n_fjs;
	return sum_fork_joins(t);
}

/* The implicit tasks of one fork-join are the team of one region. */
static wn_status
add_regions(struct table_maker *t)
{
	struct wn_graph *g = t->g;
	uint32_t *region_of = wn_calloc(g->n_fjs, sizeof *region_of);
	uint32_t *n_before = wn_calloc(g->n, sizeof *n_before);
	if (!region_of || !n_before)
		goto no_memory;
	for (wn_grain id = 0; id < g->n; id++)
		if (g->kind[id] == WN_GRAIN_IMPLICIT && !region_of[g->fj[id]])
			region_of[g->fj[id]] = ++g->n_regions;
	if (!(g->regions = wn_calloc(g->n_regions, sizeof *g->regions)))
		goto no_memory;
	for (wn_grain id = 0; id < g->n; id++) {
		if (g->kind[id] != WN_GRAIN_IMPLICIT)
			continue;
		struct wn_region *r = &g->regions[region_of[g->fj[id]] - 1];
		g->context[id] = region_of[g->fj[id]] - 1;
		if (r->n_implicit++ == 0) {
			r->parent = g->parent[id];
			r->number = n_before[r->parent]++;
			r->site = g->site[id];
			r->fj = g->fj[id];
			r->is_closed = 1;
		}
		r->requested = r->team_size = r->n_implicit;
		r->sum_work_ns += wn_work_ns(g, id);
		if (wn_work_ns(g, id) > r->max_work_ns)
			r->max_work_ns = wn_work_ns(g, id);
	}
	g->first_region[1] = g->n_regions;
	wn_free(region_of);
	wn_free(n_before);
	return WN_OK;
no_memory:
	wn_free(region_of);
	wn_free(n_before);
	return table_no_memory(t);
}

struct chunk {
	double loop;
	uint16_t cpu;
	wn_grain id;
};

static int
by_loop_and_cpu(const void *left, const void *right)
{
	const struct chunk *a = left, *b = right;
	int order = compare(a->loop, b->loop);
	order = order ? order : (a->cpu > b->cpu) - (a->cpu < b->cpu);
	return order ? order : (a->id > b->id) - (a->id < b->id);
}

static void
fill_loop(struct wn_graph *g, struct wn_loop *loop, const struct chunk *chunks, size_t n)
{
	uint64_t of_cpu_ns = 0;
	uint32_t number = (uint32_t)(loop - g->loops);
	wn_grain parent = g->parent[chunks[0].id];
	bool in_region = g->kind[parent] == WN_GRAIN_IMPLICIT;
	*loop = (struct wn_loop){.region = in_region ? g->context[parent] : UINT32_MAX,
	                         .number = number,
	                         .site = g->site[chunks[0].id],
	                         .kind_flags = WN_WORK_LOOP_OTHER,
	                         .n_chunks = (uint32_t)n};
	for (size_t i = 0; i < n; i++) {
		wn_grain id = chunks[i].id;
		bool is_new = i == 0 || chunks[i].cpu != chunks[i - 1].cpu;
		g->context[id] = number;
		loop->trip_count += g->ranges[g->range[id] - 1].iterations;
		loop->sum_work_ns += wn_work_ns(g, id);
		loop->max_work_ns =
		    wn_work_ns(g, id) > loop->max_work_ns ? wn_work_ns(g, id) : loop->max_work_ns;
		loop->n_threads += is_new;
		of_cpu_ns = (is_new ? 0 : of_cpu_ns) + wn_work_ns(g, id);
		loop->max_thread_work_ns =
		    of_cpu_ns > loop->max_thread_work_ns ? of_cpu_ns : loop->max_thread_work_ns;
	}
	loop->sum_thread_work_ns = loop->sum_work_ns;
}

/* Chunks of one loop share a join of the idle task. */
static wn_status
add_loops(struct table_maker *t)
{
	struct wn_graph *g = t->g;
	size_t n = 0;
	struct chunk *chunks = wn_calloc(g->n_ranges, sizeof *chunks);
	if (!chunks)
		return table_no_memory(t);
	for (wn_grain id = 0; id < g->n; id++)
		if (g->kind[id] == WN_GRAIN_CHUNK)
			chunks[n++] = (struct chunk){isnan(t->loop_key[id]) ? -1 - (double)g->fj[id]
			                                                    : t->loop_key[id],
			                             g->cpu[id], id};
	if (n)
		qsort(chunks, n, sizeof *chunks, by_loop_and_cpu);
	for (size_t i = 0; i < n; i++)
		g->n_loops += i == 0 || chunks[i].loop > chunks[i - 1].loop;
	if (!(g->loops = wn_calloc(g->n_loops, sizeof *g->loops))) {
		wn_free(chunks);
		return table_no_memory(t);
	}
	size_t loop = 0;
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && !(chunks[end].loop > chunks[i].loop); end++)
			;
		fill_loop(g, &g->loops[loop++], chunks + i, end - i);
	}
	wn_free(chunks);
	return WN_OK;
}

wn_status
table_groups(struct table_maker *t)
{
	wn_status st;
	WN_TRY(add_fork_joins(t));
	WN_TRY(add_regions(t));
	WN_TRY(add_loops(t));
out:
	return st;
}
