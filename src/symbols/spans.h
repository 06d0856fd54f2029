/* SPDX-License-Identifier: MIT */
/*
 * spans.h - finds which of many address ranges contains an address.
 *
 * Ranges may nest, overlap and repeat: symbol tables and damaged debug information contain all of
 * it. The range that starts last wins; among equal starts the higher rank. Each range also has the
 * largest end of all ranges before it ("reach"), so a search stops as soon as none can match.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct wn_span {
	uint64_t begin;
	uint64_t end;   /* one past the last address */
	uint64_t reach; /* largest end of this range and all that sort before it */
	uint32_t payload;
	uint32_t rank;
};

struct wn_spans {
	struct wn_span *items;
	size_t n;
	size_t capacity;
};

/* Appends [begin, end); an empty range is ignored. Returns 0, or -1 when out of memory. */
int wn_spans_add(struct wn_spans *spans, uint64_t begin, uint64_t end, uint32_t payload,
                 uint32_t rank);

/* Sorts the ranges for searching; call after the last wn_spans_add() or change. O(n log n). */
void wn_spans_sort(struct wn_spans *spans);

/* Returns the range that contains addr, or NULL. Borrowed. O(log n) unless many ranges overlap. */
const struct wn_span *wn_spans_find(const struct wn_spans *spans, uint64_t addr);

void wn_spans_fini(struct wn_spans *spans);
