/* SPDX-License-Identifier: MIT */
#include "symbols/spans.h"

#include "base/mem.h"
#include "base/order.h"

#include <stdlib.h>

/* Number of overlapping ranges that a search visits: bounds the cost of a malicious table. */
#define SPANS_LOOK_BACK_MAX 4096

int
wn_spans_add(struct wn_spans *spans, uint64_t begin, uint64_t end, uint32_t payload, uint32_t rank)
{
	if (begin >= end)
		return 0;
	if (wn_grow(&spans->items, &spans->capacity, spans->n + 1, sizeof *spans->items))
		return -1;
	spans->items[spans->n++] = (struct wn_span){begin, end, end, payload, rank};
	return 0;
}

WN_COMPARE(span_compare, struct wn_span, WN_BY_FIRST(begin, WN_BY_FIRST(rank, WN_BY(payload))))

void
wn_spans_sort(struct wn_spans *spans)
{
	if (spans->n == 0)
		return;
	qsort(spans->items, spans->n, sizeof *spans->items, span_compare);
	uint64_t reach = 0;
	for (size_t i = 0; i < spans->n; i++) {
		if (spans->items[i].end > reach)
			reach = spans->items[i].end;
		spans->items[i].reach = reach;
	}
}

const struct wn_span *
wn_spans_find(const struct wn_spans *spans, uint64_t addr)
{
	WN_FIRST_NOT(low, spans->n, i, spans->items[i].begin <= addr);
	for (size_t step = 0; low > 0 && step < SPANS_LOOK_BACK_MAX; step++) {
		const struct wn_span *span = &spans->items[--low];
		if (span->reach <= addr)
			return NULL;
		if (span->end > addr)
			return span;
	}
	return NULL;
}

void
wn_spans_fini(struct wn_spans *spans)
{
	wn_free(spans->items);
	*spans = (struct wn_spans){0};
}
