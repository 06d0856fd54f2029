/* SPDX-License-Identifier: MIT */
/* values.h - collects and sorts the values of a group's members: for order-independent hashes, and
 * for medians. A few values need no allocation. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WN_VALUES_FEW 32u

struct wn_values {
	uint64_t few[WN_VALUES_FEW];
	uint64_t *at; /* the inline array, or memory for twice `capacity`: the second half is for
	                 sorting */
	size_t n, capacity;
	bool is_out_of_memory; /* only the inline array is available */
};

/* Reserves room for n values. */
void wn_values_init(struct wn_values *v, size_t n);
void wn_values_fini(struct wn_values *v);

static inline void
wn_values_add(struct wn_values *v, uint64_t value)
{
	if (v->n < v->capacity)
		v->at[v->n++] = value;
}

/* Sorts in ascending order. Cost  O(n): radix sort if there are many. */
void wn_values_sort(struct wn_values *v);

/* Maps doubles (no NAN) to integers of the same order, and back. */
static inline uint64_t
wn_value_key(double value)
{
	union {
		double d;
		uint64_t u;
	} bits = {.d = value};
	return bits.u >> 63 ? ~bits.u : bits.u | UINT64_C(1) << 63;
}

static inline double
wn_value_of_key(uint64_t key)
{
	union {
		uint64_t u;
		double d;
	} bits = {.u = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key};
	return bits.d;
}

/* Interpolates sorted keys of doubles at `share` (0 to 1) of the way from the first to the last. n
 * > 0. */
double wn_values_quantile(const struct wn_values *v, double share);
