/* SPDX-License-Identifier: MIT */
/*
 * prop_page_data.c - random programs' runs as run.grains, read back: the tree, each value of each
 * grain and of each group is what graph, metrics and a slow sum over the tree say; derived metrics
 * follow from what is in the file alone. Chunks are small, so that groups reach over many.
 *
 *     WN_SEED=n  only the program of that seed;  WN_SEEDS=n so many
 */
#include "page_file.h"

#include "aggregate/hash.h"
#include "aggregate/tree.h"
#include "aggregate/unfold.h"
#include "metrics/columns.h"
#include "report/json.h"
#include "tests/property/seeds.h"
#include "tests/view/grains_file.h"

#include <math.h>
#include <string.h>

/* A column of all grains or groups of a run. */
struct column {
	uint64_t *v;
	uint8_t *is_missing;
};

#define COLUMNS_MAX 64u

struct run {
	struct page_file h;
	const struct wn_graph *g;
	const struct wn_metrics *m;
	struct wn_tree *t;
	struct wn_grains_file *f;
	uint32_t *parent, *end;            /* [t->n] as the file has them */
	struct column grains[COLUMNS_MAX]; /* [n_grains] by number */
	struct column extra[COLUMNS_MAX];
	struct column groups[COLUMNS_MAX]; /* [t->n] by number */
	uint32_t *leaf;                    /* [n_grains] its node */
	uint32_t n_list;
	uint64_t *shape_of_class;
	uint64_t *shapes; /* [t->n] */
};

static uint64_t n_left_open, n_chunks, n_grains, n_summaries, n_dependences, n_benefits,
    n_sibling_balances, n_loop_balances, n_in_loops;

static struct column
column_new(size_t n)
{
	struct column c = {calloc(n + 1, sizeof *c.v), calloc(n + 1, 1)};
	if (!c.v || !c.is_missing)
		abort();
	return c;
}

static void
column_free(struct column *c)
{
	free(c->v);
	free(c->is_missing);
}

/* --- reading --- */

/* Reads a column of an open chunk; its k-th row goes to the place at[k]. */
static void
load(struct wn_grains_chunk *c, uint32_t number, size_t n, const uint32_t *at, struct column *out)
{
	uint64_t *v = calloc(n + 1, sizeof *v);
	uint8_t *missing = calloc(n / 8 + 1, 1);
	wn_err err = {.msg = ""};
	if (wn_grains_chunk_read(c, number, v, missing, &err) != WN_OK)
		differ("column %u: %s", number, err.msg);
	for (size_t i = 0; i < n; i++) {
		out->v[at[i]] = v[i];
		out->is_missing[at[i]] = wn_grains_is_missing(missing, i);
	}
	free(v);
	free(missing);
}

static void
load_tree(struct run *r, const struct wn_grains_chunk *c, uint32_t *group_at, uint32_t *grain_at,
          uint32_t *spine, uint32_t *depth)
{
	const struct wn_grains_shape *s = &c->shape;
	uint32_t first = c->part->first_node, n_spine = *depth;
	if (*depth != c->part->n_open ||
	    (*depth ? spine[*depth - 1] : WN_GRAINS_NONE) != c->part->parent)
		differ("chunk at %u: what is open", first);
	for (uint32_t i = 0; i < s->n_nodes; i++) {
		uint32_t up = s->parent[i];
		if (up < WN_SHAPE_BEFORE)
			r->parent[first + i] = first + up;
		else
			r->parent[first + i] = up - WN_SHAPE_BEFORE < n_spine
			                           ? spine[n_spine - 1 - (up - WN_SHAPE_BEFORE)]
			                           : WN_NO_TREE_NODE;
		r->end[first + i] = first + s->end[i];
		if (s->kind[i] == WN_GRAINS_NODE_GRAIN)
			grain_at[s->row[i]] = c->part->first_grain + s->row[i];
		else
			group_at[s->row[i]] = first + i;
		if (s->kind[i] != r->t->kind[first + i])
			differ("node %u: its kind", first + i);
	}
	/* those that go on: in the order of nodes, from the outermost */
	*depth -= s->n_closed_before;
	for (uint32_t i = 0; i < s->n_nodes; i++)
		if (s->kind[i] != WN_GRAINS_NODE_GRAIN && s->end[i] == s->n_nodes &&
		    r->t->end[first + i] > first + s->n_nodes)
			spine[(*depth)++] = first + i;
}

static bool
is_of(uint32_t number, uint8_t rows)
{
	const struct wn_grains_column_info *info = wn_grains_column_info(number);
	return info && info->rows == rows;
}

/* What a tier or an end of a chunk says of a group, against all that is inside. */
static void check_summaries(struct run *r, const struct wn_grains_part *part);

static void
load_chunk(struct run *r, uint32_t k, uint32_t *spine, uint32_t *depth)
{
	struct wn_grains_chunk *c;
	wn_err err = {.msg = ""};
	if (wn_grains_chunk_open(r->f, k, &c, &err) != WN_OK) {
		differ("chunk %u: %s", k, err.msg);
		return;
	}
	uint32_t *group_at = calloc(c->shape.n_groups + 1, sizeof *group_at);
	uint32_t *grain_at = calloc(c->shape.n_grains + 1, sizeof *grain_at);
	load_tree(r, c, group_at, grain_at, spine, depth);
	for (uint32_t number = 0; number < COLUMNS_MAX && !why[0]; number++) {
		if (is_of(number, WN_ROWS_GRAIN))
			load(c, number, c->shape.n_grains, grain_at, &r->grains[number]);
		if (is_of(number, WN_ROWS_GROUP))
			load(c, number, c->shape.n_groups, group_at, &r->groups[number]);
	}
	for (uint32_t x = 0; x < r->m->n_user_columns && !why[0]; x++)
		load(c, WN_COLUMN_EXTRA + x, c->shape.n_grains, grain_at, &r->extra[x]);
	check_summaries(r, c->part);
	n_left_open += c->shape.n_left_open;
	n_chunks++;
	wn_grains_chunk_close(c);
	free(group_at);
	free(grain_at);
}

/* --- the tree and its groups --- */

static void
check_tree(const struct run *r)
{
	const struct wn_tree *t = r->t;
	for (uint32_t i = 0; i < t->n && !why[0]; i++) {
		if (r->parent[i] != t->parent[i])
			differ("node %u: parent %u, not %u", i, r->parent[i], t->parent[i]);
		if (t->kind[i] == WN_TREE_GRAIN)
			continue;
		bool is_fork_join = t->kind[i] == WN_TREE_FORK_JOIN;
		const struct wn_fork_join *fj = is_fork_join ? &r->g->fjs[t->ref[i]] : NULL;
		uint64_t owner = fj ? fj->owner : t->ref[i];
		if (r->groups[WN_COLUMN_GROUP_OWNER].is_missing[i] !=
		    (t->kind[i] == WN_TREE_SIBLING))
			differ("node %u: has it an owner?", i);
		if (t->kind[i] != WN_TREE_SIBLING && r->groups[WN_COLUMN_GROUP_OWNER].v[i] != owner)
			differ("node %u: its owner", i);
		if (r->groups[WN_COLUMN_GROUP_NUMBER].v[i] != (fj ? t->number[i] : 0) ||
		    r->groups[WN_COLUMN_SIBLINGS_SUM].v[i] !=
		        (fj ? wn_fork_join_work(r->g, t->ref[i]).sum_ns : 0) ||
		    r->groups[WN_COLUMN_SIBLINGS_MAX].v[i] !=
		        (fj ? wn_fork_join_work(r->g, t->ref[i]).max_ns : 0) ||
		    r->groups[WN_COLUMN_SIBLINGS_N].v[i] != (fj ? fj->n_children : 0))
			differ("node %u: number or siblings", i);
	}
}

static void
summary_is(const char *what, uint32_t node, uint64_t found, uint64_t expected)
{
	if (found != expected)
		differ("group %u: %s is %" PRIu64 ", not %" PRIu64, node, what, found, expected);
}

static uint64_t
slow_span(const struct wn_tree *t, uint32_t node)
{
	uint64_t span = 0;
	if (t->kind[node] == WN_TREE_GRAIN)
		return wn_work_ns(t->g, t->ref[node]);
	for (uint32_t c = wn_tree_first(t, node); c != WN_NO_TREE_NODE; c = wn_tree_next(t, c)) {
		uint64_t of = slow_span(t, c);
		if (t->kind[node] == WN_TREE_LINEAR)
			span += of;
		else if (of > span)
			span = of;
	}
	return span;
}

static uint64_t
slow_work(const struct wn_tree *t, uint32_t node)
{
	uint64_t sum = 0;
	for (uint32_t i = node; i < t->end[node]; i++)
		sum += t->kind[i] == WN_TREE_GRAIN ? wn_work_ns(t->g, t->ref[i]) : 0;
	return sum;
}

/* What a greedy schedule of nested groups takes at least. */
static uint64_t
slow_best(const struct wn_tree *t, uint32_t node, uint64_t n_cores)
{
	uint64_t best = 0, shared = (slow_work(t, node) + n_cores - 1) / n_cores;
	if (t->kind[node] == WN_TREE_GRAIN)
		return wn_work_ns(t->g, t->ref[node]);
	for (uint32_t c = wn_tree_first(t, node); c != WN_NO_TREE_NODE; c = wn_tree_next(t, c)) {
		uint64_t of = slow_best(t, c, n_cores);
		if (t->kind[node] == WN_TREE_LINEAR)
			best += of;
		else if (of > best)
			best = of;
	}
	return best > shared ? best : shared;
}

static uint32_t
slow_site(const struct wn_tree *t, uint32_t node)
{
	while (t->kind[node] != WN_TREE_GRAIN) {
		uint32_t most = WN_NO_TREE_NODE;
		for (uint32_t c = wn_tree_first(t, node); c != WN_NO_TREE_NODE;
		     c = wn_tree_next(t, c))
			if (most == WN_NO_TREE_NODE || slow_work(t, c) > slow_work(t, most))
				most = c;
		node = most;
	}
	return t->g->site[t->ref[node]];
}

struct sums {
	uint64_t n, work, made, creation, n_known, sync, locked, more, begin, end, n_critical,
	    critical_work, n_problem;
};

static struct sums
slow_sums(const struct run *r, uint32_t node)
{
	const struct wn_graph *g = r->g;
	struct sums s = {.begin = UINT64_MAX};
	for (uint32_t i = node; i < r->t->end[node]; i++) {
		if (r->t->kind[i] != WN_TREE_GRAIN)
			continue;
		wn_grain id = r->t->ref[i];
		bool is_critical = g->flags[id] & WN_GF_CRITICAL;
		s.n++;
		s.work += wn_work_ns(g, id);
		s.n_critical += is_critical;
		s.n_problem += (r->m->problems[id] & WN_PROBLEMS_DEFAULT) != 0;
		if (g->flags[id] & WN_GF_CREATION_KNOWN) {
			s.n_known++;
			s.creation += wn_creation_ns(g, id);
		}
		if (!(g->flags[id] & WN_GF_STARTED))
			continue;
		uint64_t locked = g->locked_ns ? g->locked_ns[id] : 0;
		s.made += wn_made_ns(g, id);
		s.sync += wn_sync_ns(g, id);
		s.locked += locked;
		s.more += wn_exec_ns(g, id) - wn_work_ns(g, id) - wn_made_ns(g, id) - locked;
		s.critical_work += is_critical ? wn_work_ns(g, id) : 0;
		s.begin = g->begin_ns[id] < s.begin ? g->begin_ns[id] : s.begin;
		if (g->flags[id] & WN_GF_COMPLETED && g->end_ns[id] > s.end)
			s.end = g->end_ns[id];
	}
	return s;
}

static void
check_worst(const struct run *r, uint32_t node, int p, bool is_missing, uint64_t bits,
            uint64_t count)
{
	double worst = NAN, found;
	uint64_t n = 0;
	for (uint32_t i = node; i < r->t->end[node]; i++) {
		if (r->t->kind[i] != WN_TREE_GRAIN)
			continue;
		double value = wn_problem_value(r->m, r->t->ref[i], p);
		n += r->m->problems[r->t->ref[i]] >> p & 1;
		if (isnan(value))
			continue;
		if (isnan(worst) ||
		    (r->m->problem_types[p].is_below ? value < worst : value > worst))
			worst = value;
	}
	memcpy(&found, &bits, sizeof found);
	if (count != n || is_missing != isnan(worst) || (!is_missing && found != worst))
		differ("group %u: problem %d", node, p);
}

static struct column
load_summary(struct run *r, const struct wn_grains_part *part, uint32_t number)
{
	size_t n = part->rows[WN_ROWS_SUMMARY];
	struct column c = column_new(n);
	uint8_t *missing = calloc(n / 8 + 1, 1);
	wn_err err = {.msg = ""};
	if (wn_grains_read(r->f, part, number, NULL, c.v, missing, &err) != WN_OK)
		differ("summaries, column %u: %s", number, err.msg);
	for (size_t i = 0; i < n; i++)
		c.is_missing[i] = wn_grains_is_missing(missing, i);
	free(missing);
	return c;
}

static void
check_sums(const struct run *r, uint32_t node, const struct column *of, size_t i)
{
	struct sums s = slow_sums(r, node);
	const struct wn_tree *t = r->t;
	const struct wn_fork_join *fj =
	    t->kind[node] == WN_TREE_FORK_JOIN ? &r->g->fjs[t->ref[node]] : NULL;
#define AT(column)     of[WN_COLUMN_##column - WN_COLUMN_NODE].v[i]
#define MISSES(column) of[WN_COLUMN_##column - WN_COLUMN_NODE].is_missing[i]
	summary_is("size", node, AT(SIZE), t->end[node] - node);
	summary_is("kind", node, AT(GROUP_KIND), t->kind[node]);
	if (t->kind[node] != WN_TREE_SIBLING)
		summary_is("owner", node, AT(OWNER), fj ? fj->owner : t->ref[node]);
	summary_is("number", node, AT(NUMBER), fj ? t->number[node] : 0);
	summary_is("members", node, AT(N_MEMBERS), t->n_children[node]);
	summary_is("grains", node, AT(N_GRAINS), s.n);
	summary_is("work", node, AT(SUM_WORK), s.work);
	summary_is("made", node, AT(SUM_MADE), s.made);
	summary_is("creation", node, AT(SUM_CREATION), s.creation);
	summary_is("known", node, AT(N_CREATION_KNOWN), s.n_known);
	summary_is("sync", node, AT(SUM_SYNC), s.sync);
	summary_is("locked", node, AT(SUM_LOCKED), s.locked);
	summary_is("more", node, AT(SUM_EXEC_MORE), s.more);
	summary_is("begin?", node, MISSES(FIRST_BEGIN), s.begin == UINT64_MAX);
	if (s.begin != UINT64_MAX)
		summary_is("begin", node, AT(FIRST_BEGIN), s.begin);
	if (!MISSES(SPREAD))
		summary_is("end", node, AT(FIRST_BEGIN) + AT(SPREAD), s.end);
	summary_is("span", node, AT(SPAN), slow_span(t, node));
	summary_is("least time", node, AT(BEST), slow_best(t, node, r->m->totals.n_cpus));
	summary_is("critical", node, AT(N_CRITICAL), s.n_critical);
	summary_is("critical work", node, AT(CRITICAL_WORK), s.critical_work);
	summary_is("problems", node, AT(N_PROBLEM), s.n_problem);
	summary_is("siblings", node, AT(ALL_SIBLINGS_SUM),
	           fj ? wn_fork_join_work(r->g, t->ref[node]).sum_ns : 0);
	summary_is("longest", node, AT(ALL_SIBLINGS_MAX),
	           fj ? wn_fork_join_work(r->g, t->ref[node]).max_ns : 0);
	summary_is("how many", node, AT(ALL_SIBLINGS_N), fj ? fj->n_children : 0);
	uint32_t site = slow_site(t, node);
	summary_is("site?", node, MISSES(MAIN_SITE), site == WN_NO_SITE);
	if (site != WN_NO_SITE)
		summary_is("site", node, AT(MAIN_SITE), site);
	/* a class is a shape, and a shape a class */
	uint64_t *known = &r->shape_of_class[AT(SHAPE) < t->n ? AT(SHAPE) : 0];
	*known = *known ? *known : r->shapes[node];
	summary_is("shape", node, *known, r->shapes[node]);
}

static void
check_summaries(struct run *r, const struct wn_grains_part *part)
{
	struct column of[WN_COLUMN_BEST - WN_COLUMN_NODE + 1];
	size_t n = part->rows[WN_ROWS_SUMMARY], n_columns = sizeof of / sizeof *of;
	for (size_t k = 0; k < n_columns; k++)
		of[k] = load_summary(r, part, (uint32_t)(WN_COLUMN_NODE + k));
	for (size_t i = 0; i < n && !why[0]; i++) {
		uint32_t node = (uint32_t)of[0].v[i];
		if (node >= r->t->n || (i && node <= of[0].v[i - 1]))
			differ("group %u: out of order", node);
		else
			check_sums(r, node, of, i);
	}
	for (int p = 0; p < r->m->n_problems && !why[0]; p++) {
		struct column count = load_summary(r, part, WN_COLUMN_PROBLEM + (uint32_t)p);
		struct column worst = load_summary(r, part, WN_COLUMN_WORST + (uint32_t)p);
		for (size_t i = 0; i < n && !why[0]; i++)
			check_worst(r, (uint32_t)of[0].v[i], p, worst.is_missing[i], worst.v[i],
			            count.v[i]);
		column_free(&count);
		column_free(&worst);
	}
	n_summaries += n;
	for (size_t k = 0; k < n_columns; k++)
		column_free(&of[k]);
}

/* --- grains --- */

static uint32_t
number_of(const char *name)
{
	for (uint32_t k = 0; k < COLUMNS_MAX; k++)
		if (is_of(k, WN_ROWS_GRAIN) && strcmp(wn_grains_column_info(k)->name, name) == 0)
			return k;
	return 0;
}

static void
grain_is(const char *what, wn_grain id, bool is_there, uint64_t found, bool must_be,
         uint64_t expected)
{
	if (is_there != must_be)
		differ("grain %u: %s is %s", id, what, is_there ? "there" : "missing");
	else if (is_there && found != expected)
		differ("grain %u: %s is %" PRIu64 ", not %" PRIu64, id, what, found, expected);
}

/* All columns of the exported table that the file has under the same name. */
static void
check_named(const struct run *r)
{
	size_t n, n_named = 0;
	const struct wn_column *columns = wn_builtin_columns(&n);
	for (size_t i = 0; i < n && !why[0]; i++) {
		uint32_t k = number_of(columns[i].name);
		if (!k || !columns[i].whole || columns[i].type != WN_COLUMN_WHOLE)
			continue;
		n_named++;
		for (uint32_t row = 0; row < r->f->head.n_grains && !why[0]; row++) {
			uint64_t expected = 0;
			wn_grain id = r->t->ref[r->leaf[row]];
			bool must_be = columns[i].whole(r->m, id, &expected);
			grain_is(columns[i].name, id, !r->grains[k].is_missing[row],
			         r->grains[k].v[row], must_be, expected);
		}
	}
	if (n_named < 19)
		differ("only %zu columns have the names of the table", n_named);
}

#define GRAIN(column) r->grains[WN_COLUMN_##column].v[row]
#define LACKS(column) r->grains[WN_COLUMN_##column].is_missing[row]

static void
check_derived(const struct run *r, uint32_t row)
{
	const struct wn_graph *g = r->g;
	wn_grain id = r->t->ref[r->leaf[row]];
	uint64_t exec = GRAIN(WORK) + GRAIN(MADE) + GRAIN(LOCKED) + GRAIN(EXEC_MORE);
	bool is_started = g->flags[id] & WN_GF_STARTED;
	bool is_over = is_started && g->flags[id] & WN_GF_COMPLETED;
	grain_is("flags", id, !LACKS(FLAGS), GRAIN(FLAGS), true, g->flags[id]);
	grain_is("exec", id, !LACKS(EXEC_MORE), exec, is_started, wn_exec_ns(g, id));
	grain_is("end", id, !LACKS(SUSPENDED), GRAIN(BEGIN) + exec + GRAIN(SUSPENDED), is_over,
	         g->end_ns[id]);
	grain_is("site", id, !LACKS(SITE), GRAIN(SITE), g->site[id] != WN_NO_SITE, g->site[id]);
	grain_is("problems", id, !LACKS(PROBLEMS), GRAIN(PROBLEMS), true, r->m->problems[id]);
	for (uint32_t x = 0; x < r->m->n_user_columns; x++) {
		const struct wn_column *c =
		    &r->m->columns[r->m->n_columns - r->m->n_user_columns + x];
		double value = wn_column_value(c, r->m, id);
		uint64_t bits;
		memcpy(&bits, &value, sizeof bits);
		grain_is(c->name, id, !r->extra[x].is_missing[row], r->extra[x].v[row],
		         !isnan(value), bits);
	}
}

static double
table_value(const struct run *r, enum wn_grains_part_kind kind, uint32_t column, uint64_t row)
{
	for (uint32_t k = 0; k < r->f->head.n_parts; k++) {
		const struct wn_grains_part *part = &r->f->parts[k];
		if (part->kind != kind || row / WN_GRAINS_TABLE != part->number)
			continue;
		size_t n = part->rows[WN_ROWS_TABLE], i = row % WN_GRAINS_TABLE;
		uint64_t *v = calloc(n + 1, sizeof *v);
		uint8_t *missing = calloc(n / 8 + 1, 1);
		double value = NAN;
		if (i < n && wn_grains_read(r->f, part, column, NULL, v, missing, NULL) == WN_OK &&
		    !wn_grains_is_missing(missing, i))
			value = (double)v[i];
		free(v);
		free(missing);
		return value;
	}
	return NAN;
}

static void
value_is(const char *what, wn_grain id, double found, double expected, uint64_t *n)
{
	*n += isnan(expected) ? 0 : 1;
	if (isnan(found) != isnan(expected) || (!isnan(found) && found != expected))
		differ("grain %u: %s is %.17g, not %.17g", id, what, found, expected);
}

static double
ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

#define OF_LOOP(column) table_value(r, WN_PART_LOOPS, WN_COLUMN_LOOP_##column, GRAIN(LOOP_ROW))

/* From numbers of the file alone, as metrics/metrics.h has them. */
static double
benefit(const struct run *r, uint32_t row)
{
	double cost = (double)GRAIN(CREATION);
	if (GRAIN(KIND) == WN_GRAINS_IMPLICIT || !(GRAIN(FLAGS) & WN_GRAINS_COMPLETED) ||
	    LACKS(CREATION))
		return NAN;
	if (GRAIN(KIND) == WN_GRAINS_LOOP_CHUNK || GRAIN(KIND) == WN_GRAINS_SECTION) {
		if (!(OF_LOOP(N_CHUNKS) > 0))
			return NAN;
		cost += OF_LOOP(TRAILING) / OF_LOOP(N_CHUNKS);
	} else {
		if (LACKS(PARENT_CHILDREN) || GRAIN(PARENT_CHILDREN) == 0)
			return NAN;
		cost += (double)GRAIN(PARENT_SYNC) / (double)GRAIN(PARENT_CHILDREN);
	}
	return ratio((double)GRAIN(WORK), cost);
}

static double
sibling_balance(const struct run *r, uint32_t row)
{
	uint32_t node = r->leaf[row];
	if (GRAIN(KIND) != WN_GRAINS_TASK && GRAIN(KIND) != WN_GRAINS_TASKLOOP)
		return NAN;
	do
		node = r->parent[node];
	while (node != WN_NO_TREE_NODE && r->t->kind[node] != WN_TREE_FORK_JOIN);
	if (node == WN_NO_TREE_NODE)
		return NAN;
	/* the first member of a linear group belongs to the fork-join around that */
	double n = (double)r->groups[WN_COLUMN_SIBLINGS_N].v[node];
	return n > 0 ? ratio((double)r->groups[WN_COLUMN_SIBLINGS_MAX].v[node],
	                     (double)r->groups[WN_COLUMN_SIBLINGS_SUM].v[node] / n)
	             : NAN;
}

static double
chunk_balance(const struct run *r, uint32_t row)
{
	if (GRAIN(KIND) != WN_GRAINS_LOOP_CHUNK || GRAIN(FLAGS) & WN_GRAINS_ESTIMATED ||
	    !(OF_LOOP(N_CHUNKS) > 0))
		return NAN;
	return ratio(OF_LOOP(MAX_WORK), OF_LOOP(SUM_WORK) / OF_LOOP(N_CHUNKS));
}

static void
check_metrics(const struct run *r, uint32_t row)
{
	wn_grain id = r->t->ref[r->leaf[row]];
	bool has_profile = !LACKS(INST_PAR_MAX);
	value_is("benefit", id, benefit(r, row),
	         wn_problem_value(r->m, id, WN_PROBLEM_PARALLEL_BENEFIT), &n_benefits);
	value_is("siblings", id, sibling_balance(r, row),
	         wn_problem_value(r->m, id, WN_PROBLEM_SIBLING_BALANCE), &n_sibling_balances);
	value_is("chunks", id, chunk_balance(r, row),
	         wn_problem_value(r->m, id, WN_PROBLEM_CHUNK_BALANCE), &n_loop_balances);
	uint64_t n = 0;
	value_is("parallelism", id, has_profile ? (double)GRAIN(INST_PAR_MEDIAN) / 2 : (double)NAN,
	         wn_problem_value(r->m, id, WN_PROBLEM_INST_PAR_MEDIAN), &n);
	value_is("least", id, has_profile ? (double)GRAIN(INST_PAR_MIN) : (double)NAN,
	         wn_problem_value(r->m, id, WN_PROBLEM_INST_PAR_MIN), &n);
	value_is("most", id, has_profile ? (double)GRAIN(INST_PAR_MAX) : (double)NAN,
	         wn_problem_value(r->m, id, WN_PROBLEM_INST_PAR_MAX), &n);
	if (!LACKS(LOOP_ROW)) {
		n_in_loops++;
		value_is("loop", id, OF_LOOP(NUMBER), r->g->loops[r->g->context[id]].number, &n);
	}
	if (!LACKS(REGION_ROW))
		value_is(
		    "region", id,
		    table_value(r, WN_PART_REGIONS, WN_COLUMN_REGION_NUMBER, GRAIN(REGION_ROW)),
		    r->g->regions[r->g->context[id]].number, &n);
}

/* Who must be over before a grain starts: those of the graph, in its order. */
static void
check_dependences(struct run *r, uint32_t k)
{
	const struct wn_grains_part *part = &r->f->parts[r->f->first_chunk + k];
	size_t n = part->rows[WN_ROWS_LIST], at = 0;
	uint64_t *v = calloc(n + 1, sizeof *v);
	uint8_t *missing = calloc(n / 8 + 1, 1);
	if (wn_grains_read(r->f, part, WN_COLUMN_PREDECESSOR, NULL, v, missing, NULL) != WN_OK)
		differ("chunk %u: predecessors", k);
	for (uint32_t i = 0; i < part->rows[WN_ROWS_GRAIN]; i++) {
		uint32_t row = part->first_grain + i;
		const struct wn_dependent *d = wn_dependent(r->g, r->t->ref[r->leaf[row]]);
		uint64_t expected = d ? d->n_predecessors + d->n_gates : 0;
		if (GRAIN(N_PREDECESSORS) != expected || at + expected > n) {
			differ("grain %u: %" PRIu64 " predecessors", r->t->ref[r->leaf[row]],
			       GRAIN(N_PREDECESSORS));
			break;
		}
		for (uint32_t p = 0; d && p < d->n_predecessors; p++, n_dependences++)
			if (v[at++] != r->g->predecessors[d->first_predecessor + p])
				differ("chunk %u: predecessor %zu", k, at - 1);
		for (uint32_t p = 0; d && p < d->n_gates; p++, n_dependences++)
			if (v[at++] != (WN_GRAINS_GATE | r->g->gates_before[d->first_gate + p]))
				differ("chunk %u: gate %zu", k, at - 1);
	}
	if (at != n)
		differ("chunk %u: %zu predecessors of %zu", k, at, n);
	free(v);
	free(missing);
}

/* --- the index --- */

static void
check_points(const json_t *list, const char *what)
{
	json_t *o;
	size_t i;
	json_int_t last = -1;
	json_array_foreach(list, i, o)
	{
		json_int_t value = json_integer_value(json_object_get(o, "value"));
		json_int_t ns = json_integer_value(json_object_get(o, "ns"));
		if (value <= last || ns < json_integer_value(json_object_get(o, "low_ns")) ||
		    ns > json_integer_value(json_object_get(o, "high_ns")) ||
		    !json_string_value(json_object_get(o, "limit")))
			differ("predicted %s: item %zu", what, i);
		last = value;
	}
}

/* What is predicted has times in their ranges, and pictures. */
static void
check_predicted(const json_t *o)
{
	const json_t *search = json_object_get(o, "search");
	if (json_is_null(o))
		return;
	check_points(json_object_get(o, "threads"), "threads");
	if (json_array_size(json_object_get(o, "threads")) == 0 ||
	    strncmp(json_string_value(json_object_get(o, "svg")), "<svg", 4) != 0)
		differ("predicted: no threads, or no picture");
	if (json_is_null(search))
		return;
	check_points(json_object_get(search, "values"), "values");
	if (strncmp(json_string_value(json_object_get(search, "svg")), "<svg", 4) != 0)
		differ("predicted: no picture of the search");
}

static void
check_index(const struct run *r)
{
	json_error_t error;
	json_t *index = json_loads(r->f->index, JSON_REJECT_DUPLICATES, &error), *report, *list, *h;
	size_t i, k;
	if (!index) {
		differ("index: %s", error.text);
		return;
	}
	if (wn_report_json(r->h.report, &report, NULL) != WN_OK)
		abort();
	/* numbers are equal as they are printed */
	char *wanted = json_dumps(report, JSON_SORT_KEYS | JSON_REAL_PRECISION(12));
	char *found =
	    json_dumps(json_object_get(index, "report"), JSON_SORT_KEYS | JSON_REAL_PRECISION(12));
	if (!wanted || !found || strcmp(wanted, found) != 0)
		differ("index: another report");
	list = json_object_get(index, "histograms");
	if (json_array_size(list) != (size_t)r->m->n_problems + 3)
		differ("index: %zu histograms", json_array_size(list));
	json_array_foreach(list, i, h)
	{
		json_t *counts = json_object_get(h, "counts"), *count;
		json_int_t sum = json_integer_value(json_object_get(h, "missing")) +
		                 json_integer_value(json_object_get(h, "zero")) +
		                 json_integer_value(json_object_get(h, "negative"));
		json_array_foreach(counts, k, count) sum += json_integer_value(count);
		if (sum != r->f->head.n_grains)
			differ("histogram %zu: of %lld grains", i, (long long)sum);
	}
	if (!json_is_null(json_object_get(index, "left_out")))
		differ("index: something left out");
	if (json_array_size(json_object_get(index, "finding_places")) != r->h.report->n_findings ||
	    json_array_size(json_object_get(index, "finding_nodes")) != r->h.report->n_findings)
		differ("index: findings");
	check_predicted(json_object_get(index, "predicted"));
	free(wanted);
	free(found);
	json_decref(report);
	json_decref(index);
}

/* --- all of it --- */

static void
read_all(struct run *r)
{
	uint32_t n = r->t->n, depth = 0, *spine = calloc(n + 1, sizeof *spine);
	for (uint32_t k = 0; k < COLUMNS_MAX; k++) {
		if (is_of(k, WN_ROWS_GRAIN))
			r->grains[k] = column_new(r->f->head.n_grains);
		if (is_of(k, WN_ROWS_GROUP))
			r->groups[k] = column_new(n);
		if (k < r->m->n_user_columns)
			r->extra[k] = column_new(r->f->head.n_grains);
	}
	for (uint32_t k = 0; k < r->f->n_chunks && !why[0]; k++)
		load_chunk(r, k, spine, &depth);
	if (depth)
		differ("%u groups do not end", depth);
	for (uint32_t k = 0; k < r->f->head.n_parts && !why[0]; k++)
		if (r->f->parts[k].kind == WN_PART_TIER)
			check_summaries(r, &r->f->parts[k]);
	free(spine);
}

static void
look(struct run *r)
{
	uint32_t n = 0;
	wn_err err = {.msg = ""};
	if (wn_tree_build(r->g, 1, &r->t, &err) != WN_OK || wn_tree_number(r->t, &err) != WN_OK ||
	    wn_grains_open_bytes(r->h.bytes, r->h.n_bytes, &r->f, &err) != WN_OK) {
		differ("%s", err.msg);
		return;
	}
	r->parent = calloc(r->t->n + 1, sizeof *r->parent);
	r->end = calloc(r->t->n + 1, sizeof *r->end);
	r->leaf = calloc(r->t->n + 1, sizeof *r->leaf);
	r->shape_of_class = calloc(r->t->n + 1, sizeof *r->shape_of_class);
	r->shapes = calloc(r->t->n + 1, sizeof *r->shapes);
	if (wn_tree_shapes(r->t, r->shapes, NULL) != WN_OK)
		abort();
	for (uint32_t i = 0; i < r->t->n; i++)
		if (r->t->kind[i] == WN_TREE_GRAIN)
			r->leaf[n++] = i;
	if (r->f->head.n_grains != n || r->f->head.n_nodes != r->t->n || r->f->is_cut) {
		differ("the head");
		return;
	}
	read_all(r);
	if (why[0])
		return;
	check_tree(r);
	check_named(r);
	for (uint32_t row = 0; row < n && !why[0]; row++) {
		check_derived(r, row);
		check_metrics(r, row);
	}
	for (uint32_t k = 0; k < r->f->n_chunks && !why[0]; k++)
		check_dependences(r, k);
	check_index(r);
	n_grains += n;
}

static void
run_free(struct run *r)
{
	for (uint32_t k = 0; k < COLUMNS_MAX; k++) {
		column_free(&r->grains[k]);
		column_free(&r->groups[k]);
		column_free(&r->extra[k]);
	}
	free(r->parent);
	free(r->end);
	free(r->leaf);
	free(r->shape_of_class);
	free(r->shapes);
	wn_grains_close(r->f);
	wn_tree_free(r->t);
	page_file_free(&r->h);
}

static bool
is_same_back(uint64_t seed)
{
	static struct run r;
	struct random random = {seed * 13};
	struct wn_page_data_options options = {.n_threads = 1,
	                                       .chunk_grains = 1 + random_below(&random, 40)};
	wn_err err = {.msg = ""};
	memset(&r, 0, sizeof r);
	if (page_file_run(&r.h, seed)) {
		r.g = r.h.report->graph;
		r.m = r.h.report->metrics;
		if (page_file_write(&r.h, &options, &err) != WN_OK)
			differ("%s", err.msg);
		else
			look(&r);
	}
	run_free(&r);
	return !why[0];
}

/* The same run on another number of threads, and once more. */
static bool
is_same_bytes(uint64_t seed)
{
	static struct page_file h;
	struct wn_page_data_options options = {.n_threads = 1, .chunk_grains = 5};
	if (page_file_run(&h, seed) && page_file_write(&h, &options, NULL) == WN_OK) {
		char *first = h.bytes;
		size_t n_first = h.n_bytes;
		h.bytes = NULL;
		options.n_threads = 3;
		if (page_file_write(&h, &options, NULL) != WN_OK || h.n_bytes != n_first ||
		    memcmp(h.bytes, first, n_first) != 0)
			differ("other bytes");
		free(first);
	}
	page_file_free(&h);
	return !why[0];
}

int
main(void)
{
	struct seeds s = seeds_all(400);
	uint64_t n_bad = seeds_bad(s, is_same_back);
	ok(n_bad == 0, "runs of %" PRIu64 " programs come back as they were", s.n);
	note("%" PRIu64 " grains in %" PRIu64 " chunks, %" PRIu64 " groups left open, %" PRIu64
	     " summaries, %" PRIu64 " dependences, %" PRIu64 " grains of loops",
	     n_grains, n_chunks, n_left_open, n_summaries, n_dependences, n_in_loops);
	note("%" PRIu64 " benefits, %" PRIu64 " balances of siblings, %" PRIu64 " of loops",
	     n_benefits, n_sibling_balances, n_loop_balances);
	ok(s.is_one || (n_left_open > 1000 && n_dependences > 50 && n_in_loops > 1000 &&
	                n_benefits > 1000 && n_sibling_balances > 1000 && n_loop_balances > 100),
	   "there was enough of everything to see");
	s = seeds_wanted(100);
	n_bad = seeds_bad(s, is_same_bytes);
	ok(n_bad == 0, "the bytes are the same on any number of threads");
	return done();
}
