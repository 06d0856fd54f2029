/* SPDX-License-Identifier: MIT */
/* program_loops.c - the parts of the compact form that teams share: regions, loops with their
 * chunks by iteration, and dependences. */
#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "simulate/program.h"

#include <stdlib.h>

static bool
is_chunk(const struct wn_graph *g, wn_grain id)
{
	return g->kind[id] == WN_GRAIN_CHUNK || g->kind[id] == WN_GRAIN_SECTION;
}

WN_COMPARE(by_iteration, struct sim_chunk, WN_BY_FIRST(first, WN_BY(grain)))

static struct sim_chunk
chunk_of(const struct wn_graph *g, wn_grain id)
{
	struct sim_chunk chunk = {.work_ns = wn_work_ns(g, id), .grain = id, .iterations = 1};
	if (g->range[id]) {
		chunk.first = g->ranges[g->range[id] - 1].first;
		chunk.iterations = g->ranges[g->range[id] - 1].iterations;
	}
	if (chunk.iterations == 0)
		chunk.iterations = 1;
	if (g->recording_ns)
		chunk.extra_ns += g->recording_ns[id];
	if (g->off_cpu_ns)
		chunk.extra_ns += g->off_cpu_ns[id];
	return chunk;
}

static void
finish_loop(struct program *p, struct sim_loop *loop)
{
	struct sim_chunk *chunks = p->chunks + loop->first_chunk;
	uint64_t before_ns = 0, before_extra_ns = 0, n_iterations = 0;
	qsort(chunks, loop->n_chunks, sizeof *chunks, by_iteration);
	for (uint32_t i = 0; i < loop->n_chunks; i++) {
		p->grains[chunks[i].grain].fj = loop->first_chunk + i;
		chunks[i].before_ns = before_ns;
		chunks[i].before_extra_ns = before_extra_ns;
		before_ns += chunks[i].work_ns;
		before_extra_ns += chunks[i].extra_ns;
		n_iterations += chunks[i].iterations;
		loop->is_detailed |= (p->grains[chunks[i].grain].flags & SIM_DETAIL) != 0;
		if (i > 0 && chunks[i].first < chunks[i - 1].first + chunks[i - 1].iterations)
			loop->is_detailed = true; /* iterations are not known: chunks stay whole */
	}
	if (loop->n_chunks) {
		const struct sim_chunk *last = &chunks[loop->n_chunks - 1];
		if (last->first + last->iterations > loop->trip_count)
			loop->trip_count = last->first + last->iterations;
	}
	/* iterations that were not executed: it was cancelled, or its bounds are not in iterations
	 */
	bool has_others = loop->trip_count / 2 > n_iterations;
	if (loop->kind == WN_WORK_SECTIONS || loop->is_ordered || has_others)
		loop->is_detailed = true;
	bool is_static = loop->kind == WN_WORK_LOOP_STATIC || loop->kind == WN_WORK_DISTRIBUTE;
	if (is_static && !loop->is_detailed && loop->n_chunks == 1)
		p->unsplit_ns += chunks[0].work_ns;
	p->has_divisible_loops |= loop->n_chunks > 0 && !loop->is_detailed;
}

wn_status
program_add_loops(const struct wn_graph *g, struct program *p, wn_err *err)
{
	uint32_t n = 0;
	p->n_loops = (uint32_t)g->n_loops;
	p->loops = wn_calloc(g->n_loops + 1, sizeof *p->loops);
	if (!p->loops)
		return wn_no_memory(err);
	for (size_t i = 0; i < g->n_loops; i++)
		n += g->loops[i].n_chunks;
	p->chunks = wn_calloc((size_t)n + 1, sizeof *p->chunks);
	if (!p->chunks)
		return wn_no_memory(err);
	n = 0;
	for (size_t i = 0; i < g->n_loops; i++) {
		const struct wn_loop *from = &g->loops[i];
		p->loops[i] = (struct sim_loop){
		    .first_chunk = n,
		    .site = from->site,
		    .kind = (uint8_t)(from->kind_flags & WN_WORK_KIND_MASK),
		    .is_ordered = (from->kind_flags & WN_LOOP_ORDERED) != 0,
		    .trip_count = from->trip_count,
		    .chunk_size = from->chunk_size,
		};
		n += from->n_chunks;
	}
	uint32_t n_chunks = n;
	for (wn_grain id = 0; id < g->n; id++) {
		if (!is_chunk(g, id) || g->context[id] >= g->n_loops)
			continue;
		struct sim_loop *loop = &p->loops[g->context[id]];
		uint32_t at = loop->first_chunk + loop->n_chunks;
		uint32_t end = g->context[id] + 1 < p->n_loops ? loop[1].first_chunk : n_chunks;
		if (at < end) {
			p->chunks[at] = chunk_of(g, id);
			loop->n_chunks++;
		}
	}
	p->n_chunks = n_chunks;
	for (uint32_t i = 0; i < p->n_loops; i++)
		finish_loop(p, &p->loops[i]);
	return WN_OK;
}

/* Puts a region's implicit tasks in the order of their thread numbers. */
static void
sort_by_number(const struct wn_graph *g, uint32_t *implicit, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		uint32_t id = implicit[i], k = i;
		for (; k > 0 && g->child_number[implicit[k - 1]] > g->child_number[id]; k--)
			implicit[k] = implicit[k - 1];
		implicit[k] = id;
	}
}

static const char *
reason_not_simulated(const struct wn_model *x, const struct sim_region *region)
{
	if (!region->is_nested && !x->regions_follow)
		return "several threads started parallel regions on their own";
	return NULL;
}

/* Whether some implicit task of the region created tasks. */
static bool
has_tasks(const uint8_t *has_child, const uint32_t *implicit, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (has_child[implicit[i]])
			return true;
	return false;
}

static wn_status
list_implicit(const struct wn_graph *g, struct program *p, wn_err *err)
{
	uint32_t n = 0;
	for (wn_grain id = 0; id < g->n; id++)
		n += g->kind[id] == WN_GRAIN_IMPLICIT;
	p->implicit = wn_calloc((size_t)n + 1, sizeof *p->implicit);
	if (!p->implicit)
		return wn_no_memory(err);
	p->n_implicit = n;
	n = 0;
	for (uint32_t i = 0; i < g->n_regions; i++) {
		p->regions[i].first_implicit = n;
		n += g->regions[i].parent == WN_NO_GRAIN ? 0 : g->regions[i].n_implicit;
	}
	for (wn_grain id = 0; id < g->n; id++) {
		if (g->kind[id] != WN_GRAIN_IMPLICIT)
			continue;
		struct sim_region *r = &p->regions[g->context[id]];
		if (r->n_implicit < g->regions[g->context[id]].n_implicit)
			p->implicit[r->first_implicit + r->n_implicit++] = id;
	}
	return WN_OK;
}

/* gcc computes static schedules in the program, unless the plug-in compiled it. */
static bool
hides_static_loops(const struct wn_graph *g)
{
	for (size_t i = 0; i < g->n_loops; i++)
		if ((g->loops[i].kind_flags & WN_WORK_KIND_MASK) == WN_WORK_LOOP_STATIC)
			return false;
	return wn_trace_header(g->trace)->sources & WN_SOURCE_LIBGOMP;
}

wn_status
program_add_regions(const struct wn_graph *g, const struct wn_model *x, struct program *p,
                    wn_err *err)
{
	wn_status st = WN_OK;
	bool is_hidden = hides_static_loops(g);
	uint8_t *has_child = wn_calloc((size_t)g->n + 1, 1);
	p->n_regions = g->n_regions;
	p->regions = wn_calloc((size_t)g->n_regions + 1, sizeof *p->regions);
	p->initial = NONE;
	if (!p->regions || !has_child)
		WN_TRY(wn_no_memory(err));
	for (wn_grain id = 0; id < g->n; id++)
		if (g->parent[id] < g->n &&
		    (g->kind[id] == WN_GRAIN_TASK || g->kind[id] == WN_GRAIN_TASKLOOP))
			has_child[g->parent[id]] = 1;
	WN_TRY(list_implicit(g, p, err));
	for (uint32_t i = 0; i < g->n_regions; i++) {
		const struct wn_region *from = &g->regions[i];
		struct sim_region *r = &p->regions[i];
		uint32_t *implicit = p->implicit + r->first_implicit;
		if (from->parent == WN_NO_GRAIN)
			continue;
		r->team_size = from->team_size ? from->team_size : 1;
		r->is_nested = g->kind[from->parent] != WN_GRAIN_INITIAL;
		r->is_scaled = r->team_size == x->n_threads;
		r->site = from->site;
		r->work_ns = from->work_ns;
		p->has_nested_teams |= r->is_nested && r->team_size > 1;
		sort_by_number(g, implicit, r->n_implicit);
		if (!r->is_nested && p->initial == NONE)
			p->initial = from->parent;
		if (from->n_singles == 0 && !r->is_nested &&
		    !has_tasks(has_child, implicit, r->n_implicit)) {
			p->divided_ns += from->own_work_ns;
			r->hidden_ns = is_hidden ? from->own_work_ns : 0;
		}
		const char *why = reason_not_simulated(x, r);
		if (why)
			WN_TRY(wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "%s", why));
	}
	if (p->initial == NONE)
		st = wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "no parallel region was recorded");
out:
	wn_free(has_child);
	return st;
}

/* Calls for each edge of dependences: from a node to a node, nodes being grains, then gates. */
static void
each_dependence(const struct wn_graph *g, void (*call)(struct program *, uint32_t, uint32_t),
                struct program *p)
{
	for (size_t i = 0; i < g->n_dependents; i++) {
		const struct wn_dependent *d = &g->dependents[i];
		for (uint32_t k = 0; k < d->n_predecessors; k++)
			call(p, g->predecessors[d->first_predecessor + k], d->grain);
		for (uint32_t k = 0; k < d->n_gates; k++)
			call(p, g->n + g->gates_before[d->first_gate + k], d->grain);
	}
	for (uint32_t i = 0; i < g->n_gates; i++)
		for (uint32_t k = 0; k < g->gates[i].n_members; k++)
			call(p, g->gate_members[g->gates[i].first_member + k], g->n + i);
}

static void
count_edge(struct program *p, uint32_t from, uint32_t to)
{
	p->first_successor[from + 2]++;
	p->n_predecessors[to]++;
}

static void
put_edge(struct program *p, uint32_t from, uint32_t to)
{
	p->successors[p->first_successor[from + 1]++] = to;
}

wn_status
program_add_dependences(const struct wn_graph *g, struct program *p, wn_err *err)
{
	size_t n = (size_t)g->n + g->n_gates;
	p->n_nodes = g->n;
	if (g->n_dependents == 0)
		return WN_OK;
	if (n >= NONE - 2)
		return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET, "more than 2^32 - 2 dependences");
	p->n_gates = (uint32_t)g->n_gates;
	p->n_predecessors = wn_calloc(n, sizeof *p->n_predecessors);
	p->first_successor = wn_calloc(n + 2, sizeof *p->first_successor);
	if (!p->n_predecessors || !p->first_successor)
		return wn_no_memory(err);
	each_dependence(g, count_edge, p);
	for (size_t i = 0; i < n; i++)
		p->first_successor[i + 2] += p->first_successor[i + 1];
	p->successors = wn_calloc((size_t)p->first_successor[n + 1] + 1, sizeof *p->successors);
	if (!p->successors)
		return wn_no_memory(err);
	each_dependence(g, put_edge, p);
	return WN_OK;
}
