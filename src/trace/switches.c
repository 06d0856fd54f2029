/* SPDX-License-Identifier: MIT */
/* switches.c - reads records of context switches (rule V14). They stay in the trace's bytes; only
 * their places are kept, so that memory is in proportion to records, not to what they claim. */
#include "trace/trace_switches.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "trace/trace_private.h"

#include <stdlib.h>
#include <string.h>

wn_status
trace_switches_add(struct wn_trace *t, const uint8_t *payload, uint32_t n_bytes, wn_err *err)
{
	struct wn_switches_record r;
	if (n_bytes < sizeof r)
		return WN_OK;
	memcpy(&r, payload, sizeof r);
	if (r.thread >= TRACE_THREADS_MAX || r.from_ns > r.until_ns)
		return WN_OK;
	if (wn_grow(&t->switches, &t->switches_capacity, t->n_switches + 1, sizeof *t->switches))
		return wn_no_memory(err);
	t->switches[t->n_switches] = (struct trace_switches){
	    r.thread,      r.n_intervals,      r.from_ns,
	    r.until_ns,    payload + sizeof r, n_bytes - (uint32_t)sizeof r,
	    t->n_switches,
	};
	t->n_switches++;
	return WN_OK;
}

wn_status
trace_queue_add(struct wn_trace *t, const uint8_t *payload, uint32_t n_bytes, wn_err *err)
{
	struct wn_queue_record r;
	if (n_bytes < sizeof r)
		return WN_OK;
	memcpy(&r, payload, sizeof r);
	if (r.thread >= TRACE_THREADS_MAX || r.from_ns > r.until_ns ||
	    r.wait_ns > r.until_ns - r.from_ns)
		return WN_OK;
	if (wn_grow(&t->queues, &t->queues_capacity, t->n_queues + 1, sizeof *t->queues))
		return wn_no_memory(err);
	t->queues[t->n_queues++] = r;
	return WN_OK;
}

WN_COMPARE(compare_queues, struct wn_queue_record, WN_BY_FIRST(thread, WN_BY(until_ns)))

/* The last one of each thread counts. */
static bool
is_last_queue(const struct wn_trace *t, size_t i)
{
	return i + 1 == t->n_queues || t->queues[i + 1].thread != t->queues[i].thread;
}

/* By thread, time, and place in the file. */
WN_COMPARE(compare, struct trace_switches, WN_BY_FIRST(thread, WN_BY_FIRST(from_ns, WN_BY(number))))

void
trace_switches_order(struct wn_trace *t)
{
	if (t->n_switches > 1)
		qsort(t->switches, t->n_switches, sizeof *t->switches, compare);
	if (t->n_queues > 1)
		qsort(t->queues, t->n_queues, sizeof *t->queues, compare_queues);
}

bool
wn_trace_has_switches(const struct wn_trace *t)
{
	return t->n_switches > 0;
}

size_t
wn_trace_switches_missing(const struct wn_trace *t, const char *const **lines)
{
	*lines = t->unswitched;
	return t->n_unswitched;
}

static uint64_t
since_start(const struct wn_trace *t, uint64_t mono_ns)
{
	uint64_t start_ns = t->header.start_mono_ns;
	uint64_t ns = mono_ns > start_ns ? mono_ns - start_ns : 0;
	return ns < WN_NS_MAX ? ns : WN_NS_MAX;
}

uint64_t
wn_trace_clock_residual_ns(const struct wn_trace *t)
{
	uint64_t most_ns = 0;
	for (size_t i = 0; i < t->n_blocks; i++) {
		struct wn_block_header h;
		trace_block_header(t, &t->blocks[i], &h);
		uint64_t a = wn_trace_ns(t, h.mono_tick), b = since_start(t, h.mono_ns);
		uint64_t apart_ns = a > b ? a - b : b - a;
		most_ns = apart_ns > most_ns ? apart_ns : most_ns;
	}
	return most_ns;
}

/* The first record of a thread. */
static size_t
first_of(const struct wn_trace *t, uint64_t thread)
{
	WN_FIRST_NOT(low, t->n_switches, i, t->switches[i].thread < thread);
	return low;
}

void
wn_switch_cursor_init(struct wn_switch_cursor *c, const struct wn_trace *t, uint32_t thread)
{
	memset(c, 0, sizeof *c);
	c->trace = t;
	c->record = first_of(t, thread);
	c->record_end = first_of(t, (uint64_t)thread + 1);
}

/* Like get_value() of cursor.c; reads nothing beyond `end`. */
bool
trace_take_value(const uint8_t **next, const uint8_t *end, uint64_t *value)
{
	size_t left_bytes = (size_t)(end - *next);
	if (left_bytes == 0)
		return false;
	uint8_t first = **next;
	size_t n_bytes = first ? (size_t)__builtin_ctz(first) + 1 : 9;
	uint64_t raw = 0;
	if (left_bytes < n_bytes)
		return false;
	if (n_bytes == 9)
		memcpy(&raw, *next + 1, 8);
	else
		memcpy(&raw, *next, n_bytes);
	*value = n_bytes == 9 ? raw : raw >> n_bytes;
	*next += n_bytes;
	return true;
}

/* The next interval of the open record, by CLOCK_MONOTONIC; false where the record ends. */
static bool
take_interval(struct wn_switch_cursor *c, struct wn_switch *out)
{
	uint64_t gap, length, begin_ns, end_ns;
	if (c->n_left == 0)
		return false;
	c->n_left--;
	if (!trace_take_value(&c->next, c->end, &gap) ||
	    !trace_take_value(&c->next, c->end, &length) ||
	    (length & ((1u << WN_SWITCH_KIND_BITS) - 1)) >= WN_SWITCH_KIND_N ||
	    __builtin_add_overflow(c->mono_ns, gap, &begin_ns) ||
	    __builtin_add_overflow(begin_ns, length >> WN_SWITCH_KIND_BITS, &end_ns) ||
	    end_ns > c->until_ns) {
		/* V14: nothing is known of the rest of its time */
		*out = (struct wn_switch){c->mono_ns, c->until_ns, WN_SWITCH_UNKNOWN};
		c->n_left = 0;
		c->mono_ns = c->until_ns;
		return true;
	}
	enum wn_switch_kind kind =
	    (enum wn_switch_kind)(length & ((1u << WN_SWITCH_KIND_BITS) - 1));
	*out = (struct wn_switch){begin_ns, end_ns, kind};
	c->mono_ns = end_ns;
	return true;
}

/* The time up to the next record, which is opened; false where there is none. */
static bool
open_record(struct wn_switch_cursor *c, struct wn_switch *out)
{
	uint64_t from_ns = c->mono_ns;
	if (c->is_open)
		from_ns = c->until_ns;
	while (c->record < c->record_end && c->trace->switches[c->record].from_ns < from_ns)
		c->record++; /* it contradicts the one before */
	if (c->record >= c->record_end)
		return false;
	const struct trace_switches *r = &c->trace->switches[c->record++];
	*out = (struct wn_switch){from_ns, r->from_ns, WN_SWITCH_UNKNOWN};
	c->mono_ns = r->from_ns;
	c->until_ns = r->until_ns;
	c->next = r->intervals;
	c->end = r->intervals + r->n_bytes;
	c->n_left = r->n_intervals;
	c->is_open = true;
	return true;
}

bool
wn_switch_next(struct wn_switch_cursor *c, struct wn_switch *out)
{
	struct wn_switch found;
	while (!c->is_over) {
		if (!take_interval(c, &found) && !open_record(c, &found)) {
			found = (struct wn_switch){c->is_open ? c->until_ns : 0, UINT64_MAX,
			                           WN_SWITCH_UNKNOWN};
			c->is_over = true;
		}
		found.begin_ns = since_start(c->trace, found.begin_ns);
		found.end_ns = since_start(c->trace, found.end_ns);
		if (found.begin_ns < found.end_ns) {
			*out = found;
			return true;
		}
	}
	return false;
}

/* --- waits for a CPU ------------------------------------------------------------------------- */

static bool
has_switches_of(const struct wn_trace *t, uint32_t thread)
{
	return first_of(t, thread) < first_of(t, (uint64_t)thread + 1);
}

bool
wn_trace_queue_ns(const struct wn_trace *t, uint64_t *ns)
{
	bool is_known = false;
	*ns = 0;
	for (size_t i = 0; i < t->n_queues; i++)
		if (is_last_queue(t, i) && !has_switches_of(t, t->queues[i].thread)) {
			*ns += t->queues[i].wait_ns;
			is_known = true;
		}
	return is_known;
}

/* Returns the part of a thread's wait in which it was not preempted, nor may have been. */
static uint64_t
woken_ns_of(const struct wn_trace *t, const struct wn_queue_record *q)
{
	struct wn_switch_cursor c;
	struct wn_switch s;
	uint64_t from_ns = since_start(t, q->from_ns), until_ns = since_start(t, q->until_ns),
		 others_ns = 0;
	wn_switch_cursor_init(&c, t, q->thread);
	while (wn_switch_next(&c, &s)) {
		uint64_t a = s.begin_ns > from_ns ? s.begin_ns : from_ns,
			 b = s.end_ns < until_ns ? s.end_ns : until_ns;
		if (s.kind != WN_SWITCH_BLOCKED && a < b)
			others_ns += b - a;
	}
	return q->wait_ns > others_ns ? q->wait_ns - others_ns : 0;
}

bool
wn_trace_woken_ns(const struct wn_trace *t, uint64_t *ns)
{
	bool is_known = false;
	*ns = 0;
	for (size_t i = 0; i < t->n_queues; i++)
		if (is_last_queue(t, i) && has_switches_of(t, t->queues[i].thread)) {
			*ns += woken_ns_of(t, &t->queues[i]);
			is_known = true;
		}
	return is_known;
}
