/* SPDX-License-Identifier: MIT */
/*
 * columns.c - the built-in columns. What each is: doc/metrics.md; how groups fold it: [P5].
 */
#include "metrics/columns.h"

#include <math.h>
#include <string.h>

static bool
has(const struct wn_metrics *m, wn_grain id, enum wn_grain_flag flag)
{
	return m->g->flags[id] & flag;
}

static bool
is_part_of_loop(const struct wn_graph *g, wn_grain id)
{
	return g->kind[id] == WN_GRAIN_CHUNK || g->kind[id] == WN_GRAIN_SECTION;
}

static const struct wn_range *
range_of(const struct wn_metrics *m, wn_grain id)
{
	const struct wn_graph *g = m->g;
	return g->range[id] ? &g->ranges[g->range[id] - 1] : NULL;
}

/* --- structure --- */

static bool
whole_id(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	(void)m;
	*out = id;
	return true;
}

static bool
whole_kind(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = m->g->kind[id];
	return true;
}

static bool
whole_parent(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = m->g->parent[id];
	return m->g->parent[id] != WN_NO_GRAIN;
}

static bool
whole_child_number(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = m->g->child_number ? m->g->child_number[id] : 0;
	return m->g->child_number != NULL;
}

static bool
whole_fork_join(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	uint32_t fj = m->g->fj[id];
	if (!m->fj_number || fj == WN_NO_FJ || m->g->fjs[fj].n_children == 0)
		return false;
	*out = m->fj_number[fj];
	return true;
}

static bool
whole_joined_by(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	uint32_t fj = m->g->fj[id];
	*out = fj != WN_NO_FJ ? m->g->fjs[fj].owner : 0;
	return has(m, id, WN_GF_ROGUE);
}

static bool
whole_region(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	bool is_implicit = m->g->kind[id] == WN_GRAIN_IMPLICIT;
	*out = is_implicit ? m->g->regions[m->g->context[id]].number : 0;
	return is_implicit;
}

static bool
whole_loop(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	bool is_part = is_part_of_loop(m->g, id);
	*out = is_part ? m->g->loops[m->g->context[id]].number : 0;
	return is_part;
}

static bool
whole_range_first(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	const struct wn_range *range = range_of(m, id);
	*out = range ? range->first : 0;
	return range != NULL;
}

static bool
whole_range_iterations(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	const struct wn_range *range = range_of(m, id);
	*out = range ? range->iterations : 0;
	return *out > 0;
}

static bool
whole_taskloop(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	const struct wn_range *range = range_of(m, id);
	*out = range ? range->taskloop : 0;
	return range && m->g->kind[id] == WN_GRAIN_TASKLOOP;
}

static bool
whole_thread(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = m->g->thread[id];
	return has(m, id, WN_GF_STARTED);
}

static bool
whole_cpu(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = m->g->cpu[id];
	return has(m, id, WN_GF_STARTED) && *out != UINT16_MAX;
}

static bool
whole_num_children(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = m->g->n_children[id];
	return true;
}

static bool
whole_leaf(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = m->g->n_children[id] == 0;
	return true;
}

/* --- times --- */

static bool
whole_begin(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = m->g->begin_ns ? m->g->begin_ns[id] : 0;
	return m->g->begin_ns && has(m, id, WN_GF_STARTED);
}

static bool
whole_end(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = m->g->end_ns ? m->g->end_ns[id] : 0;
	return m->g->end_ns && has(m, id, WN_GF_COMPLETED);
}

static bool
whole_exec(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = wn_exec_ns(m->g, id);
	return has(m, id, WN_GF_STARTED);
}

static bool
whole_work(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = m->g->work_ns[id];
	return has(m, id, WN_GF_STARTED);
}

static bool
whole_made(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = m->g->made_ns[id];
	return has(m, id, WN_GF_STARTED);
}

static bool
whole_creation(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = m->g->creation_ns[id];
	return has(m, id, WN_GF_CREATION_KNOWN);
}

static bool
whole_sync(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = m->g->sync_ns[id];
	return has(m, id, WN_GF_STARTED);
}

/* Old recorders could not tell: then nothing is known, not even that nobody waited. */
static bool
whole_locked(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	const struct wn_graph *g = m->g;
	*out = g->locked_ns ? g->locked_ns[id] : 0;
	return has(m, id, WN_GF_STARTED) &&
	       (g->locked_ns || wn_trace_header(g->trace)->event_shape[WN_EV_MUTEX_WAIT]);
}

static bool
whole_create_instant(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = m->g->instant_ns ? m->g->instant_ns[id] : 0;
	return m->g->instant_ns && m->g->kind[id] != WN_GRAIN_IMPLICIT;
}

/* --- flags --- */

#define FLAG(name, bit)                                                                            \
	static bool whole_##name(const struct wn_metrics *m, wn_grain id, uint64_t *out)           \
	{                                                                                          \
		*out = has(m, id, bit);                                                            \
		return true;                                                                       \
	}
FLAG(on_crit_path, WN_GF_CRITICAL)
FLAG(undeferred, WN_GF_UNDEFERRED)
FLAG(final, WN_GF_FINAL)
FLAG(untied, WN_GF_UNTIED)
FLAG(depend, WN_GF_DEPENDENT)
FLAG(moved, WN_GF_MOVED)
FLAG(estimated, WN_GF_ESTIMATED)
FLAG(completed, WN_GF_COMPLETED)
FLAG(cancelled, WN_GF_CANCELLED)
FLAG(detached, WN_GF_DETACHED)

static bool
whole_is_problem(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = m->problems[id] != 0;
	return true;
}

/* --- the registry --- */

static double
value_of_whole(const struct wn_column *self, const struct wn_metrics *m, wn_grain id)
{
	uint64_t n;
	return self->whole(m, id, &n) ? (double)n : (double)NAN;
}

static double
value_of_problem(const struct wn_column *self, const struct wn_metrics *m, wn_grain id)
{
	return wn_problem_value(m, id, self->problem);
}

#define WHOLE(name, unit, fold, needs_whole, title)                                                \
	{                                                                                          \
#name, unit, title, WN_BAD_NONE, WN_FOLD_##fold, -1, value_of_whole, NULL,         \
		    WN_COLUMN_WHOLE, whole_##name, needs_whole                                     \
	}
#define TIME(column, name, fold, needs_whole, title)                                               \
	{                                                                                          \
#column, "ns", title, WN_BAD_NONE, WN_FOLD_##fold, -1, value_of_whole, NULL,       \
		    WN_COLUMN_WHOLE, whole_##name, needs_whole                                     \
	}
#define IS(name, fold, title)                                                                      \
	{                                                                                          \
#name, "", title, WN_BAD_NONE, WN_FOLD_##fold, -1, value_of_whole, NULL,           \
		    WN_COLUMN_FLAG, whole_##name, false                                            \
	}
#define PROBLEM(name, bad, fold, problem, needs_whole, title)                                      \
	{                                                                                          \
#name, "", title, WN_BAD_##bad, WN_FOLD_##fold, WN_PROBLEM_##problem,              \
		    value_of_problem, NULL, WN_COLUMN_RATIO, NULL, needs_whole                     \
	}

static const struct wn_column builtin[] = {
    WHOLE(id, "", NONE, false, "number within this recording"),
    WHOLE(kind, "", NONE, false, "task, taskloop, chunk, section, implicit"),
    WHOLE(parent, "", NONE, false, "grain that created it"),
    WHOLE(child_number, "", NONE, true, "place in the order of births"),
    WHOLE(fork_join, "", NONE, true, "fork-join it belongs to, among its owner's"),
    WHOLE(joined_by, "", NONE, false, "grain that joins it, if not its parent"),
    WHOLE(region, "", NONE, false, "parallel region, among its parent's"),
    WHOLE(loop, "", NONE, false, "loop, among its region's"),
    WHOLE(range_first, "", MIN, true, "first logical iteration"),
    WHOLE(range_iterations, "", SUM, true, "logical iterations"),
    WHOLE(taskloop, "", NONE, true, "taskloop, among its parent's"),
    WHOLE(thread, "", NONE, false, "thread on which it started"),
    WHOLE(cpu, "", NONE, false, "CPU on which it started"),
    WHOLE(num_children, "", SUM, false, "grains it created"),
    IS(leaf, MIN, "created none"),
    TIME(begin_ns, begin, MIN, true, "start, since that of the recording"),
    TIME(end_ns, end, MAX, true, "completion, since the start of the recording"),
    TIME(exec_ns, exec, SUM, false, "execution time without suspension"),
    TIME(work_ns, work, SUM, false, "own user code"),
    TIME(made_ns, made, SUM, false, "creating its children"),
    TIME(creation_ns, creation, SUM, false, "what creating it took"),
    TIME(sync_ns, sync, SUM, false, "its own waits"),
    TIME(locked_ns, locked, SUM, false, "waiting for mutexes"),
    TIME(create_instant_ns, create_instant, NONE, true, "its parent's execution time at its birth"),
    IS(on_crit_path, ANY, "on the critical path"),
    IS(undeferred, ANY, "its parent waited for it"),
    IS(final, ANY, "a final task"),
    IS(untied, ANY, "an untied task"),
    IS(depend, ANY, "has a depend clause"),
    IS(moved, ANY, "ran on several threads"),
    IS(estimated, ANY, "its times are shares of a total"),
    IS(completed, MIN, "its end was seen"),
    IS(cancelled, ANY, "discarded before it ran"),
    IS(detached, ANY, "completed by an event"),
    PROBLEM(parallel_benefit, LOW, MIN, PARALLEL_BENEFIT, false,
            "what it does by what it costs to have it"),
    PROBLEM(sibling_work_balance, HIGH, MAX, SIBLING_BALANCE, false, "longest sibling by the mean"),
    PROBLEM(chunk_work_balance, HIGH, MAX, CHUNK_BALANCE, false,
            "longest chunk of its loop by the mean"),
    PROBLEM(chunk_work_cpu_balance, HIGH, MAX, CHUNK_CPU_BALANCE, false,
            "busiest thread of its loop by the mean"),
    PROBLEM(inst_par_median, LOW, MIN, INST_PAR_MEDIAN, true,
            "fragments that could run beside its own"),
    PROBLEM(inst_par_min, LOW, MIN, INST_PAR_MIN, true, "the least of them"),
    PROBLEM(inst_par_max, LOW, MIN, INST_PAR_MAX, true, "the most of them"),
    IS(is_problem, ANY, "has a problem"),
};
#define BUILTIN_N (sizeof builtin / sizeof *builtin)

const struct wn_column *
wn_builtin_columns(size_t *n)
{
	*n = BUILTIN_N;
	return builtin;
}

static const struct wn_column *
find_in(const struct wn_column *columns, size_t n, const char *name, size_t n_bytes)
{
	for (size_t i = 0; i < n; i++)
		if (strncmp(columns[i].name, name, n_bytes) == 0 &&
		    columns[i].name[n_bytes] == '\0')
			return &columns[i];
	return NULL;
}

const struct wn_column *
wn_column_find(const struct wn_metrics *m, const char *name, size_t n_bytes)
{
	if (m)
		return find_in(m->columns, m->n_columns, name, n_bytes);
	return find_in(builtin, BUILTIN_N, name, n_bytes);
}

/* The index of a name in a list of n; n if it is not there. */
static size_t
index_of(const char *const *names, size_t n, const char *name, size_t n_bytes)
{
	size_t i = 0;
	while (i < n && (strncmp(names[i], name, n_bytes) != 0 || names[i][n_bytes] != '\0'))
		i++;
	return i;
}

/* Columns of the exported table that are texts, or are there where a run has memory nodes. */
static const char *const others[] = {
    "lineage",
    "wait_instants_ns",
    "depends_on",
    "label",
    "function",
    "file",
    "line",
    "address",
    "node",
    "cpu_main",
    "cpu_moves",
    "node_moves",
    "sibling_scatter",
    "sibling_scatter_cpu",
};
#define OTHERS_N (sizeof others / sizeof *others)

bool
wn_column_is_taken(const char *name, size_t n_bytes)
{
	return wn_column_find(NULL, name, n_bytes) ||
	       index_of(others, OTHERS_N, name, n_bytes) < OTHERS_N;
}

static const char *const folds[WN_FOLD_N] = {
    [WN_FOLD_NONE] = "none", [WN_FOLD_SUM] = "sum",       [WN_FOLD_MIN] = "min",
    [WN_FOLD_MAX] = "max",   [WN_FOLD_MEDIAN] = "median", [WN_FOLD_MEAN] = "mean",
    [WN_FOLD_ANY] = "any",   [WN_FOLD_AGAIN] = "again",
};

const char *
wn_fold_name(enum wn_fold fold)
{
	return folds[fold];
}

bool
wn_fold_named(const char *name, size_t n_bytes, enum wn_fold *out)
{
	size_t i = index_of(folds, WN_FOLD_N, name, n_bytes);
	if (i < WN_FOLD_N)
		*out = (enum wn_fold)i;
	return i < WN_FOLD_N;
}

static const char *const bads[] = {
    [WN_BAD_NONE] = "none", [WN_BAD_LOW] = "low", [WN_BAD_HIGH] = "high"};
#define BADS_N (sizeof bads / sizeof *bads)

const char *
wn_bad_name(enum wn_bad bad)
{
	return bads[bad];
}

bool
wn_bad_named(const char *name, size_t n_bytes, enum wn_bad *out)
{
	size_t i = index_of(bads, BADS_N, name, n_bytes);
	if (i < BADS_N)
		*out = (enum wn_bad)i;
	return i < BADS_N;
}
