/* SPDX-License-Identifier: MIT */
/*
 * page.h - a counter read in user space, from the page that the kernel shares for it: the protocol
 * at the head of struct perf_event_mmap_page.
 */
#ifndef WN_RECORD_COUNTERS_PAGE_H
#define WN_RECORD_COUNTERS_PAGE_H

#include "record/counters/counters.h"

#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct wn_page_value {
	uint64_t value;
	uint64_t enabled_ns, running_ns; /* since it was opened: asked for, and on the processor */
};

/* The processor's own instructions; a simulation has others. */
struct wn_page_processor {
	uint64_t (*counter)(uint32_t index);
	uint64_t (*clock)(void);
};

/* The same as wn_page_read() for any page, a changing one, too. */
bool wn_page_read_any(const volatile struct perf_event_mmap_page *page,
                      const struct wn_page_processor *processor, struct wn_page_value *out);

/* Of `width` bits, the highest of which is a sign: the kernel counts up from below zero. */
static inline int64_t
wn_page_extend(uint64_t raw, unsigned width)
{
	unsigned unused = (64 - width) & 63; /* none of 0, which says nothing */
	return (int64_t)(raw << unused) >> unused;
}

/*
 * Reads the counter behind a page. A page that changes meanwhile, as it does when the thread moves
 * or the counter gives way to another one, is read again. False: it cannot be read in user space,
 * or would not keep still; *out is left alone. Cost: 5 ns beside the processor's instruction for a
 * counter that has always been on its register, which is done in line, else 20 to 50 ns. Neither
 * calls the system nor fails otherwise.
 */
static inline __attribute__((always_inline)) bool
wn_page_read(const volatile struct perf_event_mmap_page *page,
             const struct wn_page_processor *processor, struct wn_page_value *out)
{
	uint32_t sequence = page->lock;
	/* pairs with the kernel's own, which runs on this processor */
	atomic_signal_fence(memory_order_seq_cst);
	uint32_t index = page->index;
	struct wn_page_value v = {(uint64_t)page->offset, page->time_enabled, page->time_running};
	if (__builtin_expect(!page->cap_user_rdpmc || !index || v.enabled_ns != v.running_ns, 0))
		return wn_page_read_any(page, processor, out);
	v.value += (uint64_t)wn_page_extend(processor->counter(index - 1), page->pmc_width);
	atomic_signal_fence(memory_order_seq_cst);
	if (__builtin_expect((page->lock ^ sequence) | (sequence & 1), 0))
		return wn_page_read_any(page, processor, out);
	*out = v;
	return true;
}

/* Takes all counters of the leader's group by other means, or loses them. */
typedef void wn_group_read(struct wn_counter_thread *c, uint32_t leader, uint64_t *totals);

/* The value, had the counter been on the processor all the time. */
uint64_t wn_page_scale(const struct wn_page_value *v);

/* The value to where it is kept of counter i, scaled; its times, if they differ: a counter that was
 * off the processor once has not been on it all the time, ever after. */
static inline void
wn_page_take(struct wn_counter_thread *c, uint32_t i, const struct wn_page_value *v,
             uint64_t *totals)
{
	totals[i] = v->value;
	if (__builtin_expect(v->running_ns >= v->enabled_ns, 1))
		return;
	totals[i] = wn_page_scale(v);
	c->enabled_ns[i] = v->enabled_ns;
	c->running_ns[i] = v->running_ns;
}

#define WN_PAGES_AT_ONCE 4u

/*
 * Reads the first n counters, at most WN_PAGES_AT_ONCE, if each is counted and has always been
 * on its register: all pages, then the registers one after the other, then whether a page has
 * changed. A processor may wait at such an instruction for all that is before it, which is once so
 * instead of once a counter. False: one of them is not like that, or has changed; *totals is left
 * alone.
 */
static inline __attribute__((always_inline)) bool
wn_pages_read_at_once(const struct wn_counter_thread *c, uint32_t n,
                      const struct wn_page_processor *processor, uint64_t *totals)
{
	const volatile struct perf_event_mmap_page *page[WN_PAGES_AT_ONCE];
	uint32_t sequence[WN_PAGES_AT_ONCE], index[WN_PAGES_AT_ONCE], changed = 0;
	uint64_t raw[WN_PAGES_AT_ONCE], offset[WN_PAGES_AT_ONCE];
	uint64_t wanted = (UINT64_C(1) << n) - 1;
	if ((c->counted & wanted) != wanted)
		return false;
#pragma GCC unroll 4
	for (uint32_t k = 0; k < n; k++) {
		page[k] = c->page[k];
		if (!page[k])
			return false;
		sequence[k] = page[k]->lock;
		changed |= sequence[k] & 1;
		/* pairs with the kernel's own, which runs on this processor */
		atomic_signal_fence(memory_order_seq_cst);
		index[k] = page[k]->index;
		offset[k] = (uint64_t)page[k]->offset;
		if (!page[k]->cap_user_rdpmc || !index[k] ||
		    page[k]->time_enabled != page[k]->time_running)
			return false;
	}
#pragma GCC unroll 4
	for (uint32_t k = 0; k < n; k++)
		raw[k] = processor->counter(index[k] - 1);
#pragma GCC unroll 4
	for (uint32_t k = 0; k < n; k++)
		offset[k] += (uint64_t)wn_page_extend(raw[k], page[k]->pmc_width);
	atomic_signal_fence(memory_order_seq_cst);
#pragma GCC unroll 4
	for (uint32_t k = 0; k < n; k++)
		changed |= page[k]->lock ^ sequence[k];
	if (changed)
		return false;
#pragma GCC unroll 4
	for (uint32_t k = 0; k < n; k++)
		totals[k] = offset[k];
	return true;
}

/*
 * Reads the first n counters of a thread that are counted: from their pages, and where that cannot
 * be, their group once by read_group. What is not read keeps its total. In line, so that with a
 * processor that is known its instruction is, too.
 */
static inline __attribute__((always_inline)) void
wn_pages_read(struct wn_counter_thread *c, uint32_t n, const struct wn_page_processor *processor,
              wn_group_read *read_group, uint64_t *totals)
{
	uint64_t read_groups = 0; /* a bit for each leader */
	/* of a known number no loop is left */
	if ((n == 3 && wn_pages_read_at_once(c, 3, processor, totals)) ||
	    (n == 4 && wn_pages_read_at_once(c, 4, processor, totals)) ||
	    (n == 2 && wn_pages_read_at_once(c, 2, processor, totals)))
		return;
	for (uint32_t i = 0; i < n; i++) {
		struct wn_page_value v;
		if (!(c->counted >> i & 1))
			continue;
		if (c->page[i] && wn_page_read(c->page[i], processor, &v)) {
			wn_page_take(c, i, &v, totals);
		} else if (!(read_groups >> c->leader[i] & 1)) {
			read_groups |= UINT64_C(1) << c->leader[i];
			read_group(c, c->leader[i], totals);
		}
	}
}

#endif /* WN_RECORD_COUNTERS_PAGE_H */
