/* SPDX-License-Identifier: MIT */
/*
 * fold.h - computes values of groups from those of the grains inside, in one pass over the nodes
 * in pre-order, with a stack of open groups. A closing group passes its value to the enclosing
 * one, so that only open groups are in memory: the page proceeds chunk by chunk, the command has
 * everything at once. Members are folded in order, so that both round equally.
 *
 *     WN_FOLD_SUM, _MIN, _MAX   sum, least, greatest
 *     WN_FOLD_ANY               1 if some value is not 0, else 0
 *     WN_FOLD_MEDIAN            the median of the members' values (of two in the middle the mean,
 * or the one that is infinite); a member that is a group counts once, with its median WN_FOLD_MEAN
 * the mean over all grains inside, however deep
 *
 * Source  [P5] section III, propagation; doc/metrics.md, "Groups".
 * Oracle  tests/property/prop_tree.c, tests/page/prop_store.c
 */
#pragma once

#include "table/columns.h"

/* An open group. */
struct wn_fold_level {
	uint32_t node, end; /* its nodes: [node, end) */
	uint8_t kind;       /* for the caller */
	bool is_lacking;    /* for the caller: some value inside is unknown */
};

struct wn_fold_sum;
struct wn_fold_members;

/* Callers access it only through the functions below. */
struct wn_folder {
	enum wn_fold *rules;             /* [n] */
	struct wn_fold_members *members; /* [n] */
	double *starts;                  /* [n] initial sums */
	uint32_t n;
	struct wn_fold_level *levels; /* [n_levels] innermost last */
	struct wn_fold_sum *sums;     /* [n] of each level */
	struct wn_fold_sum *top;      /* those of the innermost level */
	size_t n_levels, capacity;
};

/**
 * @param rules  [n] of the folded columns; WN_FOLD_NONE and WN_FOLD_AGAIN: groups have no value.
 * @return NULL: out of memory. Release with wn_folder_free().
 */
struct wn_folder *wn_folder_new(const enum wn_fold *rules, uint32_t n);
/* NULL is fine. */
void wn_folder_free(struct wn_folder *f);

/* Returns the innermost open group, NULL if there is none. Valid until the next call that opens or
 * closes one. */
static inline struct wn_fold_level *
wn_folder_innermost(const struct wn_folder *f)
{
	return f->n_levels ? &f->levels[f->n_levels - 1] : NULL;
}

/* Opens a group inside the innermost one. Returns false when memory ran out. Cost O(columns). */
bool wn_folder_open(struct wn_folder *f, uint32_t node, uint32_t end, uint8_t kind);

/* Converts a grain's value for folding: to 0 or 1 for WN_FOLD_ANY. Pure. */
static inline double
wn_fold_of_grain(enum wn_fold rule, double value)
{
	return rule == WN_FOLD_ANY && !__builtin_isnan(value) ? value != 0 : value;
}

/* Adds a grain's value of column k, NAN: missing, to the innermost group, if any is open. Returns
 * false when memory ran out. Cost O(1). */
bool wn_folder_add(struct wn_folder *f, uint32_t k, double value);

/**
 * Closes the innermost group, adds its values to the enclosing one, and marks that as lacking if
 * it is.
 *
 * @param values  [n columns] receives those of the closed group; NAN where it has none.
 * @return false: out of memory. Cost O(columns), and O(members) for medians.
 */
bool wn_folder_close(struct wn_folder *f, double *values);

/* Integer results that depend on a group's members alone: its work, the longest path inside, and
 * the least time on a number of cores. */
struct wn_fold_work {
	uint64_t work_ns, span_ns, best_ns;
};

/* Adds a member: members of a chain (a linear group) run one after the other, others in parallel.
 * Cost O(1). */
static inline void
wn_fold_work_add(struct wn_fold_work *group, bool is_chain, const struct wn_fold_work *member)
{
	group->work_ns += member->work_ns;
	if (is_chain) {
		group->span_ns += member->span_ns;
		group->best_ns += member->best_ns;
		return;
	}
	if (member->span_ns > group->span_ns)
		group->span_ns = member->span_ns;
	if (member->best_ns > group->best_ns)
		group->best_ns = member->best_ns;
}

/* Completes a group: on n_cores cores it takes at least its work divided by n_cores. */
static inline void
wn_fold_work_end(struct wn_fold_work *group, uint64_t n_cores)
{
	uint64_t shared_ns = group->work_ns / n_cores + (group->work_ns % n_cores != 0);
	if (shared_ns > group->best_ns)
		group->best_ns = shared_ns;
}
