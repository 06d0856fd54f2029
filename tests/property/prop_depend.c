/* SPDX-License-Identifier: MIT */
/*
 * prop_depend.c - what finding dependences costs: twice the tasks, twice the steps, whatever the
 * shape. Steps are links, table entries and edges looked at, which no machine changes. WN_TASKS=n
 * for more tasks, with times.
 */
#include "base/mem.h"
#include "graph/graph.h"
#include "tests/tap.h"
#include "trace/encode.h"
#include "trace/hash.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

enum shape { CHAIN, SETS, GRID, WIDE, ALL, SHAPES_N };

static const char *const names[SHAPES_N] = {
    "a chain", "sets of a thousand after sets of a thousand", "a grid of five-point stencils",
    "tasks with twenty addresses each", "all memory after every tenth task"};

struct writer {
	struct wn_writer w;
	uint8_t *bytes, *at;
	uint32_t sequence, n_ids, n_regions;
	uint64_t tick;
};

static struct wn_block_header *
block_of(struct writer *w)
{
	return (struct wn_block_header *)(void *)w->at;
}

static void
block_end(struct writer *w)
{
	struct wn_block_header *b = block_of(w);
	b->kind = WN_BLOCK_SEALED;
	b->hash = wn_block_hash(b, b + 1, b->used_bytes - sizeof *b);
	w->at += WN_SLOT_BYTES;
}

static void
block_begin(struct writer *w)
{
	struct wn_block_header *b = block_of(w);
	b->magic = WN_BLOCK_MAGIC;
	b->kind = WN_BLOCK_WINDOW;
	b->salt = 1;
	b->sequence = w->sequence++;
	b->first_tick = w->tick;
	b->n_ids = w->n_ids;
	b->n_regions = w->n_regions;
	b->cpu = UINT32_MAX;
	wn_writer_start(&w->w, b, WN_SLOT_BYTES);
}

static void
put(struct writer *w, enum wn_event_code code, uint32_t aux, const uint64_t *v)
{
	if (!wn_writer_room(&w->w)) {
		block_end(w);
		block_begin(w);
	}
	uint8_t *at = wn_event_has_time(code) ? wn_code_timed(&w->w, w->w.next, code, ++w->tick)
	                                      : wn_code_event(w->w.next, code);
	if (wn_event_has_site(code))
		at = wn_code_site(&w->w, at, 0x1000, aux);
	for (unsigned i = 0; i < wn_event_n_values(code); i++)
		at = wn_code_value(at, v[i]);
	wn_writer_commit(&w->w, at);
	w->n_ids += code == WN_EV_IMPLICIT_BEGIN || code == WN_EV_TASK_CREATE;
	w->n_regions += code == WN_EV_REGION_BEGIN;
}

static void
clause(struct writer *w, uint64_t kind, uint64_t address)
{
	put(w, WN_EV_DEPEND, 0, (const uint64_t[]){kind, address});
}

/* The clauses of task i; how many. */
static uint32_t
clauses(struct writer *w, enum shape shape, uint64_t i)
{
	switch (shape) {
	case SETS:
		clause(w, i / 1000 % 2 ? WN_DEPEND_IN : WN_DEPEND_INOUTSET, 0x8000);
		return 1;
	case GRID: {
		const uint64_t at[5] = {0, 1, 8, UINT64_MAX, UINT64_MAX - 7};
		for (uint32_t k = 0; k < 5; k++)
			clause(w, k ? WN_DEPEND_IN : WN_DEPEND_INOUT,
			       0x8000 + 8 * ((i * 7 + at[k]) % 4096));
		return 5;
	}
	case WIDE:
		for (uint64_t k = 0; k < 20; k++)
			clause(w, (i + k) % 3 ? WN_DEPEND_IN : WN_DEPEND_OUT,
			       0x8000 + 8 * ((i + k * k) % 97));
		return 20;
	case ALL:
		if (i % 10 == 9)
			clause(w, WN_DEPEND_ALL_MEMORY, 0);
		else
			clause(w, WN_DEPEND_MUTEXINOUTSET, 0x8000 + 8 * i);
		return 1;
	case CHAIN:
	case SHAPES_N:
		break;
	}
	clause(w, WN_DEPEND_INOUT, 0x8000);
	return 1;
}

struct cost {
	uint64_t n_clauses, n_steps, n_edges;
	double seconds;
	bool is_right;
};

static double
now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct cost
cost_of(enum shape shape, uint64_t n)
{
	struct cost cost = {0};
	size_t size = WN_HEADER_BYTES + ((size_t)n * 220 / WN_SLOT_BYTES + 2) * WN_SLOT_BYTES;
	struct writer w = {.bytes = calloc(size, 1)};
	if (!w.bytes)
		abort();
	w.at = w.bytes + WN_HEADER_BYTES;
	block_begin(&w);
	put(&w, WN_EV_REGION_BEGIN, 0, (const uint64_t[]){2});
	put(&w, WN_EV_IMPLICIT_BEGIN, 0, (const uint64_t[]){0, 1, 2, 0});
	for (uint64_t i = 0; i < n; i++) {
		put(&w, WN_EV_TASK_CREATE, WN_TASK_DEPENDENT, NULL);
		cost.n_clauses += clauses(&w, shape, i);
		put(&w, WN_EV_CREATE_END, 0, NULL);
		put(&w, WN_EV_TASK_BEGIN_OWN, 0, (const uint64_t[]){0});
		put(&w, WN_EV_TASK_END, 0, NULL);
	}
	put(&w, WN_EV_SYNC_BEGIN, WN_SYNC_BARRIER_REGION, NULL);
	put(&w, WN_EV_SYNC_END, 0, NULL);
	put(&w, WN_EV_IMPLICIT_END, 0, NULL);
	put(&w, WN_EV_REGION_END, 0, NULL);
	block_end(&w);
	struct wn_trace_header h = {.version_major = WN_TRACE_VERSION_MAJOR,
	                            .header_bytes = WN_HEADER_BYTES,
	                            .slot_bytes = WN_SLOT_BYTES,
	                            .clock_kind = WN_CLOCK_MONOTONIC_NS,
	                            .salt = 1,
	                            .n_threads = 1,
	                            .state = WN_STATE_CLOSED};
	memcpy(h.magic, WN_TRACE_MAGIC, sizeof h.magic);
	h.static_hash = wn_header_hash(&h);
	h.n_slots = w.sequence;
	memcpy(w.bytes, &h, sizeof h);
	struct wn_trace *trace;
	struct wn_graph *g;
	wn_err err;
	double from = now();
	if (wn_trace_open_bytes(w.bytes, (size_t)(w.at - w.bytes), &trace, &err) == WN_OK) {
		if (wn_graph_build(trace, &g, &err) == WN_OK) {
			cost.seconds = now() - from;
			cost.n_steps = g->n_dep_steps;
			cost.n_edges = g->n_dependences;
			cost.is_right = wn_graph_check(g, &err) == WN_OK && g->n_dependents == n;
			wn_graph_free(g);
		}
		wn_trace_close(trace);
	}
	if (!cost.is_right)
		note("%s: %s", names[shape], err.msg);
	free(w.bytes);
	return cost;
}

int
main(void)
{
	const char *text = getenv("WN_TASKS");
	uint64_t n = text ? strtoull(text, NULL, 10) : 20000;
	for (enum shape shape = CHAIN; shape < SHAPES_N; shape++) {
		struct cost once = cost_of(shape, n), twice = cost_of(shape, 2 * n);
		ok(once.is_right && twice.is_right, "%s: all laws hold", names[shape]);
		ok(twice.n_steps <= once.n_steps * 21 / 10 && twice.n_steps <= 16 * twice.n_clauses,
		   "%s: %" PRIu64 " clauses take %" PRIu64 " steps, %" PRIu64 " take %" PRIu64,
		   names[shape], once.n_clauses, once.n_steps, twice.n_clauses, twice.n_steps);
		ok(twice.n_edges <= once.n_edges * 22 / 10 && twice.n_edges <= 4 * twice.n_clauses,
		   "%s: and give %" PRIu64 " and %" PRIu64 " edges", names[shape], once.n_edges,
		   twice.n_edges);
		if (text)
			note("%.2f s and %.2f s", once.seconds, twice.seconds);
	}
	ok(wn_mem_live() == 0, "no memory is left");
	return done();
}
