/* SPDX-License-Identifier: MIT */
#include "sample.h"

#include "trace/trace_reader.h"

#include <stdlib.h>
#include <string.h>

struct stream {
	struct wn_writer w;
	uint64_t n_ids, tick, n_events;
	uint32_t n_regions, thread, sequence;
};

struct wn_trace_header *
sample_header(struct sample *s)
{
	return (struct wn_trace_header *)(void *)s->bytes;
}

struct wn_block_header *
sample_block(struct sample *s, uint32_t slot)
{
	return (struct wn_block_header *)(void *)(s->bytes + WN_HEADER_BYTES +
	                                          slot * (size_t)WN_SLOT_BYTES);
}

void
sample_rehash_header(struct sample *s)
{
	sample_header(s)->static_hash = wn_header_hash(sample_header(s));
}

void
sample_rehash(struct sample *s, uint32_t slot)
{
	struct wn_block_header *b = sample_block(s, slot);
	b->hash = wn_block_hash(b, b + 1, b->used_bytes - sizeof *b);
}

static void
start(struct sample *s, struct stream *st, uint32_t slot, uint16_t kind)
{
	struct wn_block_header *b = sample_block(s, slot);
	b->magic = WN_BLOCK_MAGIC;
	b->kind = kind;
	b->salt = sample_header(s)->salt;
	b->thread_index = st->thread;
	b->sequence = st->sequence++;
	b->first_tick = st->tick;
	b->n_ids = st->n_ids;
	b->n_regions = st->n_regions;
	b->cpu = UINT32_MAX;
	b->os_tid = 100 + st->thread;
	wn_writer_start(&st->w, b, WN_SLOT_BYTES);
}

static void
put(struct stream *st, enum wn_event_code code, uint32_t aux, const uint64_t v[5])
{
	uint8_t *at = st->w.next;
	st->tick += 10;
	at = wn_event_has_time(code) ? wn_code_timed(&st->w, at, code, st->tick)
	                             : wn_code_event(at, code);
	if (wn_event_has_site(code))
		at = wn_code_site(&st->w, at, 0x401000 + 16 * (uint64_t)code, aux);
	for (unsigned i = 0; i < wn_event_n_values(code); i++)
		at = wn_code_value(at, v[i]);
	wn_writer_commit(&st->w, at);
	st->n_events++;
	st->n_ids += code == WN_EV_IMPLICIT_BEGIN || code == WN_EV_TASK_CREATE;
	st->n_regions += code == WN_EV_REGION_BEGIN;
}

#define PUT(st, code, aux, ...) put(st, code, aux, (const uint64_t[5]){__VA_ARGS__})

static void
add_record(uint8_t **at, uint32_t type, const void *payload, uint32_t n_bytes)
{
	struct wn_process_record r = {type, n_bytes};
	memcpy(*at, &r, sizeof r);
	memcpy(*at + sizeof r, payload, n_bytes);
	*at += sizeof r + ((n_bytes + 7u) & ~7u);
}

static void
add_counter(uint8_t **at, uint32_t number, const char *name)
{
	uint8_t payload[64];
	struct wn_counter_record c = {
	    .number = number, .name_bytes = (uint16_t)strlen(name), .by_bytes = 6};
	memcpy(payload, &c, sizeof c);
	memcpy(payload + sizeof c, name, c.name_bytes);
	memcpy(payload + sizeof c + c.name_bytes, "sample", 6);
	add_record(at, WN_PROCESS_COUNTER, payload, (uint32_t)sizeof c + c.name_bytes + 6);
}

static void
add_process(struct sample *s)
{
	struct wn_block_header *b = sample_block(s, 0);
	uint8_t *at = (uint8_t *)(b + 1), module[64] = {0};
	struct wn_module_record m = {0x400000, 0x400000, 0x480000, 4, 6};
	memcpy(module, &m, sizeof m);
	memcpy(module + sizeof m, "\1\2\3\4/bin/x", 10);
	b->magic = WN_BLOCK_MAGIC;
	b->kind = WN_BLOCK_PROCESS;
	b->salt = sample_header(s)->salt;
	b->thread_index = UINT32_MAX;
	add_record(&at, WN_PROCESS_MODULE, module, sizeof m + 10);
	add_record(&at, WN_PROCESS_ARGV, "x\0001", 4);
	add_record(&at, WN_PROCESS_ENV, "OMP_NUM_THREADS=2", 17);
	add_counter(&at, 0, "cycles");
	add_counter(&at, 1, "instructions");
	add_record(&at, 99, "of a later version", 18);
	b->used_bytes = (uint32_t)(at - (uint8_t *)b);
	sample_rehash(s, 0);
}

/* Runs half of the tasks that thread 0 made (numbers 2 .. SAMPLE_TASKS_N + 1). */
static void
run_tasks(struct stream *st, uint32_t odd, uint32_t first, uint32_t n)
{
	for (uint32_t i = first; i < first + n; i++) {
		if (i % 2 != odd)
			continue;
		if (st->thread == 0)
			PUT(st, WN_EV_TASK_BEGIN_OWN, 0, st->n_ids - (2 + i));
		else
			PUT(st, WN_EV_TASK_BEGIN, 0, 0, 2 + i);
		PUT(st, WN_EV_COUNTS, 0, 0, 1000, 2500 + i, 0, 0);
		PUT(st, WN_EV_TASK_END, 0, 0);
	}
}

void
sample_make(struct sample *s)
{
	struct stream a = {.tick = 2000, .thread = 0}, b = {.tick = 2400, .thread = 1};
	s->bytes = calloc(SAMPLE_BYTES, 1);
	if (!s->bytes)
		abort();
	struct wn_trace_header *h = sample_header(s);
	memcpy(h->magic, WN_TRACE_MAGIC, sizeof h->magic);
	h->version_major = WN_TRACE_VERSION_MAJOR;
	h->header_bytes = WN_HEADER_BYTES;
	h->slot_bytes = WN_SLOT_BYTES;
	h->clock_kind = WN_CLOCK_MONOTONIC_NS;
	h->salt = 0x5a175a175a175a17u;
	h->start_tick = 1000;
	h->state = WN_STATE_CLOSED;
	h->n_threads = 2;
	h->n_slots = SAMPLE_SLOTS_N;
	h->end_bytes = SAMPLE_BYTES;
	sample_rehash_header(s);
	add_process(s);

	start(s, &a, 1, WN_BLOCK_SEALED);
	PUT(&a, WN_EV_THREAD, 0, 100);
	PUT(&a, WN_EV_COUNTING, 0, 3);
	PUT(&a, WN_EV_REGION_BEGIN, 0, 2);
	PUT(&a, WN_EV_IMPLICIT_BEGIN, 0, 0, 1, 2, 0);
	for (uint32_t i = 0; i < SAMPLE_TASKS_N / 2; i++) {
		PUT(&a, WN_EV_TASK_CREATE, WN_TASK_UNTIED, 0);
		PUT(&a, WN_EV_CREATE_END, 0, 0);
	}
	start(s, &a, 3, WN_BLOCK_SEALED);
	for (uint32_t i = SAMPLE_TASKS_N / 2; i < SAMPLE_TASKS_N; i++) {
		PUT(&a, WN_EV_TASK_CREATE, WN_TASK_UNTIED, 0);
		PUT(&a, WN_EV_CREATE_END, 0, 0);
	}
	PUT(&a, WN_EV_SYNC_BEGIN, WN_SYNC_BARRIER_REGION, 0);
	b.tick = a.tick - 300;
	start(s, &b, 2, WN_BLOCK_SEALED);
	PUT(&b, WN_EV_THREAD, 0, 101);
	PUT(&b, WN_EV_COUNTING, 0, 3);
	PUT(&b, WN_EV_COUNT_SHARE, 0, 1, 400, 100);
	PUT(&b, WN_EV_IMPLICIT_BEGIN, 0, 0, 1, 2, 1);
	PUT(&b, WN_EV_SYNC_BEGIN, WN_SYNC_BARRIER_REGION, 0);
	b.tick = a.tick + 5;
	run_tasks(&b, 1, 0, SAMPLE_TASKS_N / 2);
	start(s, &b, 5, WN_BLOCK_WINDOW);
	run_tasks(&b, 1, SAMPLE_TASKS_N / 2, SAMPLE_TASKS_N / 2);
	start(s, &a, 6, WN_BLOCK_WINDOW);
	run_tasks(&a, 0, 0, SAMPLE_TASKS_N);
	a.tick = (a.tick > b.tick ? a.tick : b.tick) + 50;
	b.tick = a.tick;
	PUT(&b, WN_EV_SYNC_END, 0, 0);
	PUT(&b, WN_EV_IMPLICIT_END, 0, 0);
	a.tick = b.tick + 5;
	PUT(&a, WN_EV_SYNC_END, 0, 0);
	PUT(&a, WN_EV_IMPLICIT_END, 0, 0);
	PUT(&a, WN_EV_REGION_END, 0, 0);
	sample_rehash(s, 1);
	sample_rehash(s, 2);
	sample_rehash(s, 3);
	memcpy(sample_block(s, 7), sample_block(s, 6), WN_SLOT_BYTES);
	sample_block(s, 7)->kind = WN_BLOCK_SEALED;
	sample_rehash(s, 7);
	s->n_events = a.n_events + b.n_events;
}

void
sample_free(struct sample *s)
{
	free(s->bytes);
	s->bytes = NULL;
}
