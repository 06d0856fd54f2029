/* SPDX-License-Identifier: MIT */
/*
 * page.h - a counter read in user space, from the page that the kernel shares for it: the protocol
 * at the head of struct perf_event_mmap_page.
 */
#ifndef WN_COLLECT_COUNTERS_PAGE_H
#define WN_COLLECT_COUNTERS_PAGE_H

#include "collect/counters/counters.h"

#include <linux/perf_event.h>
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
extern const struct wn_page_processor wn_page_processor;

/*
 * Reads the counter behind a page. A page that changes meanwhile, as it does when the thread moves
 * or the counter gives way to another one, is read again. False: it cannot be read in user space,
 * or would not keep still; *out is left alone. Cost: 20 to 50 ns. Neither calls the system nor
 * fails otherwise.
 */
bool wn_page_read(const volatile struct perf_event_mmap_page *page,
                  const struct wn_page_processor *processor, struct wn_page_value *out);

/* The value and its times to where they are kept of counter i, scaled. */
void wn_page_take(struct wn_counter_thread *c, uint32_t i, const struct wn_page_value *v,
                  uint64_t *totals);

/* Takes all counters of the leader's group by other means, or loses them. */
typedef void wn_group_read(struct wn_counter_thread *c, uint32_t leader, uint64_t *totals);

/*
 * Reads the first n counters of a thread that are counted: from their pages, and where that cannot
 * be, their group once by read_group. What is not read keeps its total.
 */
void wn_pages_read(struct wn_counter_thread *c, uint32_t n,
                   const struct wn_page_processor *processor, wn_group_read *read_group,
                   uint64_t *totals);

/* The value, had the counter been on the processor all the time. */
uint64_t wn_page_scale(const struct wn_page_value *v);

#endif /* WN_COLLECT_COUNTERS_PAGE_H */
