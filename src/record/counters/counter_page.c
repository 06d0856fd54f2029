/* SPDX-License-Identifier: MIT */
#include "record/counters/counter_page.h"

/* A page changes when the kernel moves the thread or the counter, which does not happen many times
 * in a row. */
#define TRIES_MAX 100

/* Nanoseconds since the page was written. */
static uint64_t
passed_ns(const volatile struct perf_event_mmap_page *page, uint64_t clock)
{
	uint16_t shift = page->time_shift & 63;
	uint64_t whole = clock >> shift, rest = clock & ((UINT64_C(1) << shift) - 1);
	return page->time_offset + whole * page->time_mult + ((rest * page->time_mult) >> shift);
}

bool
wn_page_read_any(const volatile struct perf_event_mmap_page *page,
                 const struct wn_page_processor *processor, struct wn_page_value *out)
{
	for (int i = 0; i < TRIES_MAX; i++) {
		uint32_t sequence = page->lock;
		/* pairs with the kernel's write, on the same processor */
		atomic_signal_fence(memory_order_seq_cst);
		if (!page->cap_user_rdpmc)
			return false;
		struct wn_page_value v = {(uint64_t)page->offset, page->time_enabled,
		                          page->time_running};
		uint32_t index = page->index;
		/* both times of a counter that was never off the processor grow equally */
		if (page->cap_user_time && (!index || v.enabled_ns != v.running_ns)) {
			uint64_t since_ns = passed_ns(page, processor->clock());
			v.enabled_ns += since_ns;
			v.running_ns += index ? since_ns : 0;
		}
		if (index) /* otherwise it is off the processor, and the offset is its value */
			v.value += (uint64_t)wn_page_extend(processor->counter(index - 1),
			                                    page->pmc_width);
		atomic_signal_fence(memory_order_seq_cst);
		if (page->lock == sequence && !(sequence & 1)) {
			*out = v;
			return true;
		}
	}
	return false;
}

uint64_t
wn_page_scale(const struct wn_page_value *v)
{
	if (v->running_ns >= v->enabled_ns || v->running_ns == 0)
		return v->value;
	__extension__ typedef unsigned __int128 wide;
	return (uint64_t)((wide)v->value * v->enabled_ns / v->running_ns);
}
