/* SPDX-License-Identifier: MIT */
/* columns.c - columns.def as data tables. */
#include "table/columns.h"

#include <math.h>
#include <string.h>

const struct wn_problem_type wn_problem_types[WN_PROBLEM_N] = {
    [WN_PROBLEM_PARALLEL_BENEFIT] = {"parallel_benefit", "cost more to make than they do", true, 1},
    [WN_PROBLEM_INST_PAR_MEDIAN] = {"instantaneous_parallelism_median", "low parallelism, median",
                                    true, NAN},
    [WN_PROBLEM_INST_PAR_MIN] = {"instantaneous_parallelism_min", "low parallelism, minimum", true,
                                 NAN},
    [WN_PROBLEM_INST_PAR_MAX] = {"instantaneous_parallelism_max", "never run beside enough", true,
                                 NAN},
    [WN_PROBLEM_SIBLING_BALANCE] = {"sibling_work_balance", "have a far longer sibling", false, 2},
    [WN_PROBLEM_CHUNK_BALANCE] = {"chunk_work_balance", "are in a loop of uneven chunks", false, 2},
    [WN_PROBLEM_CHUNK_CPU_BALANCE] = {"chunk_work_cpu_balance", "are in a loop of uneven threads",
                                      false, 2},
};

#define IN(which)  WN_INPUT(which)
#define HAS(which) (r->has[WN_IN_##which])
#define OF(which)  (r->value[WN_IN_##which])

#define WN_TABLE_WHOLE(name, unit, fold, lean, inputs, is_known, number, title, says)              \
	static double value_of_##name(const struct wn_grain_row *r)                                \
	{                                                                                          \
		return (is_known) ? (double)(number) : WN_ROW_MISSING;                             \
	}
#define WN_TABLE_FLAG(name, fold, INPUT, is_set, title, says)                                      \
	static double value_of_##name(const struct wn_grain_row *r)                                \
	{                                                                                          \
		return HAS(INPUT) ? (double)(is_set) : WN_ROW_MISSING;                             \
	}
#include "table/columns.def"

#define WN_TABLE_WHOLE(name, unit, fold, lean, inputs, is_known, number, title, says)              \
	{#name, WN_FOLD_##fold, -1, inputs, value_of_##name},
#define WN_TABLE_FLAG(name, fold, INPUT, is_set, title, says)                                      \
	{#name, WN_FOLD_##fold, -1, IN(INPUT), value_of_##name},
#define WN_TABLE_RATIO(name, bad, fold, lean, problem, inputs, formula, title, says)               \
	{#name, WN_FOLD_##fold, WN_PROBLEM_##problem, inputs, formula},
const struct wn_column_def wn_column_defs[WN_COLUMN_DEFS_N] = {
#include "table/columns.def"
};

static bool
is_word(const char *word, const char *name, size_t n_bytes)
{
	return strlen(word) == n_bytes && memcmp(word, name, n_bytes) == 0;
}

const struct wn_column_def *
wn_column_def_find(const char *name, size_t n_bytes)
{
	for (size_t i = 0; i < WN_COLUMN_DEFS_N; i++)
		if (is_word(wn_column_defs[i].name, name, n_bytes))
			return &wn_column_defs[i];
	return NULL;
}

const struct wn_column_def *
wn_column_def_of_problem(enum wn_problem problem)
{
	size_t i = 0;
	while (wn_column_defs[i].problem != (int)problem)
		i++;
	return &wn_column_defs[i];
}

/* Returns the index of a name in a list of n; n if it is not in the list. */
static size_t
index_of(const char *const *names, size_t n, const char *name, size_t n_bytes)
{
	size_t i = 0;
	while (i < n && !is_word(names[i], name, n_bytes))
		i++;
	return i;
}

bool
wn_column_is_taken(const char *name, size_t n_bytes)
{
	static const char *const others[] = {
#define WN_TABLE_TEXT(name, says)                               #name,
#define WN_TABLE_PLACED(name, bad, fold, title, says)           #name,
#define WN_TABLE_SWITCHED(name, unit, bad, fold, title, says)   #name,
#define WN_TABLE_MPI(name, unit, bad, fold, title, says)        #name,
#define WN_TABLE_CALIBRATED(name, unit, bad, fold, title, says) #name,
#include "table/columns.def"
	};
	size_t n = sizeof others / sizeof *others;
	return wn_column_def_find(name, n_bytes) || index_of(others, n, name, n_bytes) < n;
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

enum wn_fold
wn_fold_of_bad(enum wn_bad bad)
{
	static const enum wn_fold rules[] = {
	    [WN_BAD_NONE] = WN_FOLD_AGAIN, [WN_BAD_LOW] = WN_FOLD_MIN, [WN_BAD_HIGH] = WN_FOLD_MAX};
	return rules[bad];
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
