/* SPDX-License-Identifier: MIT */
/* samples.c - reads addresses of the threads' code (rule V16). */
#include "base/error.h"
#include "base/mem.h"
#include "trace/encode.h"
#include "trace/trace_private.h"

#include <string.h>

#define SAMPLES_MAX (1u << 20)

/* Reads the head of a record. Returns false if there is no valid one. */
static bool
take_head(const uint8_t *payload, uint32_t n_bytes, struct wn_samples_record *r)
{
	if (n_bytes < sizeof *r)
		return false;
	memcpy(r, payload, sizeof *r);
	return r->thread < TRACE_THREADS_MAX && r->period_ns > 0 && r->period_ns <= WN_NS_MAX;
}

static uint32_t
at_most_u32(uint64_t value)
{
	return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

wn_status
trace_samples_add(struct wn_trace *t, const uint8_t *payload, uint32_t n_bytes, wn_err *err)
{
	struct wn_samples_record r;
	uint64_t addr = 0, step;
	if (!take_head(payload, n_bytes, &r))
		return WN_OK;
	const uint8_t *next = payload + sizeof r, *end = payload + n_bytes;
	uint64_t period_us = r.period_ns / 1000 ? r.period_ns / 1000 : 1;
	for (uint32_t i = 0;
	     i < r.n_samples && t->n_samples < SAMPLES_MAX && trace_take_value(&next, end, &step);
	     i++) {
		addr += (uint64_t)wn_unzigzag(step);
		if (wn_grow(&t->samples, &t->samples_capacity, t->n_samples + 1,
		            sizeof *t->samples) != 0)
			return wn_no_memory(err);
		t->samples[t->n_samples++] =
		    (struct wn_trace_sample){addr, r.thread, at_most_u32(period_us)};
	}
	return WN_OK;
}

wn_status
trace_accesses_add(struct trace_accesses *accesses, const uint8_t *payload, uint32_t n_bytes,
                   wn_err *err)
{
	struct wn_samples_record r;
	uint64_t addr = 0, step, difference;
	if (!take_head(payload, n_bytes, &r))
		return WN_OK;
	const uint8_t *next = payload + sizeof r, *end = payload + n_bytes;
	for (uint32_t i = 0;
	     i < r.n_samples && accesses->n < SAMPLES_MAX && trace_take_value(&next, end, &step) &&
	     trace_take_value(&next, end, &difference);
	     i++) {
		addr += (uint64_t)wn_unzigzag(step);
		if (wn_grow(&accesses->items, &accesses->capacity, accesses->n + 1,
		            sizeof *accesses->items) != 0)
			return wn_no_memory(err);
		accesses->items[accesses->n++] =
		    (struct wn_trace_access){addr, addr + (uint64_t)wn_unzigzag(difference),
		                             r.thread, at_most_u32(r.period_ns)};
	}
	return WN_OK;
}

size_t
wn_trace_samples(const struct wn_trace *t, const struct wn_trace_sample **samples)
{
	*samples = t->samples;
	return t->n_samples;
}

size_t
wn_trace_faults(const struct wn_trace *t, const struct wn_trace_access **faults)
{
	*faults = t->faults.items;
	return t->faults.n;
}

size_t
wn_trace_updates(const struct wn_trace *t, const struct wn_trace_access **updates)
{
	*updates = t->updates.items;
	return t->updates.n;
}
