/* SPDX-License-Identifier: MIT */
/* columns.h - the columns of every table of grains: name, unit, bad side, how groups fold them,
 * and their formulas over a row (table/row.h). columns.def defines each of them once. */
#pragma once

#include "table/row.h"

#include <stddef.h>

/* Which values are bad. */
enum wn_bad { WN_BAD_NONE = 0, WN_BAD_LOW, WN_BAD_HIGH };

/* How the value of a group follows from those of its members; missing ones are ignored. */
enum wn_fold {
	WN_FOLD_NONE = 0, /* groups have no value */
	WN_FOLD_SUM,
	WN_FOLD_MIN,
	WN_FOLD_MAX,
	WN_FOLD_MEDIAN,
	WN_FOLD_MEAN,
	WN_FOLD_ANY,   /* 1 if any member's is not 0 */
	WN_FOLD_AGAIN, /* the expression, evaluated again on the group's columns */
	WN_FOLD_N
};

enum wn_column_type {
	WN_COLUMN_RATIO = 0, /* any number */
	WN_COLUMN_WHOLE,     /* a whole number: a time, a count, an identifier */
	WN_COLUMN_FLAG       /* 0 or 1 */
};

/* Problem types, in the order of grain-problem tables; names as in reports and JSON. */
enum wn_problem {
	WN_PROBLEM_PARALLEL_BENEFIT = 0, /* parallel_benefit < 1 */
	WN_PROBLEM_INST_PAR_MEDIAN,      /* instantaneous_parallelism_median < C */
	WN_PROBLEM_INST_PAR_MIN,         /* instantaneous_parallelism_min < C */
	WN_PROBLEM_INST_PAR_MAX,         /* instantaneous_parallelism_max < C */
	WN_PROBLEM_SIBLING_BALANCE,      /* sibling_work_balance > 2 */
	WN_PROBLEM_CHUNK_BALANCE,        /* chunk_work_balance > 2 ... */
	WN_PROBLEM_CHUNK_CPU_BALANCE,    /* chunk_work_cpu_balance > 2, and waiting for the longest
	                                    costs more than chunk dispatch */
	WN_PROBLEM_N
};

struct wn_problem_type {
	const char *name;  /* "parallel_benefit" */
	const char *title; /* "tasks that cost more to make than they do" ... for display */
	bool is_below;     /* problem if value < threshold, else if value > threshold */
	double threshold;  /* default; NAN = the number of CPUs used (C) */
};

/* [WN_PROBLEM_N] */
extern const struct wn_problem_type wn_problem_types[WN_PROBLEM_N];

/* The computation of a column that every table has. Its texts are in metrics/columns.h. */
struct wn_column_def {
	const char *name; /* "work_ns" */
	enum wn_fold fold;
	int problem;                                     /* enum wn_problem; -1: none */
	uint64_t inputs;                                 /* WN_INPUT() of each input it needs */
	double (*value)(const struct wn_grain_row *row); /* NAN: missing */
};

enum {
#define WN_TABLE_WHOLE(name, ...) WN_NUMBER_OF_##name,
#define WN_TABLE_FLAG(name, ...)  WN_NUMBER_OF_##name,
#define WN_TABLE_RATIO(name, ...) WN_NUMBER_OF_##name,
#include "table/columns.def"
	WN_COLUMN_DEFS_N
};

/* In the order of the exported table. */
extern const struct wn_column_def wn_column_defs[WN_COLUMN_DEFS_N];

/* Finds a column by a name of n_bytes characters; NULL: there is none. Cost O(columns). Pure. */
const struct wn_column_def *wn_column_def_find(const char *name, size_t n_bytes);

/* Returns the column that a built-in problem type compares. Cost O(columns). Pure. */
const struct wn_column_def *wn_column_def_of_problem(enum wn_problem problem);

/* Returns whether the table of grains has a column of that name, whatever was counted: a number, a
 * text such as "line", or of memory nodes. Such names are reserved. Cost O(columns). Pure. */
bool wn_column_is_taken(const char *name, size_t n_bytes);

/* "sum", "min", ..., "again"; "none". The inverse returns false for unknown names. */
const char *wn_fold_name(enum wn_fold fold);
bool wn_fold_named(const char *name, size_t n_bytes, enum wn_fold *out);

/* Default fold of a metric: as bad as its worst member, else evaluated again. */
enum wn_fold wn_fold_of_bad(enum wn_bad bad);

/* "none", "low", "high". */
const char *wn_bad_name(enum wn_bad bad);
bool wn_bad_named(const char *name, size_t n_bytes, enum wn_bad *out);
