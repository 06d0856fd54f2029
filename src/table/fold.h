/* SPDX-License-Identifier: MIT */
/*
 * fold.h - values of groups from those of the grains inside: one way through the nodes in
 * pre-order, with the groups that are open on a stack. A group that ends hands its value to the one
 * it is in, so that nothing but what is open has to be here: the page goes from chunk to chunk, the
 * command has everything in one. Members are taken in their order, so that both round alike.
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
#ifndef WN_TABLE_FOLD_H
#define WN_TABLE_FOLD_H

#include "table/columns.h"

/* A group that is open. */
struct wn_fold_level {
	uint32_t node, end; /* its nodes: [node, end) */
	uint8_t kind;       /* the caller's */
	bool is_lacking;    /* the caller's: some value inside is not known */
};

struct wn_fold_sum;
struct wn_fold_members;

/* Of it callers read nothing but by the functions below. */
struct wn_folder {
	enum wn_fold *rules;             /* [n] */
	struct wn_fold_members *members; /* [n] */
	double *starts;                  /* [n] sums of no values */
	uint32_t n;
	struct wn_fold_level *levels; /* [n_levels] the innermost last */
	struct wn_fold_sum *sums;     /* [n] of each level */
	struct wn_fold_sum *top;      /* those of the innermost one */
	size_t n_levels, capacity;
};

/**
 * @param rules  [n] of the columns that are folded; WN_FOLD_NONE and WN_FOLD_AGAIN: groups have no
 *               value of that column.
 * @return NULL: out of memory. Release with wn_folder_free().
 */
struct wn_folder *wn_folder_new(const enum wn_fold *rules, uint32_t n);
/* NULL is fine. */
void wn_folder_free(struct wn_folder *f);

/* The innermost group that is open; NULL: none is. Until the next call that opens or ends one. */
static inline struct wn_fold_level *
wn_folder_innermost(const struct wn_folder *f)
{
	return f->n_levels ? &f->levels[f->n_levels - 1] : NULL;
}

/* Begins a group inside the innermost one. False: out of memory. Cost O(columns). */
bool wn_folder_open(struct wn_folder *f, uint32_t node, uint32_t end, uint8_t kind);

/* The value of a grain as its column has it: of WN_FOLD_ANY 0 or 1. Pure. */
static inline double
wn_fold_of_grain(enum wn_fold rule, double value)
{
	return rule == WN_FOLD_ANY && !__builtin_isnan(value) ? value != 0 : value;
}

/* A grain's value of column k, NAN: missing, to the innermost group; to none if none is open.
 * False: out of memory. Cost O(1). */
bool wn_folder_add(struct wn_folder *f, uint32_t k, double value);

/**
 * Ends the innermost group, hands its values on to the one it is in, and marks that as lacking if
 * it is.
 *
 * @param values  [n columns] receives those of the group that has ended; NAN where it has none.
 * @return false: out of memory. Cost O(columns), and O(members) for medians.
 */
bool wn_folder_close(struct wn_folder *f, double *values);

/* What follows from a group's members alone, in whole numbers: its work, the longest path inside,
 * and the least time on a number of cores. */
struct wn_fold_work {
	uint64_t work_ns, span_ns, best_ns;
};

/* One more member: of a chain (a linear group) members are one after the other, of others side by
 * side. Cost O(1). */
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

/* No more members: on n_cores cores a group takes no less time than its work shared out. */
static inline void
wn_fold_work_end(struct wn_fold_work *group, uint64_t n_cores)
{
	uint64_t shared_ns = group->work_ns / n_cores + (group->work_ns % n_cores != 0);
	if (shared_ns > group->best_ns)
		group->best_ns = shared_ns;
}

#endif /* WN_TABLE_FOLD_H */
