/* SPDX-License-Identifier: MIT */
/* order.h - sorting that gives the same order in every build: what is equal stays as it was. */
#ifndef WN_BASE_ORDER_H
#define WN_BASE_ORDER_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Sorts n elements.
 *
 * @param is_before  does `a` come before `b`? Not if they are equal.
 * @return false: memory ran out, and the order is as it was.
 * Cost     O(n log n); as many bytes again, meanwhile. Threads  pure.
 */
bool wn_order(void *at, size_t n, size_t size_bytes,
              bool (*is_before)(const void *a, const void *b));

#endif /* WN_BASE_ORDER_H */
