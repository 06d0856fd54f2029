/* SPDX-License-Identifier: MIT */
/* grain_chunks.c - encodes the grains chunk by chunk, one thread each, beside the other parts. The
 * writer orders them. */
#include "base/error.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "view/chunks_private.h"

#include <stdatomic.h>

/* Level of DEFLATE: higher ones take longer and gain almost nothing on planes of columns. */
#define CHUNK_LEVEL 1

static void
job_fini(struct chunk_job *j)
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

/* Allocates for a chunk of so many nodes; grains are fewer. */
static bool
job_room(struct chunk_job *j, size_t n)
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

/* --- the tree and its groups --- */

static void
look_at_nodes(struct chunk_job *j)
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
encode_tree(struct chunk_job *j)
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
	chunk_clear_missing(j, j->n_nodes);
	for (uint32_t i = 0; i < j->n_nodes; i++)
		j->values[i] = s->kind[i];
	WN_TRY(chunk_encode(j, WN_COLUMN_NODE_KIND, NULL));
	memcpy(j->values, j->closes, j->n * sizeof *j->values);
	WN_TRY(chunk_encode(j, WN_COLUMN_CLOSES, NULL));
out:
	return st;
}

/* Fills all columns of groups at once, as their inputs are far apart in memory. */
static void
take_groups(struct chunk_job *j)
{
	const struct wn_tree *t = j->v->tree;
	const struct wn_fork_join *fjs = j->v->g->fjs;
	uint32_t n = 0;
	chunk_clear_missing(j, j->n_groups);
	for (uint32_t i = 0; i < j->n_nodes; i++) {
		uint32_t node = j->chunk->first_node + i, ref = t->ref[node];
		const struct wn_fork_join none = {.owner = ref}, *fj = &none;
		struct wn_fork_join_work work = {0, 0};
		if (t->kind[node] == WN_TREE_GRAIN)
			continue;
		if (t->kind[node] == WN_TREE_FORK_JOIN) {
			fj = &fjs[ref];
			work = wn_fork_join_work(j->v->g, ref);
		}
		if (t->kind[node] == WN_TREE_SIBLING)
			chunk_miss(j, n);
		j->of_group[OF_OWNER][n] = fj->owner;
		j->of_group[OF_NUMBER][n] = fj == &none ? 0 : t->number[node];
		j->of_group[OF_SUM][n] = work.sum_ns;
		j->of_group[OF_MAX][n] = work.max_ns;
		j->of_group[OF_N][n++] = fj->n_children;
	}
}

static wn_status
encode_groups(struct chunk_job *j)
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

/* Returns the first summary row whose node is not before `node`. */
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
encode_left_open(struct chunk_job *j)
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
encode_chunk(struct chunk_job *j)
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
	if (!job_room(j, j->n_nodes + 8)) /* rows are processed by eights */
		return wn_no_memory(&j->err);
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
	WN_TRY(chunk_encode_grains(j));
	WN_TRY(encode_groups(j));
	WN_TRY(encode_left_open(j));
out:
	return st;
}

/* What is to be made besides chunks: first, as each of them may take longer than a chunk. */
static wn_status (*const others[])(struct wn_page_data *v, wn_err *err) = {
    view_make_index, view_put_tiers, view_put_tables};
#define OTHERS_N (sizeof others / sizeof *others)

struct putting {
	struct wn_page_data *v;
	struct chunk_job *jobs; /* [n_jobs] one per thread */
	atomic_size_t next;     /* the next part to be encoded */
};

static wn_status
put_part(struct chunk_job *j, struct wn_page_data *v, size_t part)
{
	if (part < OTHERS_N)
		return others[part](v, &j->err);
	j->chunk = &v->chunks[part - OTHERS_N];
	wn_status st = encode_chunk(j);
	return st == WN_OK ? wn_grains_put(v->writer, &j->encoder, &j->err) : st;
}

/* Takes parts until there are none; after a failure, no thread takes one. */
static void
put_parts(void *user, size_t which)
{
	struct putting *p = user;
	struct chunk_job *j = &p->jobs[which];
	size_t n = OTHERS_N + p->v->n_chunks, part;
	j->v = p->v;
	while (j->st == WN_OK && (part = atomic_fetch_add(&p->next, 1)) < n)
		j->st = put_part(j, p->v, part);
	if (j->st != WN_OK)
		atomic_store(&p->next, n);
}

wn_status
view_put_parts(struct wn_page_data *v, wn_err *err)
{
	unsigned n_threads = v->options.n_threads ? v->options.n_threads : wn_parallel_cpus();
	size_t n_jobs = n_threads > WN_THREADS_MAX ? WN_THREADS_MAX : n_threads;
	struct putting p = {.v = v, .jobs = wn_calloc(n_jobs, sizeof *p.jobs)};
	wn_status st = WN_OK;
	if (!p.jobs)
		return wn_no_memory(err);
	wn_parallel(n_threads, n_jobs, put_parts, &p);
	for (size_t i = 0; i < n_jobs; i++) {
		if (p.jobs[i].st != WN_OK && st == WN_OK) {
			st = p.jobs[i].st;
			if (err)
				*err = p.jobs[i].err;
		}
		job_fini(&p.jobs[i]);
	}
	wn_free(p.jobs);
	return st;
}
