/* SPDX-License-Identifier: MIT */
/*
 * table_values.c - the columns of the exported table, out of those of run.grains: what metrics.c
 * computes from the graph (doc/metrics.md), here from numbers.
 */
#include "page/table_private.h"

#include <math.h>
#include <string.h>

#define BIT(column) (UINT64_C(1) << WN_COLUMN_##column)

enum more { LOOPS = 1, REGIONS = 2, SIBLINGS = 4 };

struct column {
	const char *name;
	uint64_t needs;
	double (*value)(const struct table *t, uint32_t row);
	uint8_t more;
};

static double
number(const struct table *t, uint32_t column, uint32_t row)
{
	uint64_t n;
	return table_get(t, column, row, &n) ? (double)n : MISSING;
}

static uint64_t
or_0(const struct table *t, uint32_t column, uint32_t row)
{
	uint64_t n;
	return table_get(t, column, row, &n) ? n : 0;
}

#define PLAIN(name, ID)                                                                            \
	static double value_##name(const struct table *t, uint32_t row)                            \
	{                                                                                          \
		return number(t, WN_COLUMN_##ID, row);                                             \
	}
PLAIN(id, ID)
PLAIN(kind, KIND)
PLAIN(parent, PARENT)
PLAIN(child_number, CHILD_NUMBER)
PLAIN(fork_join, FORK_JOIN)
PLAIN(joined_by, JOINED_BY)
PLAIN(range_first, RANGE_FIRST)
PLAIN(range_iterations, RANGE_ITERATIONS)
PLAIN(taskloop, TASKLOOP)
PLAIN(thread, THREAD)
PLAIN(cpu, CPU)
PLAIN(num_children, N_CHILDREN)
PLAIN(begin, BEGIN)
PLAIN(work, WORK)
PLAIN(made, MADE)
PLAIN(creation, CREATION)
PLAIN(sync, SYNC)
PLAIN(locked, LOCKED)
PLAIN(create_instant, CREATE_INSTANT)
PLAIN(inst_par_min, INST_PAR_MIN)
PLAIN(inst_par_max, INST_PAR_MAX)

#define FLAG(name, ID)                                                                             \
	static double value_##name(const struct table *t, uint32_t row)                            \
	{                                                                                          \
		uint64_t flags;                                                                    \
		return table_get(t, WN_COLUMN_FLAGS, row, &flags)                                  \
		           ? (flags & WN_GRAINS_##ID ? 1 : 0)                                      \
		           : MISSING;                                                              \
	}
FLAG(on_crit_path, CRITICAL)
FLAG(undeferred, UNDEFERRED)
FLAG(final, FINAL)
FLAG(untied, UNTIED)
FLAG(depend, DEPENDENT)
FLAG(moved, MOVED)
FLAG(estimated, ESTIMATED)
FLAG(completed, COMPLETED)
FLAG(cancelled, CANCELLED)
FLAG(detached, DETACHED)

static bool
loop_of(const struct table *t, uint32_t row, uint32_t *out)
{
	uint64_t loop;
	if (!table_get(t, WN_COLUMN_LOOP_ROW, row, &loop) || loop >= t->n_loops)
		return false;
	*out = (uint32_t)loop;
	return true;
}

static double
value_region(const struct table *t, uint32_t row)
{
	uint64_t region;
	return table_get(t, WN_COLUMN_REGION_ROW, row, &region) && region < t->n_regions
	           ? (double)t->regions[region].values[REGION_NUMBER]
	           : MISSING;
}

static double
value_loop(const struct table *t, uint32_t row)
{
	uint32_t loop;
	return loop_of(t, row, &loop) ? (double)LOOP(t, WN_COLUMN_LOOP_NUMBER, loop) : MISSING;
}

static double
value_leaf(const struct table *t, uint32_t row)
{
	return number(t, WN_COLUMN_N_CHILDREN, row) == 0 ? 1 : 0;
}

/* Whole numbers, modulo 2^64, as they were taken apart. */
static bool
exec_of(const struct table *t, uint32_t row, uint64_t *out)
{
	if (!table_get(t, WN_COLUMN_WORK, row, out))
		return false;
	*out += or_0(t, WN_COLUMN_MADE, row) + or_0(t, WN_COLUMN_LOCKED, row) +
	        or_0(t, WN_COLUMN_EXEC_MORE, row);
	return true;
}

static double
value_exec(const struct table *t, uint32_t row)
{
	uint64_t exec_ns;
	return exec_of(t, row, &exec_ns) ? (double)exec_ns : MISSING;
}

static double
value_end(const struct table *t, uint32_t row)
{
	uint64_t begin_ns, suspended_ns, exec_ns;
	bool is_known = table_get(t, WN_COLUMN_BEGIN, row, &begin_ns) &&
	                table_get(t, WN_COLUMN_SUSPENDED, row, &suspended_ns) &&
	                exec_of(t, row, &exec_ns);
	return is_known ? (double)(begin_ns + exec_ns + suspended_ns) : MISSING;
}

static double
ratio(uint64_t a, double b)
{
	return b > 0 ? (double)a / b : MISSING;
}

static bool
is_part_of_loop(uint64_t kind)
{
	return kind == WN_GRAINS_LOOP_CHUNK || kind == WN_GRAINS_SECTION;
}

static double
chunk_benefit(const struct table *t, uint32_t row, uint64_t work_ns, uint64_t creation_ns)
{
	uint32_t loop;
	if (!loop_of(t, row, &loop) || LOOP(t, WN_COLUMN_LOOP_N_CHUNKS, loop) == 0)
		return MISSING;
	double cost_ns =
	    (double)creation_ns + (double)LOOP(t, WN_COLUMN_LOOP_TRAILING, loop) /
				      (double)(uint32_t)LOOP(t, WN_COLUMN_LOOP_N_CHUNKS, loop);
	return cost_ns > 0 ? (double)work_ns / cost_ns : MISSING;
}

static double
value_benefit(const struct table *t, uint32_t row)
{
	uint64_t kind = or_0(t, WN_COLUMN_KIND, row), flags = or_0(t, WN_COLUMN_FLAGS, row);
	uint64_t work_ns = or_0(t, WN_COLUMN_WORK, row), creation_ns;
	uint64_t parent_sync_ns, n_siblings;
	if (kind == WN_GRAINS_IMPLICIT || !(flags & WN_GRAINS_COMPLETED) ||
	    !table_get(t, WN_COLUMN_CREATION, row, &creation_ns))
		return MISSING;
	if (is_part_of_loop(kind))
		return chunk_benefit(t, row, work_ns, creation_ns);
	if (!table_get(t, WN_COLUMN_PARENT_SYNC, row, &parent_sync_ns) ||
	    !table_get(t, WN_COLUMN_PARENT_CHILDREN, row, &n_siblings) || n_siblings == 0)
		return MISSING;
	double cost_ns = (double)creation_ns + (double)parent_sync_ns / (double)n_siblings;
	return cost_ns > 0 ? (double)work_ns / cost_ns : MISSING;
}

static double
value_sibling_balance(const struct table *t, uint32_t row)
{
	uint64_t kind = or_0(t, WN_COLUMN_KIND, row), sum, max, n;
	uint32_t group = t->fork_join ? t->fork_join[row] : WN_GRAINS_NONE;
	if ((kind != WN_GRAINS_TASK && kind != WN_GRAINS_TASKLOOP) || group == WN_GRAINS_NONE)
		return MISSING;
	if (group >= WN_SHAPE_BEFORE) {
		const struct table_group *g = &t->spine[t->open[group - WN_SHAPE_BEFORE]];
		sum = g->sum;
		max = g->max;
		n = g->n;
	} else {
		uint32_t k = t->shape.row[group];
		sum = or_0(t, WN_COLUMN_SIBLINGS_SUM, k);
		max = or_0(t, WN_COLUMN_SIBLINGS_MAX, k);
		n = or_0(t, WN_COLUMN_SIBLINGS_N, k);
	}
	return n ? ratio(max, (double)sum / (double)n) : MISSING;
}

/* The greatest and the mean of a loop's chunks, or of its threads. */
static bool
balance_of(const struct table *t, uint32_t row, bool is_of_threads, double *max, double *mean)
{
	uint32_t loop;
	uint64_t n;
	if (or_0(t, WN_COLUMN_KIND, row) != WN_GRAINS_LOOP_CHUNK || !loop_of(t, row, &loop))
		return false;
	if (!is_of_threads && or_0(t, WN_COLUMN_FLAGS, row) & WN_GRAINS_ESTIMATED)
		return false;
	n = is_of_threads ? LOOP(t, WN_COLUMN_LOOP_N_THREADS, loop)
	                  : LOOP(t, WN_COLUMN_LOOP_N_CHUNKS, loop);
	if (n == 0)
		return false;
	*max = (double)(is_of_threads ? LOOP(t, WN_COLUMN_LOOP_MAX_THREAD, loop)
	                              : LOOP(t, WN_COLUMN_LOOP_MAX_WORK, loop));
	*mean = (double)(is_of_threads ? LOOP(t, WN_COLUMN_LOOP_SUM_THREAD, loop)
	                               : LOOP(t, WN_COLUMN_LOOP_SUM_WORK, loop)) /
	        (double)n;
	return true;
}

static double
value_chunk_balance(const struct table *t, uint32_t row)
{
	double max, mean;
	return balance_of(t, row, false, &max, &mean) && mean > 0 ? max / mean : MISSING;
}

static double
value_chunk_cpu_balance(const struct table *t, uint32_t row)
{
	double max, mean;
	return balance_of(t, row, true, &max, &mean) && mean > 0 ? max / mean : MISSING;
}

static double
value_inst_par_median(const struct table *t, uint32_t row)
{
	return number(t, WN_COLUMN_INST_PAR_MEDIAN, row) / 2;
}

static double
value_is_problem(const struct table *t, uint32_t row)
{
	return table_is_problem(t, row);
}

#define EXEC (BIT(WORK) | BIT(MADE) | BIT(LOCKED) | BIT(EXEC_MORE))
#define TREE (BIT(NODE_KIND) | BIT(CLOSES))

/* As metrics/columns.c lists them. */
static const struct column columns[] = {
    {"id", BIT(ID), value_id, 0},
    {"kind", BIT(KIND), value_kind, 0},
    {"parent", BIT(PARENT) | BIT(ID), value_parent, 0},
    {"child_number", BIT(CHILD_NUMBER), value_child_number, 0},
    {"fork_join", BIT(FORK_JOIN), value_fork_join, 0},
    {"joined_by", BIT(JOINED_BY), value_joined_by, 0},
    {"region", BIT(REGION_ROW), value_region, REGIONS},
    {"loop", BIT(LOOP_ROW), value_loop, LOOPS},
    {"range_first", BIT(RANGE_FIRST), value_range_first, 0},
    {"range_iterations", BIT(RANGE_ITERATIONS), value_range_iterations, 0},
    {"taskloop", BIT(TASKLOOP), value_taskloop, 0},
    {"thread", BIT(THREAD), value_thread, 0},
    {"cpu", BIT(CPU), value_cpu, 0},
    {"num_children", BIT(N_CHILDREN), value_num_children, 0},
    {"leaf", BIT(N_CHILDREN), value_leaf, 0},
    {"begin_ns", BIT(BEGIN), value_begin, 0},
    {"end_ns", BIT(BEGIN) | BIT(SUSPENDED) | EXEC, value_end, 0},
    {"exec_ns", EXEC, value_exec, 0},
    {"work_ns", BIT(WORK), value_work, 0},
    {"made_ns", BIT(MADE), value_made, 0},
    {"creation_ns", BIT(CREATION), value_creation, 0},
    {"sync_ns", BIT(SYNC), value_sync, 0},
    {"locked_ns", BIT(LOCKED), value_locked, 0},
    {"create_instant_ns", BIT(CREATE_INSTANT), value_create_instant, 0},
    {"on_crit_path", BIT(FLAGS), value_on_crit_path, 0},
    {"undeferred", BIT(FLAGS), value_undeferred, 0},
    {"final", BIT(FLAGS), value_final, 0},
    {"untied", BIT(FLAGS), value_untied, 0},
    {"depend", BIT(FLAGS), value_depend, 0},
    {"moved", BIT(FLAGS), value_moved, 0},
    {"estimated", BIT(FLAGS), value_estimated, 0},
    {"completed", BIT(FLAGS), value_completed, 0},
    {"cancelled", BIT(FLAGS), value_cancelled, 0},
    {"detached", BIT(FLAGS), value_detached, 0},
    {"parallel_benefit",
     BIT(KIND) | BIT(FLAGS) | BIT(WORK) | BIT(CREATION) | BIT(PARENT_SYNC) | BIT(PARENT_CHILDREN) |
         BIT(SYNC) | BIT(N_CHILDREN) | BIT(LOOP_ROW),
     value_benefit, LOOPS},
    {"sibling_work_balance",
     BIT(KIND) | BIT(WORK) | BIT(SIBLINGS_SUM) | BIT(SIBLINGS_MAX) | BIT(SIBLINGS_N),
     value_sibling_balance, SIBLINGS},
    {"chunk_work_balance", BIT(KIND) | BIT(FLAGS) | BIT(LOOP_ROW), value_chunk_balance, LOOPS},
    {"chunk_work_cpu_balance", BIT(KIND) | BIT(LOOP_ROW), value_chunk_cpu_balance, LOOPS},
    {"inst_par_median", BIT(INST_PAR_MEDIAN), value_inst_par_median, 0},
    {"inst_par_min", BIT(INST_PAR_MIN), value_inst_par_min, 0},
    {"inst_par_max", BIT(INST_PAR_MAX), value_inst_par_max, 0},
    {"is_problem", BIT(PROBLEMS), value_is_problem, 0},
};
#define COLUMNS_N ((uint32_t)(sizeof columns / sizeof *columns))

const char *
table_column(const struct table *t, uint32_t k)
{
	if (k < COLUMNS_N)
		return columns[k].name;
	return k - COLUMNS_N < t->n_extras ? t->extra_names[k - COLUMNS_N] : NULL;
}

/* Extras first: they replace. */
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
	if (k < COLUMNS_N)
		return row < t->n_rows ? columns[k].value(t, row) : MISSING;
	if (k - COLUMNS_N >= t->n_extras)
		return MISSING;
	const struct table_block *b = &t->extras[k - COLUMNS_N];
	double value;
	if (!b->values || row >= b->n || (b->missing && wn_grains_is_missing(b->missing, row)))
		return MISSING;
	memcpy(&value, &b->values[row], sizeof value);
	return isfinite(value) ? value : MISSING;
}

/* The tree is always needed: owners are found by it, and nodes. Sites are for whoever lists. */
void
table_ask_nothing(struct table *t)
{
	t->wants = TREE | BIT(SITE);
	memset(t->wants_extra, 0, sizeof t->wants_extra);
	t->wants_loops = t->wants_regions = t->wants_groups = t->wants_siblings = false;
	t->wants_above = t->wants_owners = false;
}

void
table_ask_column(struct table *t, uint32_t k)
{
	t->wants |= TREE | BIT(SITE);
	if (k >= COLUMNS_N) {
		if (k - COLUMNS_N < t->n_extras)
			t->wants_extra[k - COLUMNS_N] = true;
		return;
	}
	t->wants |= columns[k].needs;
	t->wants_loops |= (columns[k].more & LOOPS) != 0;
	t->wants_regions |= (columns[k].more & REGIONS) != 0;
	t->wants_siblings |= (columns[k].more & SIBLINGS) != 0;
	t->wants_groups |= t->wants_siblings;
}

void
table_ask_problem(struct table *t, uint32_t problem)
{
	const struct table_problem *p = &t->problems[problem];
	t->wants |= BIT(PROBLEMS);
	if (p->column == WN_GRAINS_NONE)
		return;
	table_ask_column(t, p->column);
	if (p->is_balance) {
		t->wants_loops = true;
		t->wants_regions = true;
	}
}

/* As metrics.c: even enough is a loop where nobody waits longer for the longest than running it in
 * parallel costs. */
static bool
is_even_enough(const struct table *t, const struct table_problem *p, uint32_t row)
{
	uint32_t loop;
	double max, mean, cost = 0;
	if (!balance_of(t, row, strcmp(p->name, "chunk_work_cpu_balance") == 0, &max, &mean) ||
	    !loop_of(t, row, &loop))
		return false;
	uint64_t overhead = LOOP(t, WN_COLUMN_LOOP_OVERHEAD, loop);
	uint64_t n_threads = LOOP(t, WN_COLUMN_LOOP_N_THREADS, loop);
	uint64_t region = LOOP(t, WN_COLUMN_LOOP_REGION, loop);
	if (overhead > 0) {
		cost = (double)overhead / (double)(n_threads ? n_threads : 1);
	} else if (region < t->n_regions) {
		const uint64_t *v = t->regions[region].values;
		uint64_t n = v[REGION_LOOPS] + v[REGION_SECTIONS];
		cost = (double)v[REGION_FORKING] / (double)(n ? n : 1);
	}
	return max - mean < cost;
}

double
table_judged(const struct table *t, uint32_t problem, uint32_t row)
{
	const struct table_problem *p = &t->problems[problem];
	if (p->column == WN_GRAINS_NONE || (p->is_balance && is_even_enough(t, p, row)))
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
