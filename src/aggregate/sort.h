/* SPDX-License-Identifier: MIT */
/*
 * sort.h - the values of a group's members, gathered and in order: for hashes that any order of
 * members shares, and for medians. Few of them need no memory.
 */
#ifndef WN_AGGREGATE_SORT_H
#define WN_AGGREGATE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TREE_FEW 32u

struct tree_values {
	uint64_t few[TREE_FEW];
	uint64_t *at; /* few, or memory for twice `capacity`: the second half is for sorting */
	size_t n, capacity;
	bool is_out_of_memory; /* there is room for a few only */
};

/* Room for n values. */
void tree_values_init(struct tree_values *v, size_t n);
void tree_values_fini(struct tree_values *v);

static inline void
tree_values_add(struct tree_values *v, uint64_t value)
{
	if (v->n < v->capacity)
		v->at[v->n++] = value;
}

/* Ascending. Cost  O(n): by digits where there are many. */
void tree_values_sort(struct tree_values *v);

/* Doubles (no NAN) as numbers of the same order, and back. */
static inline uint64_t
tree_key_of(double value)
{
	union {
		double d;
		uint64_t u;
	} bits = {.d = value};
	return bits.u >> 63 ? ~bits.u : bits.u | UINT64_C(1) << 63;
}

static inline double
tree_value_of(uint64_t key)
{
	union {
		uint64_t u;
		double d;
	} bits = {.u = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key};
	return bits.d;
}

/* Of sorted doubles' keys: what lies at `share` (0 to 1) of the way from the first to the last,
 * between two of them in proportion. n > 0. */
double tree_values_quantile(const struct tree_values *v, double share);

#endif /* WN_AGGREGATE_SORT_H */
