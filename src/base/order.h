/* SPDX-License-Identifier: MIT */
/* order.h - stable sorting with the same result in every build, and binary search in sorted
 * arrays. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/**
 * Sorts n elements; the order of equal elements is kept.
 *
 * @param is_before  returns whether `a` comes before `b`; false if they are equal.
 * @return false if memory ran out; then the order is unchanged.
 * Cost     O(n log n); temporarily as many bytes again. Threads  pure.
 */
bool wn_order(void *at, size_t n, size_t size_bytes,
              bool (*is_before)(const void *a, const void *b));

/* Compare two numbers for qsort(). */
int wn_compare_u64(const void *left, const void *right);
int wn_compare_u32(const void *left, const void *right);
int wn_compare_double(const void *left, const void *right);

/*
 * Defines a function for qsort() that compares elements of a type by members: ascending, and
 * descending where it says so. The others decide where the first is equal:
 *
 *   WN_COMPARE(by_place, struct act, WN_BY_FIRST(line, WN_DOWN_FIRST(work_ns, WN_BY(number))))
 */
#define WN_COMPARE(name, type, order)                                                              \
	static int name(const void *left, const void *right)                                       \
	{                                                                                          \
		const type *a = left, *b = right;                                                  \
		return order;                                                                      \
	}
#define WN_BY(key)                 ((a->key > b->key) - (a->key < b->key))
#define WN_BY_FIRST(key, others)   (a->key != b->key ? (a->key < b->key ? -1 : 1) : others)
#define WN_DOWN_FIRST(key, others) (a->key != b->key ? (a->key > b->key ? -1 : 1) : others)

/* Returns the k-th smallest of values[n] (k < n), and moves it to values[k], behind all that are
 * smaller. Cost: O(n) on average. Threads: pure. */
uint64_t wn_order_select(uint64_t *values, size_t n, size_t k);
uint32_t wn_order_select_short(uint32_t *values, size_t n, size_t k);

/* Sorts a few numbers in place. Cost: O(n^2). Threads: pure. */
static inline void
wn_order_few(uint64_t *at, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		uint64_t value = at[i];
		size_t k = i;
		for (; k > 0 && at[k - 1] > value; k--)
			at[k] = at[k - 1];
		at[k] = value;
	}
}

/* Inserts a number after the last of n sorted ones that is not larger; there is room for it. Cost:
 * O(n). Threads: pure. */
static inline void
wn_order_insert(uint32_t *at, size_t n, uint32_t value)
{
	for (; n > 0 && at[n - 1] > value; n--)
		at[n] = at[n - 1];
	at[n] = value;
}

/**
 * Declares size_t `first`: the index of the first of n elements that is not before what is searched
 * for, n if all are. The elements are sorted.
 *
 * @param at         name of the index in is_before
 * @param is_before  expression: whether element `at` is before what is searched for
 * Cost     O(log n).
 */
#define WN_FIRST_NOT(first, n, at, is_before)                                                      \
	size_t first = 0;                                                                          \
	for (size_t first##_end = (n); first < first##_end;) {                                     \
		size_t at = first + (first##_end - first) / 2;                                     \
		if (is_before)                                                                     \
			first = at + 1;                                                            \
		else                                                                               \
			first##_end = at;                                                          \
	}

/**
 * Returns the first of n elements, sorted by a uint32_t key, whose key is not below `from`.
 *
 * @param at        NULL is fine if n is 0.
 * @param key_at    offset of the key in an element: offsetof().
 * @return its index, n if there is none
 * Cost     O(log n).  Threads  pure.
 */
static inline size_t
wn_first_from(const void *at, size_t n, size_t size_bytes, size_t key_at, uint32_t from)
{
	const char *bytes = at;
	uint32_t key;
	WN_FIRST_NOT(first, n, i,
	             (memcpy(&key, bytes + i * size_bytes + key_at, sizeof key), key < from));
	return first;
}
