/* SPDX-License-Identifier: MIT */
/* table_values.c - fills rows of the table of grains (table/row.h) from the columns of run.grains,
 * and the columns of the exported table from them. The other source of rows is metrics/fill.h. */
#include "page/table_private.h"

#include <math.h>
#include <string.h>

#define BIT(column) (UINT64_C(1) << WN_COLUMN_##column)

enum more { LOOPS = 1, REGIONS = 2, SIBLINGS = 4 };

#define EXEC (BIT(WORK) | BIT(MADE) | BIT(LOCKED) | BIT(EXEC_MORE))
#define TREE (BIT(NODE_KIND) | BIT(CLOSES))

/* The source of each input of a row: a column of its own, one of its loop (`loop`), or input_of().
 */
static const struct input {
	uint64_t needs;
	uint8_t plain, loop;
	uint8_t more;
} inputs[WN_IN_N] = {
#define PLAIN(which, COLUMN)   [WN_IN_##which] = {BIT(COLUMN), WN_COLUMN_##COLUMN, 0, 0}
#define OF_LOOP(which, COLUMN) [WN_IN_##which] = {BIT(LOOP_ROW), 0, WN_COLUMN_LOOP_##COLUMN, LOOPS}
    PLAIN(ID, ID),
    PLAIN(KIND, KIND),
    PLAIN(FLAGS, FLAGS),
    [WN_IN_PARENT] = {BIT(PARENT) | BIT(ID), WN_COLUMN_PARENT, 0, 0},
    PLAIN(CHILD_NUMBER, CHILD_NUMBER),
    PLAIN(FORK_JOIN, FORK_JOIN),
    PLAIN(JOINED_BY, JOINED_BY),
    [WN_IN_REGION] = {BIT(REGION_ROW), 0, 0, REGIONS},
    OF_LOOP(LOOP, NUMBER),
    PLAIN(RANGE_FIRST, RANGE_FIRST),
    PLAIN(RANGE_ITERATIONS, RANGE_ITERATIONS),
    PLAIN(TASKLOOP, TASKLOOP),
    PLAIN(THREAD, THREAD),
    PLAIN(CPU, CPU),
    PLAIN(CHILDREN, N_CHILDREN),
    PLAIN(BEGIN, BEGIN),
    [WN_IN_END] = {BIT(BEGIN) | BIT(SUSPENDED) | EXEC, 0, 0, 0},
    [WN_IN_EXEC] = {EXEC, 0, 0, 0},
    PLAIN(WORK, WORK),
    PLAIN(MADE, MADE),
    PLAIN(CREATION, CREATION),
    PLAIN(SYNC, SYNC),
    PLAIN(LOCKED, LOCKED),
    PLAIN(CREATE_INSTANT, CREATE_INSTANT),
    PLAIN(INST_PAR_TWICE, INST_PAR_MEDIAN),
    PLAIN(INST_PAR_MIN, INST_PAR_MIN),
    PLAIN(INST_PAR_MAX, INST_PAR_MAX),
    [WN_IN_IS_PROBLEM] = {BIT(PROBLEMS), 0, 0, 0},
    PLAIN(GAIN, WORK),
    [WN_IN_PARENT_SYNC] = {BIT(PARENT_SYNC) | BIT(SYNC), WN_COLUMN_PARENT_SYNC, 0, 0},
    [WN_IN_PARENT_CHILDREN] = {BIT(PARENT_CHILDREN) | BIT(N_CHILDREN), WN_COLUMN_PARENT_CHILDREN, 0,
                               0},
    [WN_IN_SIBLINGS] = {BIT(SIBLINGS_N) | BIT(WORK), 0, 0, SIBLINGS},
    [WN_IN_SIBLINGS_SUM] = {BIT(SIBLINGS_SUM) | BIT(WORK), 0, 0, SIBLINGS},
    [WN_IN_SIBLINGS_MAX] = {BIT(SIBLINGS_MAX) | BIT(WORK), 0, 0, SIBLINGS},
    OF_LOOP(LOOP_CHUNKS, N_CHUNKS),
    OF_LOOP(LOOP_SUM, SUM_WORK),
    OF_LOOP(LOOP_MAX, MAX_WORK),
    OF_LOOP(LOOP_THREADS, N_THREADS),
    OF_LOOP(LOOP_THREAD_SUM, SUM_THREAD),
    OF_LOOP(LOOP_THREAD_MAX, MAX_THREAD),
    OF_LOOP(LOOP_OVERHEAD, OVERHEAD),
    OF_LOOP(LOOP_TRAILING, TRAILING),
    [WN_IN_REGION_FORKING] = {BIT(LOOP_ROW), 0, 0, LOOPS | REGIONS},
    [WN_IN_REGION_PARTS] = {BIT(LOOP_ROW), 0, 0, LOOPS | REGIONS},
};

static bool
loop_of(const struct table *t, uint32_t row, uint32_t *out)
{
	uint64_t loop;
	if (!table_get(t, WN_COLUMN_LOOP_ROW, row, &loop) || loop >= t->n_loops)
		return false;
	*out = (uint32_t)loop;
	return true;
}

static uint64_t
or_0(const struct table *t, uint32_t column, uint32_t row)
{
	uint64_t n;
	return table_get(t, column, row, &n) ? n : 0;
}

/* Whole numbers, modulo 2^64, as differences are. */
static bool
exec_of(const struct table *t, uint32_t row, uint64_t *out)
{
	if (!table_get(t, WN_COLUMN_WORK, row, out))
		return false;
	*out += or_0(t, WN_COLUMN_MADE, row) + or_0(t, WN_COLUMN_LOCKED, row) +
	        or_0(t, WN_COLUMN_EXEC_MORE, row);
	return true;
}

static bool
end_of(const struct table *t, uint32_t row, uint64_t *out)
{
	uint64_t suspended_ns, exec_ns;
	bool is_known = table_get(t, WN_COLUMN_BEGIN, row, out) &&
	                table_get(t, WN_COLUMN_SUSPENDED, row, &suspended_ns) &&
	                exec_of(t, row, &exec_ns);
	if (is_known)
		*out += exec_ns + suspended_ns;
	return is_known;
}

/* Returns the tasks of its fork-join, which may be open where the chunk begins. */
static bool
siblings_of(const struct table *t, uint32_t row, enum wn_input which, uint64_t *out)
{
	uint32_t group = t->fork_join ? t->fork_join[row] : WN_GRAINS_NONE;
	if (group == WN_GRAINS_NONE)
		return false;
	if (group >= WN_SHAPE_BEFORE) {
		const struct table_group *g = &t->spine[t->open[group - WN_SHAPE_BEFORE]];
		*out = which == WN_IN_SIBLINGS       ? g->n
		       : which == WN_IN_SIBLINGS_SUM ? g->sum
		                                     : g->max;
		return true;
	}
	uint32_t column = which == WN_IN_SIBLINGS       ? WN_COLUMN_SIBLINGS_N
	                  : which == WN_IN_SIBLINGS_SUM ? WN_COLUMN_SIBLINGS_SUM
	                                                : WN_COLUMN_SIBLINGS_MAX;
	*out = or_0(t, column, t->shape.row[group]);
	return true;
}

static const uint64_t *
region_of_loop(const struct table *t, uint32_t row)
{
	uint32_t loop;
	if (!loop_of(t, row, &loop))
		return NULL;
	uint64_t region = LOOP(t, WN_COLUMN_LOOP_REGION, loop);
	return region < t->n_regions ? t->regions[region].values : NULL;
}

/* Computes an input that has no column of its own. */
static bool
input_of(const struct table *t, uint32_t row, enum wn_input which, uint64_t *out)
{
	const uint64_t *region = NULL;
	uint64_t at;
	if (which == WN_IN_EXEC)
		return exec_of(t, row, out);
	if (which == WN_IN_END)
		return end_of(t, row, out);
	if (which >= WN_IN_SIBLINGS && which <= WN_IN_SIBLINGS_MAX)
		return siblings_of(t, row, which, out);
	if (which == WN_IN_IS_PROBLEM) {
		*out = table_is_problem(t, row) != 0;
		return true;
	}
	if (which == WN_IN_REGION) {
		if (!table_get(t, WN_COLUMN_REGION_ROW, row, &at) || at >= t->n_regions)
			return false;
		*out = t->regions[at].values[REGION_NUMBER];
		return true;
	}
	if (!(region = region_of_loop(t, row)))
		return false;
	*out = which == WN_IN_REGION_FORKING ? region[REGION_FORKING]
	                                     : region[REGION_LOOPS] + region[REGION_SECTIONS];
	return true;
}

static bool
fill_one(const struct table *t, uint32_t row, enum wn_input which, uint64_t *out)
{
	uint32_t loop;
	if (inputs[which].plain)
		return table_get(t, inputs[which].plain, row, out);
	if (!inputs[which].loop)
		return input_of(t, row, which, out);
	if (!loop_of(t, row, &loop))
		return false;
	*out = LOOP(t, inputs[which].loop, loop);
	return true;
}

/* Fills the requested inputs of a row: WN_INPUT(). */
static void
fill(struct wn_grain_row *r, const struct table *t, uint32_t row, uint64_t wanted)
{
	for (; wanted; wanted &= wanted - 1) {
		unsigned k = (unsigned)__builtin_ctzll(wanted);
		r->has[k] = fill_one(t, row, (enum wn_input)k, &r->value[k]);
		if (!r->has[k])
			r->value[k] = 0;
	}
}

#define COLUMNS_N ((uint32_t)WN_COLUMN_DEFS_N)

const char *
table_column(const struct table *t, uint32_t k)
{
	if (k < COLUMNS_N)
		return wn_column_defs[k].name;
	return k - COLUMNS_N < t->n_extras ? t->extra_names[k - COLUMNS_N] : NULL;
}

/* Extras replace built-in columns, so they come first. */
uint32_t
table_find(const struct table *t, const char *name, size_t n_bytes)
{
	for (uint32_t k = COLUMNS_N + t->n_extras; k-- > 0;) {
		const char *is = table_column(t, k);
		if (strlen(is) == n_bytes && memcmp(is, name, n_bytes) == 0)
			return k;
	}
	return WN_GRAINS_NONE;
}

double
table_value(const struct table *t, uint32_t k, uint32_t row)
{
	if (k < COLUMNS_N && row < t->n_rows) {
		struct wn_grain_row r;
		fill(&r, t, row, wn_column_defs[k].inputs);
		return wn_column_defs[k].value(&r);
	}
	if (k < COLUMNS_N || k - COLUMNS_N >= t->n_extras)
		return MISSING;
	const struct table_block *b = &t->extras[k - COLUMNS_N];
	double value;
	if (!b->values || row >= b->n || (b->missing && wn_grains_is_missing(b->missing, row)))
		return MISSING;
	memcpy(&value, &b->values[row], sizeof value);
	return isfinite(value) ? value : MISSING;
}

/* The tree is always needed for owners and nodes; sites for lists. */
void
table_request_none(struct table *t)
{
	t->wants = TREE | BIT(SITE);
	memset(t->wants_extra, 0, sizeof t->wants_extra);
	t->wants_loops = t->wants_regions = t->wants_groups = t->wants_siblings = false;
	t->wants_above = t->wants_owners = false;
}

static void
ask_inputs(struct table *t, uint64_t wanted)
{
	for (; wanted; wanted &= wanted - 1) {
		const struct input *in = &inputs[__builtin_ctzll(wanted)];
		t->wants |= in->needs;
		t->wants_loops |= (in->more & LOOPS) != 0;
		t->wants_regions |= (in->more & REGIONS) != 0;
		t->wants_siblings |= (in->more & SIBLINGS) != 0;
	}
	t->wants_groups |= t->wants_siblings;
}

void
table_request_column(struct table *t, uint32_t k)
{
	t->wants |= TREE | BIT(SITE);
	if (k >= COLUMNS_N) {
		if (k - COLUMNS_N < t->n_extras)
			t->wants_extra[k - COLUMNS_N] = true;
		return;
	}
	ask_inputs(t, wn_column_defs[k].inputs);
}

static bool
is_balance(const struct table_problem *p)
{
	return p->type == WN_PROBLEM_CHUNK_BALANCE || p->type == WN_PROBLEM_CHUNK_CPU_BALANCE;
}

void
table_request_problem(struct table *t, uint32_t problem)
{
	const struct table_problem *p = &t->problems[problem];
	t->wants |= BIT(PROBLEMS);
	if (p->column == WN_GRAINS_NONE)
		return;
	table_request_column(t, p->column);
	if (is_balance(p))
		ask_inputs(t, WN_ROW_EVEN_INPUTS);
}

static bool
is_even_enough(const struct table *t, const struct table_problem *p, uint32_t row)
{
	struct wn_grain_row r;
	fill(&r, t, row, WN_ROW_EVEN_INPUTS);
	return wn_row_is_even_enough(&r, p->type == WN_PROBLEM_CHUNK_CPU_BALANCE);
}

double
table_judged(const struct table *t, uint32_t problem, uint32_t row)
{
	const struct table_problem *p = &t->problems[problem];
	if (p->column == WN_GRAINS_NONE || (is_balance(p) && is_even_enough(t, p, row)))
		return MISSING;
	return table_value(t, p->column, row);
}

double
table_has_problem(const struct table *t, uint32_t problem, uint32_t row)
{
	const struct table_problem *p = &t->problems[problem];
	uint64_t bits;
	if (p->threshold == p->given)
		return table_get(t, WN_COLUMN_PROBLEMS, row, &bits) ? (double)(bits >> problem & 1)
		                                                    : MISSING;
	if (p->column == WN_GRAINS_NONE)
		return MISSING;
	double value = table_judged(t, problem, row);
	return (p->is_below ? value < p->threshold : value > p->threshold) ? 1 : 0;
}

double
table_is_problem(const struct table *t, uint32_t row)
{
	for (uint32_t p = 0; p < t->n_problems; p++)
		if (table_has_problem(t, p, row) > 0)
			return 1;
	return 0;
}
