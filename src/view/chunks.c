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

/* What a grain may lack, and columns with it. */
enum presence {
	IS_STARTED = 0,
	IS_ENDED, /* and started */
	HAS_CREATION,
	HAS_PARENT,
	IS_TASK,    /* no part of a loop, no implicit task */
	IS_CREATED, /* no implicit task */
	IS_PART,    /* of a loop */
	IS_WRAPPER, /* an implicit task */
	HAS_PROFILE,
	PRESENCES,
	IS_ALWAYS
};

/* Of DEFLATE: higher ones take longer, and gain next to nothing on planes of columns. */
#define CHUNK_LEVEL 1

enum { OF_OWNER, OF_NUMBER, OF_SUM, OF_MAX, OF_N, GROUP_COLUMNS };

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
	uint64_t *begin, *end, *made;             /* [n] the same, but for those that lack it */
	wn_grain *parent;                         /* [n] any id where there is none */
	uint16_t *flags;                          /* [n] */
	uint8_t *kind;                            /* [n] */
	uint16_t *lacks;                          /* [n] bits: enum presence */
	uint8_t *lacking[PRESENCES];              /* bitmaps of rows, where some lack it */
	uint16_t any_lacks, all_lack;             /* one of the rows, all of them */
	uint32_t any_flags;                       /* of all grains together */
	uint64_t *of_group[GROUP_COLUMNS];        /* [n_groups] */
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
	               j->list,         j->rows,       j->parent,    j->lacks,
	               j->flags,        j->kind,       j->end,       j->begin,
	               j->made};
	for (size_t k = 0; k < PRESENCES; k++)
		wn_free(j->lacking[k]);
	for (size_t k = 0; k < GROUP_COLUMNS; k++)
		wn_free(j->of_group[k]);
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
	           {&j->rows, sizeof *j->rows},
	           {&j->parent, sizeof *j->parent},
	           {&j->lacks, sizeof *j->lacks},
	           {&j->flags, sizeof *j->flags},
	           {&j->kind, 1},
	           {&j->end, sizeof *j->end},
	           {&j->begin, sizeof *j->begin},
	           {&j->made, sizeof *j->made},
	           {&j->of_group[OF_OWNER], sizeof *j->of_group[0]},
	           {&j->of_group[OF_NUMBER], sizeof *j->of_group[0]},
	           {&j->of_group[OF_SUM], sizeof *j->of_group[0]},
	           {&j->of_group[OF_MAX], sizeof *j->of_group[0]},
	           {&j->of_group[OF_N], sizeof *j->of_group[0]},
	           {&j->lacking[0], 1},
	           {&j->lacking[1], 1},
	           {&j->lacking[2], 1},
	           {&j->lacking[3], 1},
	           {&j->lacking[4], 1},
	           {&j->lacking[5], 1},
	           {&j->lacking[6], 1},
	           {&j->lacking[7], 1},
	           {&j->lacking[8], 1}};
	_Static_assert(PRESENCES == 9, "each has a bitmap");
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

static void
clear_missing(struct job *j, size_t n)
{
	memset(j->missing, 0, (n + 7) / 8);
}

/* --- columns of grains --- */

/* A bit for each of 8 rows, from the k-th bits of their numbers. */
static uint8_t
bits_of(const uint16_t rows[8], unsigned k)
{
	unsigned x = 0;
	for (unsigned i = 0; i < 8; i++)
		x |= (rows[i] >> k & 1u) << i;
	return (uint8_t)x;
}

static bool
has_profile(const struct wn_metrics *m, wn_grain id)
{
	return m->inst_par_max && m->inst_par_max[id] && wn_is_grain(m->g, id);
}

/* What is needed of each grain more than once, and what it lacks; and the chunk's times. */
static void
look_at_grains(struct job *j)
{
	const struct wn_graph *g = j->v->g;
	uint16_t any = 0, all = UINT16_MAX;
	uint64_t begin = UINT64_MAX, end = 0;
	j->any_flags = 0;
	for (uint32_t i = 0; i < j->n; i++) {
		wn_grain id = j->ids[i], parent = g->parent[id];
		uint16_t flags = g->flags[id];
		uint8_t kind = g->kind[id];
		bool has_parent = parent != WN_NO_GRAIN, is_wrapper = kind == WN_GRAIN_IMPLICIT,
		     is_part = kind == WN_GRAIN_CHUNK || kind == WN_GRAIN_SECTION,
		     is_started = flags & WN_GF_STARTED, is_ended = flags & WN_GF_COMPLETED;
		int lacks = !is_started << IS_STARTED | !(is_started && is_ended) << IS_ENDED |
		            !(flags & WN_GF_CREATION_KNOWN) << HAS_CREATION |
		            !has_parent << HAS_PARENT | (is_part || is_wrapper) << IS_TASK |
		            is_wrapper << IS_CREATED | !is_part << IS_PART |
		            !is_wrapper << IS_WRAPPER | !has_profile(j->v->m, id) << HAS_PROFILE;
		j->kind[i] = kind;
		j->flags[i] = flags;
		j->parent[i] = has_parent ? parent : id;
		j->begin[i] = g->begin_ns[id];
		j->end[i] = g->end_ns[id];
		if (is_started && j->begin[i] < begin)
			begin = j->begin[i];
		if (is_ended && j->end[i] > end)
			end = j->end[i];
		j->lacks[i] = (uint16_t)lacks;
		any |= (uint16_t)lacks;
		all &= (uint16_t)lacks;
		j->any_flags |= flags;
	}
	if (begin != UINT64_MAX) {
		j->encoder.part.begin_ns = begin;
		j->encoder.part.end_ns = end > begin ? end : begin;
	}
	j->any_lacks = any;
	j->all_lack = all;
	memset(j->lacks + j->n, 0, (-j->n & 7) * sizeof *j->lacks);
	for (unsigned k = 0; k < PRESENCES; k++)
		for (uint32_t i = 0; any & ~all & 1u << k && i < j->n; i += 8)
			j->lacking[k][i / 8] = bits_of(j->lacks + i, k);
}

/* The value of `id`, for those that do not lack it. */
#define TAKE(name, what)                                                                           \
	static void take_##name(struct job *j, uint64_t *values)                                   \
	{                                                                                          \
		const struct wn_graph *g = j->v->g;                                                \
		const struct wn_metrics *m = j->v->m;                                              \
		(void)m;                                                                           \
		for (uint32_t i = 0; i < j->n; i++) {                                              \
			wn_grain id = j->ids[i];                                                   \
			values[i] = (uint64_t)(what);                                              \
			(void)id;                                                                  \
			(void)g;                                                                   \
		}                                                                                  \
	}

/* The value of `id`, or none. */
#define FILL(name, has, what)                                                                      \
	static void take_##name(struct job *j, uint64_t *values)                                   \
	{                                                                                          \
		const struct wn_graph *g = j->v->g;                                                \
		const struct wn_metrics *m = j->v->m;                                              \
		(void)m;                                                                           \
		clear_missing(j, j->n);                                                            \
		for (uint32_t i = 0; i < j->n; i++) {                                              \
			wn_grain id = j->ids[i];                                                   \
			if (has)                                                                   \
				values[i] = (uint64_t)(what);                                      \
			else                                                                       \
				miss(j, i);                                                        \
		}                                                                                  \
	}

#define RANGE (&g->ranges[g->range[id] - 1])

static bool
has_fork_join(const struct wn_metrics *m, uint32_t fj)
{
	return m->fj_number && fj != WN_NO_FJ && m->g->fjs[fj].n_children > 0;
}

/* Siblings follow one another. */
static void
take_fork_join(struct job *j, uint64_t *values)
{
	const struct wn_metrics *m = j->v->m;
	uint32_t last = WN_NO_FJ;
	bool has = false;
	clear_missing(j, j->n);
	for (uint32_t i = 0; i < j->n; i++) {
		uint32_t fj = m->g->fj[j->ids[i]];
		if (fj != last)
			has = has_fork_join(m, fj);
		last = fj;
		if (has)
			values[i] = m->fj_number[fj];
		else
			miss(j, i);
	}
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

TAKE(id, id)
TAKE(kind, j->kind[i])
TAKE(flags, j->flags[i])
FILL(site, g->site[id] != WN_NO_SITE, g->site[id])
TAKE(parent, j->parent[i])
TAKE(child_number, g->child_number[id])
TAKE(n_children, g->n_children[id])
FILL(joined_by, j->flags[i] & WN_GF_ROGUE, g->fj[id] != WN_NO_FJ ? g->fjs[g->fj[id]].owner : 0)
TAKE(context, g->context[id])
FILL(range_first, g->range[id], RANGE->first)
FILL(range_iterations, g->range[id] && RANGE->iterations, RANGE->iterations)
FILL(taskloop, g->range[id] && j->kind[i] == WN_GRAIN_TASKLOOP, RANGE->taskloop)
TAKE(thread, g->thread[id])
FILL(cpu, j->flags[i] & WN_GF_STARTED && g->cpu[id] != UINT16_MAX, g->cpu[id])
TAKE(suspended, j->end[i] - j->begin[i] -
                    (g->imported ? wn_exec_ns(g, id) : j->work[i] + j->made[i] + locked(g, id)))
TAKE(work, g->work_ns[id])
TAKE(made, g->made_ns[id])
TAKE(creation, g->creation_ns[id])
TAKE(sync, g->sync_ns[id])
TAKE(locked, locked(g, id))
TAKE(exec_more, wn_exec_ns(g, id) - g->work_ns[id] - g->made_ns[id] - locked(g, id))
TAKE(parent_sync, g->sync_ns[j->parent[i]])
TAKE(parent_children, g->n_children[j->parent[i]])
TAKE(problems, m->problems[id])
FILL(label, g->label[id], j->v->label_row[g->label[id]])
TAKE(inst_par_median, m->inst_par_median[id] * 2)
TAKE(inst_par_min, m->inst_par_min[id])
TAKE(inst_par_max, m->inst_par_max[id])
TAKE(create_instant, g->instant_ns[id])
TAKE(n_before, n_before(g, id))

/* Whether some grain of the chunk may have a value at all, or one that is not 0. */
static bool
has_rogue(const struct job *j)
{
	return j->any_flags & WN_GF_ROGUE;
}

static bool
has_ranges(const struct job *j)
{
	return j->v->g->n_ranges > 0;
}

static bool
has_labels(const struct job *j)
{
	return j->v->g->label;
}

static bool
knows_locks(const struct job *j)
{
	const struct wn_graph *g = j->v->g;
	return g->locked_ns || wn_trace_header(g->trace)->event_shape[WN_EV_MUTEX_WAIT];
}

#define SELF UINT8_MAX /* take() tells which are missing */

static const struct filler {
	uint16_t column;
	uint8_t presence; /* enum presence, or SELF */
	void (*take)(struct job *j, uint64_t *values);
	bool (*has_any)(const struct job *j); /* NULL: perhaps */
} fillers[] = {
    {WN_COLUMN_KIND, IS_ALWAYS, take_kind, NULL},
    {WN_COLUMN_FLAGS, IS_ALWAYS, take_flags, NULL},
    {WN_COLUMN_SITE, SELF, take_site, NULL},
    {WN_COLUMN_PARENT, HAS_PARENT, take_parent, NULL},
    {WN_COLUMN_CHILD_NUMBER, IS_ALWAYS, take_child_number, NULL},
    {WN_COLUMN_FORK_JOIN, SELF, take_fork_join, NULL},
    {WN_COLUMN_JOINED_BY, SELF, take_joined_by, has_rogue},
    {WN_COLUMN_SINGLE, IS_TASK, take_context, NULL},
    {WN_COLUMN_LOOP_ROW, IS_PART, take_context, NULL},
    {WN_COLUMN_REGION_ROW, IS_WRAPPER, take_context, NULL},
    {WN_COLUMN_RANGE_FIRST, SELF, take_range_first, has_ranges},
    {WN_COLUMN_RANGE_ITERATIONS, SELF, take_range_iterations, has_ranges},
    {WN_COLUMN_TASKLOOP, SELF, take_taskloop, has_ranges},
    {WN_COLUMN_THREAD, IS_STARTED, take_thread, NULL},
    {WN_COLUMN_CPU, SELF, take_cpu, NULL},
    {WN_COLUMN_SUSPENDED, IS_ENDED, take_suspended, NULL},
    {WN_COLUMN_CREATION, HAS_CREATION, take_creation, NULL},
    {WN_COLUMN_LOCKED, IS_STARTED, take_locked, knows_locks},
    {WN_COLUMN_EXEC_MORE, IS_STARTED, take_exec_more, NULL},
    {WN_COLUMN_PARENT_SYNC, HAS_PARENT, take_parent_sync, NULL},
    {WN_COLUMN_PARENT_CHILDREN, HAS_PARENT, take_parent_children, NULL},
    {WN_COLUMN_PROBLEMS, IS_ALWAYS, take_problems, NULL},
    {WN_COLUMN_LABEL, SELF, take_label, has_labels},
    {WN_COLUMN_INST_PAR_MEDIAN, HAS_PROFILE, take_inst_par_median, NULL},
    {WN_COLUMN_INST_PAR_MIN, HAS_PROFILE, take_inst_par_min, NULL},
    {WN_COLUMN_INST_PAR_MAX, HAS_PROFILE, take_inst_par_max, NULL},
    {WN_COLUMN_CREATE_INSTANT, IS_CREATED, take_create_instant, NULL},
};
#define FILLERS_N (sizeof fillers / sizeof *fillers)

static wn_status
encode(struct job *j, uint32_t column, const struct wn_grains_base *base)
{
	return wn_grains_encode(&j->encoder, column, base, j->values, j->missing, &j->err);
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

/* All rows are 0, but for those that lack a value. */
static bool
is_zero(const struct job *j, uint16_t column)
{
	const struct wn_graph *g = j->v->g;
	return (column == WN_COLUMN_LOCKED && !g->locked_ns) ||
	       (column == WN_COLUMN_EXEC_MORE && !g->imported);
}

/* take NULL: they are in `values` already. */
static wn_status
encode_taken(struct job *j, const struct filler *f, uint64_t *values)
{
	struct wn_grains_base base = base_of(j, f->column);
	unsigned bit = f->presence < PRESENCES ? 1u << f->presence : 0;
	bool lacks_some = j->any_lacks & bit, lacks_all = j->all_lack & bit;
	const uint8_t *missing = f->presence == SELF ? j->missing
	                         : lacks_some        ? j->lacking[f->presence]
	                                             : NULL;
	if (lacks_all || (f->has_any && !f->has_any(j)))
		return wn_grains_encode_same(&j->encoder, f->column, true, &j->err);
	if (is_zero(j, f->column) && !lacks_some)
		return wn_grains_encode_same(&j->encoder, f->column, false, &j->err);
	if (f->take)
		f->take(j, values);
	return wn_grains_encode(&j->encoder, f->column, &base, values, missing, &j->err);
}

/* What other columns refer to, or are made of: kept as who reads has it. */
static wn_status
encode_kept(struct job *j, uint16_t column, uint8_t presence,
            void (*take)(struct job *j, uint64_t *values), uint64_t *kept)
{
	struct filler f = {column, presence, take, NULL};
	if (presence < PRESENCES && j->all_lack >> presence & 1)
		memset(kept, 0, j->n * sizeof *kept);
	return encode_taken(j, &f, kept);
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
	struct filler counts = {WN_COLUMN_N_PREDECESSORS, IS_ALWAYS, take_n_before, NULL};
	wn_status st = encode_taken(j, &counts, j->values);
	return st == WN_OK ? wn_grains_encode(&j->encoder, WN_COLUMN_PREDECESSOR, NULL, j->list,
	                                      NULL, &j->err)
	                   : st;
}

static wn_status
encode_grains(struct job *j)
{
	wn_status st;
	look_at_grains(j);
	WN_TRY(encode_kept(j, WN_COLUMN_ID, IS_ALWAYS, take_id, j->id));
	WN_TRY(encode_kept(j, WN_COLUMN_SYNC, IS_STARTED, take_sync, j->sync));
	WN_TRY(encode_kept(j, WN_COLUMN_N_CHILDREN, IS_ALWAYS, take_n_children, j->n_children));
	WN_TRY(encode_kept(j, WN_COLUMN_WORK, IS_STARTED, take_work, j->work));
	WN_TRY(encode_kept(j, WN_COLUMN_BEGIN, IS_STARTED, NULL, j->begin));
	WN_TRY(encode_kept(j, WN_COLUMN_MADE, IS_STARTED, take_made, j->made));
	for (size_t i = 0; i < FILLERS_N; i++)
		WN_TRY(encode_taken(j, &fillers[i], j->values));
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

/* All columns of groups at once: what they are read from lies far apart. */
static void
take_groups(struct job *j)
{
	const struct wn_tree *t = j->v->tree;
	const struct wn_fork_join *fjs = j->v->g->fjs;
	uint32_t n = 0;
	clear_missing(j, j->n_groups);
	for (uint32_t i = 0; i < j->n_nodes; i++) {
		uint32_t node = j->chunk->first_node + i, ref = t->ref[node];
		const struct wn_fork_join none = {.owner = ref}, *fj = &none;
		if (t->kind[node] == WN_TREE_GRAIN)
			continue;
		if (t->kind[node] == WN_TREE_FORK_JOIN)
			fj = &fjs[ref];
		if (t->kind[node] == WN_TREE_SIBLING)
			miss(j, n);
		j->of_group[OF_OWNER][n] = fj->owner;
		j->of_group[OF_NUMBER][n] = fj == &none ? 0 : t->number[node];
		j->of_group[OF_SUM][n] = fj->sum_work_ns;
		j->of_group[OF_MAX][n] = fj->max_work_ns;
		j->of_group[OF_N][n++] = fj->n_children;
	}
}

static wn_status
encode_groups(struct job *j)
{
	const struct {
		uint16_t column;
		const uint64_t *expected;
	} columns[GROUP_COLUMNS] = {[OF_OWNER] = {WN_COLUMN_GROUP_OWNER, j->owner},
	                            [OF_NUMBER] = {WN_COLUMN_GROUP_NUMBER, NULL},
	                            [OF_SUM] = {WN_COLUMN_SIBLINGS_SUM, j->sum},
	                            [OF_MAX] = {WN_COLUMN_SIBLINGS_MAX, j->max},
	                            [OF_N] = {WN_COLUMN_SIBLINGS_N, j->n_siblings}};
	struct wn_grains_expected expected = {j->owner, j->sum, j->max, j->n_siblings};
	wn_status st = WN_OK;
	wn_grains_expect(&j->shape, j->id, j->work, &expected);
	take_groups(j);
	for (int k = 0; k < GROUP_COLUMNS && st == WN_OK; k++) {
		struct wn_grains_base base = {.expected = columns[k].expected};
		st = wn_grains_encode(&j->encoder, columns[k].column, &base, j->of_group[k],
		                      k == OF_OWNER ? j->missing : NULL, &j->err);
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
	if (!job_room(j, j->n_nodes + 8)) /* rows are looked at by eights */
		return view_no_memory(&j->err);
	wn_grains_encoder_begin(&j->encoder, WN_PART_CHUNK, (uint32_t)(c - j->v->chunks),
	                        CHUNK_LEVEL);
	part = &j->encoder.part;
	part->rows[WN_ROWS_NODE] = j->n_nodes;
	part->rows[WN_ROWS_GRAIN] = j->n;
	part->rows[WN_ROWS_GROUP] = j->n_groups;
	part->first_node = c->first_node;
	part->first_grain = c->first_grain;
	part->parent = c->parent;
	part->n_open = c->n_open;
	look_at_nodes(j);
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
