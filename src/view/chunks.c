/* SPDX-License-Identifier: MIT */
/*
 * chunks.c - the grains, chunk by chunk: a few at a time, each by one thread, put down in order.
 */
#include "base/error.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "grains/shape.h"
#include "view/view_private.h"

#include <math.h>
#include <string.h>

/* One chunk in the making. */
struct job {
	const struct wn_harvest *v;
	const struct view_chunk *chunk;
	uint32_t n; /* grains */
	uint32_t n_nodes, n_groups;
	wn_grain *ids;                            /* [n] */
	uint64_t *values;                         /* [n_nodes], or of rows LIST */
	uint8_t *missing;                         /* a bit for each of these */
	uint64_t *id, *sync, *n_children, *work;  /* [n] as who reads has them */
	uint64_t *closes;                         /* [n] */
	uint64_t *owner, *sum, *max, *n_siblings; /* [n_groups] expected */
	struct wn_grains_shape shape;
	size_t nodes_capacity, list_capacity;
	uint64_t *list;
	uint32_t *rows; /* of summaries */
	struct wn_grains_encoder encoder;
	wn_status st;
	wn_err err;
};

static void
job_fini(struct job *j)
{
	void *all[] = {j->ids,          j->values,     j->missing,   j->id,
	               j->sync,         j->n_children, j->work,      j->closes,
	               j->owner,        j->sum,        j->max,       j->n_siblings,
	               j->shape.parent, j->shape.end,  j->shape.row, j->shape.owner_row,
	               j->list,         j->rows};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		wn_free(all[i]);
	wn_grains_encoder_fini(&j->encoder);
}

/* Room for a chunk of so many nodes; grains are fewer. */
static bool
job_room(struct job *j, size_t n)
{
	struct {
		void *array;
		size_t size_bytes;
	} all[] = {{&j->ids, sizeof *j->ids},
	           {&j->values, sizeof *j->values},
	           {&j->missing, 1},
	           {&j->id, sizeof *j->id},
	           {&j->sync, sizeof *j->sync},
	           {&j->n_children, sizeof *j->n_children},
	           {&j->work, sizeof *j->work},
	           {&j->closes, sizeof *j->closes},
	           {&j->owner, sizeof *j->owner},
	           {&j->sum, sizeof *j->sum},
	           {&j->max, sizeof *j->max},
	           {&j->n_siblings, sizeof *j->n_siblings},
	           {&j->shape.parent, sizeof *j->shape.parent},
	           {&j->shape.end, sizeof *j->shape.end},
	           {&j->shape.row, sizeof *j->shape.row},
	           {&j->shape.owner_row, sizeof *j->shape.owner_row},
	           {&j->rows, sizeof *j->rows}};
	size_t capacity = j->nodes_capacity;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		capacity = j->nodes_capacity;
		if (wn_grow(all[i].array, &capacity, n, all[i].size_bytes) != 0)
			return false;
	}
	j->nodes_capacity = capacity;
	return true;
}

static void
miss(struct job *j, size_t i)
{
	j->missing[i / 8] = (uint8_t)(j->missing[i / 8] | 1u << i % 8);
}

/* --- columns of grains: the value of `id`, or none --- */

#define FILL(name, has, what)                                                                      \
	static void fill_##name(struct job *j)                                                     \
	{                                                                                          \
		const struct wn_graph *g = j->v->g;                                                \
		const struct wn_metrics *m = j->v->m;                                              \
		for (uint32_t i = 0; i < j->n; i++) {                                              \
			wn_grain id = j->ids[i];                                                   \
			(void)id;                                                                  \
			(void)g;                                                                   \
			(void)m;                                                                   \
			if (has)                                                                   \
				j->values[i] = (uint64_t)(what);                                   \
			else                                                                       \
				miss(j, i);                                                        \
		}                                                                                  \
	}

#define HAS(flag)  (g->flags[id] & (flag))
#define IS_PART    (g->kind[id] == WN_GRAIN_CHUNK || g->kind[id] == WN_GRAIN_SECTION)
#define IS_WRAPPER (g->kind[id] == WN_GRAIN_IMPLICIT)
#define RANGE      (&g->ranges[g->range[id] - 1])
#define PARENT     g->parent[id]

static bool
knows_locks(const struct wn_graph *g)
{
	return g->locked_ns || wn_trace_header(g->trace)->event_shape[WN_EV_MUTEX_WAIT];
}

static bool
has_fork_join(const struct wn_metrics *m, wn_grain id)
{
	uint32_t fj = m->g->fj[id];
	return m->fj_number && fj != WN_NO_FJ && m->g->fjs[fj].n_children > 0;
}

static bool
has_profile(const struct wn_metrics *m, wn_grain id)
{
	return wn_is_grain(m->g, id) && m->inst_par_max && m->inst_par_max[id];
}

static uint64_t
locked(const struct wn_graph *g, wn_grain id)
{
	return g->locked_ns ? g->locked_ns[id] : 0;
}

static uint32_t
n_before(const struct wn_graph *g, wn_grain id)
{
	const struct wn_dependent *d = wn_dependent(g, id);
	return d ? d->n_predecessors + d->n_gates : 0;
}

FILL(id, true, id)
FILL(kind, true, g->kind[id])
FILL(flags, true, g->flags[id])
FILL(site, g->site[id] != WN_NO_SITE, g->site[id])
FILL(parent, PARENT != WN_NO_GRAIN, PARENT)
FILL(child_number, true, g->child_number[id])
FILL(n_children, true, g->n_children[id])
FILL(fork_join, has_fork_join(m, id), m->fj_number[g->fj[id]])
FILL(joined_by, HAS(WN_GF_ROGUE), g->fj[id] != WN_NO_FJ ? g->fjs[g->fj[id]].owner : 0)
FILL(single, !IS_PART && !IS_WRAPPER, g->context[id])
FILL(loop_row, IS_PART, g->context[id])
FILL(region_row, IS_WRAPPER, g->context[id])
FILL(range_first, g->range[id], RANGE->first)
FILL(range_iterations, g->range[id] && RANGE->iterations, RANGE->iterations)
FILL(taskloop, g->range[id] && g->kind[id] == WN_GRAIN_TASKLOOP, RANGE->taskloop)
FILL(thread, HAS(WN_GF_STARTED), g->thread[id])
FILL(cpu, HAS(WN_GF_STARTED) && g->cpu[id] != UINT16_MAX, g->cpu[id])
FILL(begin, HAS(WN_GF_STARTED), g->begin_ns[id])
FILL(suspended, HAS(WN_GF_STARTED) && HAS(WN_GF_COMPLETED),
     g->end_ns[id] - g->begin_ns[id] - wn_exec_ns(g, id))
FILL(work, HAS(WN_GF_STARTED), g->work_ns[id])
FILL(made, HAS(WN_GF_STARTED), g->made_ns[id])
FILL(creation, HAS(WN_GF_CREATION_KNOWN), g->creation_ns[id])
FILL(sync, HAS(WN_GF_STARTED), g->sync_ns[id])
FILL(locked, HAS(WN_GF_STARTED) && knows_locks(g), locked(g, id))
FILL(exec_more, HAS(WN_GF_STARTED),
     wn_exec_ns(g, id) - g->work_ns[id] - g->made_ns[id] - locked(g, id))
FILL(parent_sync, PARENT != WN_NO_GRAIN, g->sync_ns[PARENT])
FILL(parent_children, PARENT != WN_NO_GRAIN, g->n_children[PARENT])
FILL(problems, true, m->problems[id])
FILL(label, g->label && g->label[id], j->v->label_row[g->label[id]])
FILL(inst_par_median, has_profile(m, id), m->inst_par_median[id] * 2)
FILL(inst_par_min, has_profile(m, id), m->inst_par_min[id])
FILL(inst_par_max, has_profile(m, id), m->inst_par_max[id])
FILL(create_instant, !IS_WRAPPER, g->instant_ns[id])
FILL(n_before, true, n_before(g, id))

static const struct filler {
	uint16_t column;
	void (*fill)(struct job *j);
} fillers[] = {
    {WN_COLUMN_KIND, fill_kind},
    {WN_COLUMN_FLAGS, fill_flags},
    {WN_COLUMN_SITE, fill_site},
    {WN_COLUMN_PARENT, fill_parent},
    {WN_COLUMN_CHILD_NUMBER, fill_child_number},
    {WN_COLUMN_FORK_JOIN, fill_fork_join},
    {WN_COLUMN_JOINED_BY, fill_joined_by},
    {WN_COLUMN_SINGLE, fill_single},
    {WN_COLUMN_LOOP_ROW, fill_loop_row},
    {WN_COLUMN_REGION_ROW, fill_region_row},
    {WN_COLUMN_RANGE_FIRST, fill_range_first},
    {WN_COLUMN_RANGE_ITERATIONS, fill_range_iterations},
    {WN_COLUMN_TASKLOOP, fill_taskloop},
    {WN_COLUMN_THREAD, fill_thread},
    {WN_COLUMN_CPU, fill_cpu},
    {WN_COLUMN_BEGIN, fill_begin},
    {WN_COLUMN_SUSPENDED, fill_suspended},
    {WN_COLUMN_MADE, fill_made},
    {WN_COLUMN_CREATION, fill_creation},
    {WN_COLUMN_LOCKED, fill_locked},
    {WN_COLUMN_EXEC_MORE, fill_exec_more},
    {WN_COLUMN_PARENT_SYNC, fill_parent_sync},
    {WN_COLUMN_PARENT_CHILDREN, fill_parent_children},
    {WN_COLUMN_PROBLEMS, fill_problems},
    {WN_COLUMN_LABEL, fill_label},
    {WN_COLUMN_INST_PAR_MEDIAN, fill_inst_par_median},
    {WN_COLUMN_INST_PAR_MIN, fill_inst_par_min},
    {WN_COLUMN_INST_PAR_MAX, fill_inst_par_max},
    {WN_COLUMN_CREATE_INSTANT, fill_create_instant},
};
#define FILLERS_N (sizeof fillers / sizeof *fillers)

static wn_status
encode(struct job *j, uint32_t column, const struct wn_grains_base *base)
{
	return wn_grains_encode(&j->encoder, column, base, j->values, j->missing, &j->err);
}

static void
clear_missing(struct job *j, size_t n)
{
	memset(j->missing, 0, (n + 7) / 8);
}

static struct wn_grains_base
base_of(const struct job *j, uint16_t column)
{
	struct wn_grains_base base = {.owner_row = j->shape.owner_row};
	switch (wn_grains_column_info(column)->source) {
	case WN_COLUMN_ID:
		base.source = j->id;
		break;
	case WN_COLUMN_SYNC:
		base.source = j->sync;
		break;
	case WN_COLUMN_N_CHILDREN:
		base.source = j->n_children;
		break;
	default:
		break;
	}
	return base;
}

static wn_status
encode_filled(struct job *j, uint16_t column, void (*fill)(struct job *j), uint64_t *copy)
{
	struct wn_grains_base base = base_of(j, column);
	clear_missing(j, j->n);
	fill(j);
	wn_status st = encode(j, column, &base);
	if (copy)
		memcpy(copy, j->values, j->n * sizeof *copy);
	return st;
}

static wn_status
encode_extras(struct job *j)
{
	const struct wn_harvest *v = j->v;
	wn_status st = WN_OK;
	for (uint32_t k = 0; k < v->n_extras && st == WN_OK; k++) {
		clear_missing(j, j->n);
		for (uint32_t i = 0; i < j->n; i++) {
			double value = wn_column_value(v->extras[k], v->m, j->ids[i]);
			memcpy(&j->values[i], &value, sizeof value);
			if (isnan(value))
				miss(j, i);
		}
		st = encode(j, WN_COLUMN_EXTRA + k, NULL);
	}
	return st;
}

/* Only where there are dependences. A gate is told as 2^32 and its number. */
static wn_status
encode_dependences(struct job *j)
{
	const struct wn_graph *g = j->v->g;
	size_t n = 0;
	if (!g->dependent)
		return WN_OK;
	for (uint32_t i = 0; i < j->n; i++) {
		const struct wn_dependent *d = wn_dependent(g, j->ids[i]);
		if (!d)
			continue;
		if (wn_grow(&j->list, &j->list_capacity, n + d->n_predecessors + d->n_gates,
		            sizeof *j->list) != 0)
			return view_no_memory(&j->err);
		for (uint32_t k = 0; k < d->n_predecessors; k++)
			j->list[n++] = g->predecessors[d->first_predecessor + k];
		for (uint32_t k = 0; k < d->n_gates; k++)
			j->list[n++] = WN_GRAINS_GATE | g->gates_before[d->first_gate + k];
	}
	if (n > WN_GRAINS_PART_ROWS_MAX)
		return wn_fail(&j->err, WN_E_LIMIT, WN_NO_OFFSET,
		               "%zu dependences are too many for one part of the file", n);
	j->encoder.part.rows[WN_ROWS_LIST] = (uint32_t)n;
	wn_status st = encode_filled(j, WN_COLUMN_N_PREDECESSORS, fill_n_before, NULL);
	return st == WN_OK ? wn_grains_encode(&j->encoder, WN_COLUMN_PREDECESSOR, NULL, j->list,
	                                      NULL, &j->err)
	                   : st;
}

static wn_status
encode_grains(struct job *j)
{
	wn_status st;
	WN_TRY(encode_filled(j, WN_COLUMN_ID, fill_id, j->id));
	WN_TRY(encode_filled(j, WN_COLUMN_SYNC, fill_sync, j->sync));
	WN_TRY(encode_filled(j, WN_COLUMN_N_CHILDREN, fill_n_children, j->n_children));
	WN_TRY(encode_filled(j, WN_COLUMN_WORK, fill_work, j->work));
	for (size_t i = 0; i < FILLERS_N; i++)
		WN_TRY(encode_filled(j, fillers[i].column, fillers[i].fill, NULL));
	WN_TRY(encode_extras(j));
	WN_TRY(encode_dependences(j));
out:
	return st;
}

/* --- the tree, and its groups --- */

static void
look_at_nodes(struct job *j)
{
	const struct wn_tree *t = j->v->tree;
	uint32_t n = 0;
	for (uint32_t i = j->chunk->first_node; i < j->chunk->end_node; i++) {
		if (t->kind[i] != WN_TREE_GRAIN)
			continue;
		uint64_t closes = 0;
		for (uint32_t up = t->parent[i]; up != WN_NO_TREE_NODE && t->end[up] == i + 1;
		     up = t->parent[up])
			closes++;
		j->closes[n] = closes;
		j->ids[n++] = t->ref[i];
	}
}

static wn_status
encode_tree(struct job *j)
{
	const struct wn_tree *t = j->v->tree;
	struct wn_grains_shape *s = &j->shape;
	wn_status st;
	s->n_nodes = j->n_nodes;
	s->n_grains = j->n;
	s->n_groups = j->n_groups;
	s->kind = t->kind + j->chunk->first_node;
	if (!wn_grains_shape(s, j->closes, j->chunk->n_open))
		return wn_fail(&j->err, WN_E_INVARIANT, WN_NO_OFFSET,
		               "the tree cannot be cut at node %u", j->chunk->first_node);
	clear_missing(j, j->n_nodes);
	for (uint32_t i = 0; i < j->n_nodes; i++)
		j->values[i] = s->kind[i];
	WN_TRY(encode(j, WN_COLUMN_NODE_KIND, NULL));
	memcpy(j->values, j->closes, j->n * sizeof *j->values);
	WN_TRY(encode(j, WN_COLUMN_CLOSES, NULL));
out:
	return st;
}

enum { OF_OWNER, OF_NUMBER, OF_SUM, OF_MAX, OF_N };

static uint64_t
group_value(const struct job *j, uint32_t node, int what, bool *is_there)
{
	const struct wn_tree *t = j->v->tree;
	bool is_fork_join = t->kind[node] == WN_TREE_FORK_JOIN;
	const struct wn_fork_join *fj = is_fork_join ? &j->v->g->fjs[t->ref[node]] : NULL;
	*is_there = what != OF_OWNER || t->kind[node] != WN_TREE_SIBLING;
	if (what == OF_OWNER)
		return fj ? fj->owner : t->ref[node];
	if (!fj)
		return 0;
	return what == OF_NUMBER ? t->number[node]
	       : what == OF_SUM  ? fj->sum_work_ns
	       : what == OF_MAX  ? fj->max_work_ns
	                         : fj->n_children;
}

static wn_status
encode_groups(struct job *j)
{
	const struct {
		uint16_t column;
		int what;
		const uint64_t *expected;
	} columns[] = {{WN_COLUMN_GROUP_OWNER, OF_OWNER, j->owner},
	               {WN_COLUMN_GROUP_NUMBER, OF_NUMBER, NULL},
	               {WN_COLUMN_SIBLINGS_SUM, OF_SUM, j->sum},
	               {WN_COLUMN_SIBLINGS_MAX, OF_MAX, j->max},
	               {WN_COLUMN_SIBLINGS_N, OF_N, j->n_siblings}};
	struct wn_grains_expected expected = {j->owner, j->sum, j->max, j->n_siblings};
	wn_status st = WN_OK;
	wn_grains_expect(&j->shape, j->id, j->work, &expected);
	for (size_t k = 0; k < sizeof columns / sizeof *columns && st == WN_OK; k++) {
		struct wn_grains_base base = {.expected = columns[k].expected};
		uint32_t n = 0;
		clear_missing(j, j->n_groups);
		for (uint32_t i = 0; i < j->n_nodes; i++) {
			bool is_there;
			if (j->shape.kind[i] == WN_TREE_GRAIN)
				continue;
			j->values[n] =
			    group_value(j, j->chunk->first_node + i, columns[k].what, &is_there);
			if (!is_there)
				miss(j, n);
			n++;
		}
		st = encode(j, columns[k].column, &base);
	}
	return st;
}

/* The first row of the summaries whose node is not before `node`. */
static uint32_t
summary_from(const struct view_summaries *s, uint32_t node)
{
	uint32_t from = 0, to = s->n;
	while (from < to) {
		uint32_t middle = from + (to - from) / 2;
		if (s->node[middle] < node)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static wn_status
encode_left_open(struct job *j)
{
	const struct view_summaries *s = &j->v->s;
	uint32_t n = 0;
	for (uint32_t row = summary_from(s, j->chunk->first_node);
	     row < s->n && s->node[row] < j->chunk->end_node; row++)
		if (j->v->tree->end[s->node[row]] > j->chunk->end_node)
			j->rows[n++] = row;
	return view_encode_summaries(j->v, &j->encoder, j->rows, n, &j->err);
}

static void
set_times(struct job *j)
{
	const struct wn_graph *g = j->v->g;
	uint64_t begin = UINT64_MAX, end = 0;
	for (uint32_t i = 0; i < j->n; i++) {
		wn_grain id = j->ids[i];
		if (HAS(WN_GF_STARTED) && g->begin_ns[id] < begin)
			begin = g->begin_ns[id];
		if (HAS(WN_GF_COMPLETED) && g->end_ns[id] > end)
			end = g->end_ns[id];
	}
	if (begin == UINT64_MAX)
		return;
	j->encoder.part.begin_ns = begin;
	j->encoder.part.end_ns = end > begin ? end : begin;
}

static wn_status
encode_chunk(struct job *j)
{
	struct wn_grains_part *part;
	const struct view_chunk *c = j->chunk;
	wn_status st;
	j->n = c->n_grains;
	j->n_nodes = c->end_node - c->first_node;
	j->n_groups = j->n_nodes - j->n;
	if (j->n_nodes > WN_GRAINS_PART_ROWS_MAX)
		return wn_fail(&j->err, WN_E_LIMIT, WN_NO_OFFSET,
		               "%u nodes are too many for one part of the file", j->n_nodes);
	if (!job_room(j, j->n_nodes))
		return view_no_memory(&j->err);
	wn_grains_encoder_begin(&j->encoder, WN_PART_CHUNK, (uint32_t)(c - j->v->chunks),
	                        WN_GRAINS_FAST);
	part = &j->encoder.part;
	part->rows[WN_ROWS_NODE] = j->n_nodes;
	part->rows[WN_ROWS_GRAIN] = j->n;
	part->rows[WN_ROWS_GROUP] = j->n_groups;
	part->first_node = c->first_node;
	part->first_grain = c->first_grain;
	part->parent = c->parent;
	part->n_open = c->n_open;
	look_at_nodes(j);
	set_times(j);
	WN_TRY(encode_tree(j));
	WN_TRY(encode_grains(j));
	WN_TRY(encode_groups(j));
	WN_TRY(encode_left_open(j));
out:
	return st;
}

static void
run_job(void *user, size_t which)
{
	struct job *j = (struct job *)user + which;
	j->st = encode_chunk(j);
}

wn_status
view_put_chunks(struct wn_harvest *v, wn_err *err)
{
	unsigned n_threads = v->options.n_threads ? v->options.n_threads : wn_parallel_cpus();
	size_t n_jobs = n_threads > WN_THREADS_MAX ? WN_THREADS_MAX : n_threads;
	struct job *jobs = wn_calloc(n_jobs, sizeof *jobs);
	wn_status st = jobs ? WN_OK : view_no_memory(err);
	for (uint32_t k = 0; k < v->n_chunks && st == WN_OK; k += (uint32_t)n_jobs) {
		size_t n = v->n_chunks - k < n_jobs ? v->n_chunks - k : n_jobs;
		for (size_t i = 0; i < n; i++) {
			jobs[i].v = v;
			jobs[i].chunk = &v->chunks[k + i];
		}
		wn_parallel(n_threads, n, run_job, jobs);
		for (size_t i = 0; i < n && st == WN_OK; i++) {
			st = jobs[i].st;
			if (st != WN_OK && err)
				*err = jobs[i].err;
			if (st == WN_OK)
				st = wn_grains_put(v->writer, &jobs[i].encoder, err);
		}
	}
	for (size_t i = 0; jobs && i < n_jobs; i++)
		job_fini(&jobs[i]);
	wn_free(jobs);
	return st;
}
