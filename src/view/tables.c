/* SPDX-License-Identifier: MIT */
/* tables.c - encodes the tables of sites, chunks, loops, regions and gates: columns of numbers,
 * computed by a function per column and row. */
#include "base/error.h"
#include "base/mem.h"
#include "view/view_private.h"

#include <string.h>

typedef bool value_fn(const struct wn_page_data *v, uint32_t row, uint64_t *out);

struct table_column {
	uint32_t column;
	value_fn *value;
};

#define VALUE(name, has, what)                                                                     \
	static bool name(const struct wn_page_data *v, uint32_t row, uint64_t *out)                \
	{                                                                                          \
		(void)v;                                                                           \
		(void)row;                                                                         \
		*out = (has) ? (uint64_t)(what) : 0;                                               \
		return has;                                                                        \
	}

#define PLACE_OF (v->r->places.of_site[row])
VALUE(site_place, row < v->r->places.n_sites && PLACE_OF != WN_NO_PLACE, PLACE_OF)

VALUE(chunk_work, true, v->chunks[row].work_ns)
VALUE(chunk_critical, true, v->chunks[row].n_critical)
VALUE(chunk_n_problem, true, v->chunks[row].n_problem)

#define LOOP v->g->loops[row]
VALUE(loop_region, LOOP.region < v->g->n_regions, LOOP.region)
VALUE(loop_number, true, LOOP.number)
VALUE(loop_site, LOOP.site != WN_NO_SITE, LOOP.site)
VALUE(loop_kind, true, LOOP.kind_flags)
VALUE(loop_trips, true, LOOP.trip_count)
VALUE(loop_lower, LOOP.kind_flags &WN_LOOP_BOUNDS, LOOP.lower)
VALUE(loop_step, LOOP.kind_flags &WN_LOOP_BOUNDS, LOOP.step)
VALUE(loop_chunk_size, LOOP.chunk_size > 0, LOOP.chunk_size)
VALUE(loop_n_chunks, true, LOOP.n_chunks)
VALUE(loop_n_threads, true, LOOP.n_threads)
VALUE(loop_sum_work, true, LOOP.sum_work_ns)
VALUE(loop_max_work, true, LOOP.max_work_ns)
VALUE(loop_sum_thread, true, LOOP.sum_thread_work_ns)
VALUE(loop_max_thread, true, LOOP.max_thread_work_ns)
VALUE(loop_overhead, true, LOOP.overhead_ns)
VALUE(loop_trailing, v->m->loop_trailing_ns != NULL, v->m->loop_trailing_ns[row])

#define REGION v->g->regions[row]
VALUE(region_parent, REGION.parent != WN_NO_GRAIN, REGION.parent)
VALUE(region_number, true, REGION.number)
VALUE(region_single, true, REGION.context)
VALUE(region_site, REGION.site != WN_NO_SITE, REGION.site)
VALUE(region_team, true, REGION.team_size)
VALUE(region_begin, true, REGION.begin_ns)
VALUE(region_end, REGION.is_closed, REGION.end_ns)
VALUE(region_forking, true, REGION.forking_ns)
VALUE(region_n_loops, true, REGION.n_loops)
VALUE(region_n_sections, true, REGION.n_sections)
VALUE(region_sum_work, true, REGION.sum_work_ns)
VALUE(region_max_work, true, REGION.max_work_ns)

#define ABOVE      v->above[row]
#define IS_WRAPPER (v->g->kind[ABOVE] == WN_GRAIN_IMPLICIT)
VALUE(above_id, true, ABOVE)
VALUE(above_kind, true, v->g->kind[ABOVE])
VALUE(above_parent, v->g->parent[ABOVE] != WN_NO_GRAIN, v->g->parent[ABOVE])
VALUE(above_child_number, true, v->g->child_number[ABOVE])
VALUE(above_single, !IS_WRAPPER, v->g->context[ABOVE])
VALUE(above_region, IS_WRAPPER, v->g->context[ABOVE])
VALUE(above_thread, v->g->parent[ABOVE] == WN_NO_GRAIN, v->g->thread[ABOVE])

VALUE(gate_members, true, v->g->gates[row].n_members)

static const struct table_column sites[] = {{WN_COLUMN_SITE_PLACE, site_place}};

static const struct table_column chunks[] = {
    {WN_COLUMN_CHUNK_WORK, chunk_work},
    {WN_COLUMN_CHUNK_CRITICAL, chunk_critical},
    {WN_COLUMN_CHUNK_N_PROBLEM, chunk_n_problem},
};

static const struct table_column loops[] = {
    {WN_COLUMN_LOOP_REGION, loop_region},
    {WN_COLUMN_LOOP_NUMBER, loop_number},
    {WN_COLUMN_LOOP_SITE, loop_site},
    {WN_COLUMN_LOOP_KIND, loop_kind},
    {WN_COLUMN_LOOP_TRIPS, loop_trips},
    {WN_COLUMN_LOOP_LOWER, loop_lower},
    {WN_COLUMN_LOOP_STEP, loop_step},
    {WN_COLUMN_LOOP_CHUNK_SIZE, loop_chunk_size},
    {WN_COLUMN_LOOP_N_CHUNKS, loop_n_chunks},
    {WN_COLUMN_LOOP_N_THREADS, loop_n_threads},
    {WN_COLUMN_LOOP_SUM_WORK, loop_sum_work},
    {WN_COLUMN_LOOP_MAX_WORK, loop_max_work},
    {WN_COLUMN_LOOP_SUM_THREAD, loop_sum_thread},
    {WN_COLUMN_LOOP_MAX_THREAD, loop_max_thread},
    {WN_COLUMN_LOOP_OVERHEAD, loop_overhead},
    {WN_COLUMN_LOOP_TRAILING, loop_trailing},
};

static const struct table_column regions[] = {
    {WN_COLUMN_REGION_PARENT, region_parent},     {WN_COLUMN_REGION_NUMBER, region_number},
    {WN_COLUMN_REGION_SINGLE, region_single},     {WN_COLUMN_REGION_SITE, region_site},
    {WN_COLUMN_REGION_TEAM, region_team},         {WN_COLUMN_REGION_BEGIN, region_begin},
    {WN_COLUMN_REGION_END, region_end},           {WN_COLUMN_REGION_FORKING, region_forking},
    {WN_COLUMN_REGION_N_LOOPS, region_n_loops},   {WN_COLUMN_REGION_N_SECTIONS, region_n_sections},
    {WN_COLUMN_REGION_SUM_WORK, region_sum_work}, {WN_COLUMN_REGION_MAX_WORK, region_max_work},
};

static const struct table_column above[] = {
    {WN_COLUMN_ABOVE_ID, above_id},         {WN_COLUMN_ABOVE_KIND, above_kind},
    {WN_COLUMN_ABOVE_PARENT, above_parent}, {WN_COLUMN_ABOVE_CHILD_NUMBER, above_child_number},
    {WN_COLUMN_ABOVE_SINGLE, above_single}, {WN_COLUMN_ABOVE_REGION, above_region},
    {WN_COLUMN_ABOVE_THREAD, above_thread},
};

static const struct table_column gates[] = {{WN_COLUMN_GATE_MEMBERS, gate_members}};

static const struct table {
	enum wn_grains_part_kind kind;
	const struct table_column *columns;
	size_t n_columns;
} tables[] = {
#define TABLE(kind, columns)                                                                       \
	{                                                                                          \
		kind, columns, sizeof columns / sizeof *columns                                    \
	}
    TABLE(WN_PART_SITES, sites),     TABLE(WN_PART_CHUNKS, chunks), TABLE(WN_PART_LOOPS, loops),
    TABLE(WN_PART_REGIONS, regions), TABLE(WN_PART_GATES, gates),   TABLE(WN_PART_ABOVE, above),
};

struct making {
	struct wn_page_data *v;
	struct wn_grains_encoder e;
	uint64_t *values;
	uint8_t *missing;
	uint64_t *list;
	size_t list_capacity;
};

static wn_status
encode_column(struct making *k, uint32_t first, uint32_t n, const struct table_column *c,
              wn_err *err)
{
	memset(k->missing, 0, WN_GRAINS_TABLE / 8);
	for (uint32_t i = 0; i < n; i++)
		if (!c->value(k->v, first + i, &k->values[i]))
			k->missing[i / 8] = (uint8_t)(k->missing[i / 8] | 1u << i % 8);
	return wn_grains_encode(&k->e, c->column, NULL, k->values, k->missing, err);
}

/* Counts the problem grains of each chunk. */
static wn_status
encode_problems(struct making *k, uint32_t first, uint32_t n, wn_err *err)
{
	wn_status st = WN_OK;
	for (uint32_t p = 0; p < (uint32_t)k->v->m->n_problems && st == WN_OK; p++) {
		for (uint32_t i = 0; i < n; i++)
			k->values[i] = k->v->chunks[first + i].problem[p];
		st = wn_grains_encode(&k->e, WN_COLUMN_PROBLEM + p, NULL, k->values, NULL, err);
	}
	return st;
}

/* Lists the predecessors of each gate's successors. */
static wn_status
encode_members(struct making *k, uint32_t first, uint32_t n, wn_err *err)
{
	const struct wn_graph *g = k->v->g;
	size_t n_list = 0;
	for (uint32_t i = first; i < first + n; i++) {
		const struct wn_dep_gate *gate = &g->gates[i];
		if (wn_grow(&k->list, &k->list_capacity, n_list + gate->n_members,
		            sizeof *k->list) != 0)
			return wn_no_memory(err);
		for (uint32_t m = 0; m < gate->n_members; m++)
			k->list[n_list++] = g->gate_members[gate->first_member + m];
	}
	if (n_list > WN_GRAINS_PART_ROWS_MAX)
		return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET,
		               "%zu dependences are too many for one part of the file", n_list);
	k->e.part.rows[WN_ROWS_LIST] = (uint32_t)n_list;
	return wn_grains_encode(&k->e, WN_COLUMN_PREDECESSOR, NULL, k->list, NULL, err);
}

static wn_status
put_rows(struct making *k, const struct table *t, uint32_t number, uint32_t first, uint32_t n,
         wn_err *err)
{
	wn_status st = WN_OK;
	wn_grains_encoder_begin(&k->e, t->kind, number, 6);
	k->e.part.rows[WN_ROWS_TABLE] = n;
	for (size_t i = 0; i < t->n_columns && st == WN_OK; i++)
		st = encode_column(k, first, n, &t->columns[i], err);
	if (st == WN_OK && t->kind == WN_PART_CHUNKS)
		st = encode_problems(k, first, n, err);
	if (st == WN_OK && t->kind == WN_PART_GATES)
		st = encode_members(k, first, n, err);
	return st == WN_OK ? wn_grains_put(k->v->writer, &k->e, err) : st;
}

static size_t
n_rows(const struct wn_page_data *v, enum wn_grains_part_kind kind)
{
	return kind == WN_PART_SITES     ? wn_trace_n_sites(v->g->trace)
	       : kind == WN_PART_CHUNKS  ? v->n_chunks
	       : kind == WN_PART_LOOPS   ? v->g->n_loops
	       : kind == WN_PART_REGIONS ? v->g->n_regions
	       : kind == WN_PART_GATES   ? v->g->n_gates
	                                 : v->n_above;
}

/* Collects ids that names of nodes need and that are no leaves of the tree. */
static wn_status
find_above(struct wn_page_data *v, wn_err *err)
{
	enum { IS_LEAF = 1, IS_ABOVE = 2 };
	const struct wn_graph *g = v->g;
	const struct wn_tree *t = v->tree;
	uint8_t *what = wn_calloc(g->n, 1);
	uint32_t n = 0;
	if (!what)
		return wn_no_memory(err);
	for (wn_tree_node i = 0; i < t->n; i++)
		if (t->kind[i] == WN_TREE_GRAIN)
			what[t->ref[i]] = IS_LEAF;
	for (wn_tree_node i = 0; i < t->n; i++) {
		wn_grain id = WN_NO_GRAIN;
		if (t->kind[i] == WN_TREE_FORK_JOIN)
			id = g->fjs[t->ref[i]].owner;
		else if (t->kind[i] == WN_TREE_GRAIN || t->kind[i] == WN_TREE_LINEAR)
			id = t->ref[i];
		for (; id != WN_NO_GRAIN && !(what[id] & IS_ABOVE); id = g->parent[id]) {
			n += what[id] == 0;
			what[id] |= IS_ABOVE;
		}
	}
	v->above = wn_calloc(n, sizeof *v->above);
	if (v->above)
		for (wn_grain id = 0; id < g->n; id++)
			if (what[id] == IS_ABOVE)
				v->above[v->n_above++] = id;
	wn_free(what);
	return v->above || n == 0 ? WN_OK : wn_no_memory(err);
}

wn_status
view_put_tables(struct wn_page_data *v, wn_err *err)
{
	struct making k = {.v = v};
	wn_status st = WN_OK;
	k.values = wn_calloc(WN_GRAINS_TABLE, sizeof *k.values);
	k.missing = wn_calloc(WN_GRAINS_TABLE / 8, 1);
	if (!k.values || !k.missing)
		st = wn_no_memory(err);
	if (st == WN_OK)
		st = find_above(v, err);
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		size_t n = n_rows(v, tables[i].kind);
		if (n > UINT32_MAX)
			n = UINT32_MAX;
		for (size_t first = 0; first < n && st == WN_OK; first += WN_GRAINS_TABLE) {
			size_t some = n - first < WN_GRAINS_TABLE ? n - first : WN_GRAINS_TABLE;
			st = put_rows(&k, &tables[i], (uint32_t)(first / WN_GRAINS_TABLE),
			              (uint32_t)first, (uint32_t)some, err);
		}
	}
	WN_FREE_ALL(k.values, k.missing, k.list);
	wn_grains_encoder_fini(&k.e);
	return st;
}
