/* SPDX-License-Identifier: MIT */
/* chunk_columns.c - encodes the columns of a chunk's grains. */
#include "base/error.h"
#include "base/mem.h"
#include "view/chunks_private.h"

#include <math.h>

/* Collects the k-th bits of 8 rows. */
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

/* Computes values of each grain that several columns use, what it lacks, and the chunk's times. */
static void
look_at_grains(struct chunk_job *j)
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

/* Returns the value for grains that do not lack it. */
#define TAKE(name, what)                                                                           \
	static void take_##name(struct chunk_job *j, uint64_t *values)                             \
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

/* Returns the value, or none. */
#define FILL(name, has, what)                                                                      \
	static void take_##name(struct chunk_job *j, uint64_t *values)                             \
	{                                                                                          \
		const struct wn_graph *g = j->v->g;                                                \
		const struct wn_metrics *m = j->v->m;                                              \
		(void)m;                                                                           \
		chunk_clear_missing(j, j->n);                                                      \
		for (uint32_t i = 0; i < j->n; i++) {                                              \
			wn_grain id = j->ids[i];                                                   \
			if (has)                                                                   \
				values[i] = (uint64_t)(what);                                      \
			else                                                                       \
				chunk_miss(j, i);                                                  \
		}                                                                                  \
	}

#define RANGE (&g->ranges[g->range[id] - 1])

static bool
has_fork_join(const struct wn_metrics *m, uint32_t fj)
{
	return m->fj_number && fj != WN_NO_FJ && m->g->fjs[fj].n_children > 0;
}

/* Siblings are consecutive. */
static void
take_fork_join(struct chunk_job *j, uint64_t *values)
{
	const struct wn_metrics *m = j->v->m;
	uint32_t last = WN_NO_FJ;
	bool has = false;
	chunk_clear_missing(j, j->n);
	for (uint32_t i = 0; i < j->n; i++) {
		uint32_t fj = m->g->fj[j->ids[i]];
		if (fj != last)
			has = has_fork_join(m, fj);
		last = fj;
		if (has)
			values[i] = m->fj_number[fj];
		else
			chunk_miss(j, i);
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
TAKE(suspended,
     j->end[i] - j->begin[i] -
         (g->exec_ns || g->mpi_ns ? wn_exec_ns(g, id) : j->work[i] + j->made[i] + locked(g, id)))
TAKE(work, wn_work_ns(g, id))
TAKE(made, wn_made_ns(g, id))
TAKE(creation, wn_creation_ns(g, id))
TAKE(sync, wn_sync_ns(g, id))
TAKE(locked, locked(g, id))
TAKE(exec_more, wn_exec_ns(g, id) - wn_work_ns(g, id) - wn_made_ns(g, id) - locked(g, id))
TAKE(parent_sync, wn_sync_ns(g, j->parent[i]))
TAKE(parent_children, g->n_children[j->parent[i]])
TAKE(problems, m->problems[id])
FILL(label, g->label[id], j->v->label_row[g->label[id]])
TAKE(inst_par_median, m->inst_par_median[id] * 2)
TAKE(inst_par_min, m->inst_par_min[id])
TAKE(inst_par_max, m->inst_par_max[id])
TAKE(create_instant, g->instant_ns[id])
TAKE(n_before, n_before(g, id))

/* Tests whether any grain of the chunk may have a value, or one that is not 0. */
static bool
has_rogue(const struct chunk_job *j)
{
	return j->any_flags & WN_GF_ROGUE;
}

static bool
has_ranges(const struct chunk_job *j)
{
	return j->v->g->n_ranges > 0;
}

static bool
has_labels(const struct chunk_job *j)
{
	return j->v->g->label;
}

static bool
knows_locks(const struct chunk_job *j)
{
	const struct wn_graph *g = j->v->g;
	return g->locked_ns || wn_trace_header(g->trace)->event_shape[WN_EV_MUTEX_WAIT];
}

#define SELF UINT8_MAX /* take() returns which are missing */

static const struct filler {
	uint16_t column;
	uint8_t presence; /* enum presence, or SELF */
	void (*take)(struct chunk_job *j, uint64_t *values);
	bool (*has_any)(const struct chunk_job *j); /* NULL: maybe */
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

static struct wn_grains_base
base_of(const struct chunk_job *j, uint16_t column)
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

/* Writes all rows as 0, except missing ones. */
static bool
is_zero(const struct chunk_job *j, uint16_t column)
{
	const struct wn_graph *g = j->v->g;
	return (column == WN_COLUMN_LOCKED && !g->locked_ns) ||
	       (column == WN_COLUMN_EXEC_MORE && !g->exec_ns && !g->mpi_ns);
}

/* take NULL: they are in `values` already. */
static wn_status
encode_taken(struct chunk_job *j, const struct filler *f, uint64_t *values)
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

/* Columns that others refer to or derive from: stores what a reader decodes. */
static wn_status
encode_kept(struct chunk_job *j, uint16_t column, uint8_t presence,
            void (*take)(struct chunk_job *j, uint64_t *values), uint64_t *kept)
{
	struct filler f = {column, presence, take, NULL};
	if (presence < PRESENCES && j->all_lack >> presence & 1)
		memset(kept, 0, j->n * sizeof *kept);
	return encode_taken(j, &f, kept);
}

static wn_status
encode_extras(struct chunk_job *j)
{
	const struct wn_page_data *v = j->v;
	wn_status st = WN_OK;
	for (uint32_t k = 0; k < v->n_extras && st == WN_OK; k++) {
		chunk_clear_missing(j, j->n);
		for (uint32_t i = 0; i < j->n; i++) {
			double value = wn_column_value(v->extras[k], v->m, j->ids[i]);
			memcpy(&j->values[i], &value, sizeof value);
			if (isnan(value))
				chunk_miss(j, i);
		}
		st = chunk_encode(j, WN_COLUMN_EXTRA + k, NULL);
	}
	return st;
}

/* Only if there are dependences. A gate is encoded as 2^32 and its number. */
static wn_status
encode_dependences(struct chunk_job *j)
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
			return wn_no_memory(&j->err);
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

wn_status
chunk_encode_grains(struct chunk_job *j)
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
