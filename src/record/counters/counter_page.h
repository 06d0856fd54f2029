/* SPDX-License-Identifier: MIT */
/*
 * counter_page.h - reads a counter in user space, by the protocol of struct perf_event_mmap_page.
 */
#pragma once

#include "record/counters/counters.h"

#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct wn_page_value {
	uint64_t value;
	uint64_t enabled_ns, running_ns; /* time since it was opened, and time on the processor */
};

/* The processor's own instructions, which the simulation replaces. */
struct wn_page_processor {
	uint64_t (*counter)(uint32_t index);
	uint64_t (*clock)(void);
};

/* As wn_page_read(), also for a page that changes. */
bool wn_page_read_any(const volatile struct perf_event_mmap_page *page,
                      const struct wn_page_processor *processor, struct wn_page_value *out);

/* Sign-extends a value of `width` bits: the kernel counts up from a negative value. */
static inline int64_t
wn_page_extend(uint64_t raw, unsigned width)
{
	unsigned unused = (64 - width) & 63; /* width 0 is undefined */
	return (int64_t)(raw << unused) >> unused;
}

/* Reads the counter behind a page. Retries if the page changes meanwhile, because the thread moves
 * or the counter is multiplexed. False if it cannot be read in user space, or the page keeps
 * changing; *out is then unchanged. Cost: 5 ns plus the processor's instruction, inline, for a
 * counter that was never off its register; else 20 to 50 ns. No system call. */
static inline __attribute__((always_inline)) bool
wn_page_read(const volatile struct perf_event_mmap_page *page,
             const struct wn_page_processor *processor, struct wn_page_value *out)
{
	uint32_t sequence = page->lock;
	/* pairs with the kernel's write, on the same processor */
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

/* Reads all counters of the leader's group with a system call, or marks them as lost. */
typedef void wn_group_read(struct wn_counter_thread *c, uint32_t leader, uint64_t *totals);

/* Value scaled to the time since the counter was opened. */
uint64_t wn_page_scale(const struct wn_page_value *v);

/* Stores the scaled value of counter i, and its times if they differ: a counter that was off the
 * processor once keeps being scaled. */
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

/* Reads the first n counters, at most WN_PAGES_AT_ONCE, if each is counted and was never off its
 * register: first all pages, then all registers, then checks the pages for changes. The processor
 * may drain its pipeline at a register read, which batching makes it do once instead of once per
 * counter. False if a counter does not qualify or a page changed; *totals is then unchanged. */
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
		/* pairs with the kernel's write, on the same processor */
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

/* Reads the first n counters of a thread that are counted: from their pages, or else their group
 * once by read_group. Counters that cannot be read keep their totals. Inline, so that the
 * processor's instruction is inlined as well. */
static inline __attribute__((always_inline)) void
wn_pages_read(struct wn_counter_thread *c, uint32_t n, const struct wn_page_processor *processor,
              wn_group_read *read_group, uint64_t *totals)
{
	uint64_t read_groups = 0; /* a bit for each leader */
	/* a constant number unrolls the loop */
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
