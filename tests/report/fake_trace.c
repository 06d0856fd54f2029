/* SPDX-License-Identifier: MIT */
#include "fake_trace.h"

#include "trace/hash.h"
#include "trace/trace_reader.h"

#include <stdlib.h>

#define SALT 0x5eed

struct wn_trace_header *
fake_header(struct fake *f)
{
	return (struct wn_trace_header *)(void *)f->bytes;
}

struct wn_block_header *
fake_block(struct fake *f, uint32_t slot)
{
	return (struct wn_block_header *)(void *)(f->bytes + WN_HEADER_BYTES +
	                                          slot * WN_SLOT_BYTES);
}

static void
block_init(struct fake *f, uint32_t slot, uint16_t kind, uint32_t thread)
{
	struct wn_block_header *b = fake_block(f, slot);
	b->magic = WN_BLOCK_MAGIC;
	b->kind = kind;
	b->salt = SALT;
	b->thread_index = thread;
	b->cpu = thread;
	b->os_tid = 1000 + thread;
}

void
fake_init(struct fake *f)
{
	memset(f, 0, sizeof *f);
	struct wn_trace_header *h = fake_header(f);
	memcpy(h->magic, WN_TRACE_MAGIC, sizeof h->magic);
	h->version_major = WN_TRACE_VERSION_MAJOR;
	h->version_minor = WN_TRACE_VERSION_MINOR;
	h->header_bytes = WN_HEADER_BYTES;
	h->slot_bytes = WN_SLOT_BYTES;
	h->clock_kind = WN_CLOCK_MONOTONIC_NS;
	h->salt = SALT;
	h->pid = 1000;
	h->n_cpus = 4;
	memcpy(h->command, "./fake 10", sizeof "./fake 10");
	h->state = WN_STATE_CLOSED;
	h->sources = WN_SOURCE_OMPT;
	h->n_slots = FAKE_THREADS + 1;
	h->end_bytes = FAKE_BYTES;
	h->finished = 1;
	memcpy(h->runtime, "libomp /lib/libomp.so.5", sizeof "libomp /lib/libomp.so.5");
	block_init(f, 0, WN_BLOCK_PROCESS, UINT32_MAX);
	f->next_fact = (uint8_t *)(fake_block(f, 0) + 1);
	for (uint32_t i = 0; i < FAKE_THREADS; i++) {
		block_init(f, i + 1, WN_BLOCK_SEALED, i);
		f->next[i] = (uint8_t *)(fake_block(f, i + 1) + 1);
	}
}

uint64_t
fake_zigzag(int64_t value)
{
	return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static void
put(uint8_t **next, const void *bytes, size_t n)
{
	memcpy(*next, bytes, n);
	*next += n;
}

/* The longest form of a varint: a zero, then eight bytes. */
static void
put_value(uint8_t **next, uint64_t value)
{
	put(next, "", 1);
	put(next, &value, 8);
}

void
fake_event(struct fake *f, uint32_t thread, enum wn_event_code code, uint64_t tick, uint64_t addr,
           const uint64_t *aux_and_values)
{
	uint8_t **next = &f->next[thread];
	const uint8_t *block = (const uint8_t *)fake_block(f, thread + 1);
	if ((size_t)(*next - block) + WN_RECORD_MAX_BYTES > WN_SLOT_BYTES)
		abort();
	put(next, &(uint8_t){(uint8_t)code}, 1);
	if (wn_event_has_time(code)) {
		put_value(next, tick - f->tick[thread]);
		f->tick[thread] = tick;
	}
	if (wn_event_has_site(code)) {
		put(next, &(uint8_t){0x80}, 1);
		put(next, &addr, 8);
		put_value(next, aux_and_values[0]);
	}
	for (unsigned i = 0; i < wn_event_n_values(code); i++)
		put_value(next, aux_and_values[i + 1]);
}

void
fake_fact(struct fake *f, enum wn_process_type type, const void *payload, uint32_t n_bytes)
{
	struct wn_process_record r = {.type = type, .bytes = n_bytes};
	put(&f->next_fact, &r, sizeof r);
	put(&f->next_fact, payload, n_bytes);
	f->next_fact += (8 - n_bytes % 8) % 8;
}

void
fake_number(struct fake *f, enum wn_fact kind, uint64_t value)
{
	struct wn_fact_record r = {.kind = (uint32_t)kind, .value = value};
	fake_fact(f, WN_PROCESS_FACT, &r, sizeof r);
}

static void
block_seal(struct fake *f, uint32_t slot, const uint8_t *next)
{
	struct wn_block_header *b = fake_block(f, slot);
	b->used_bytes = (uint32_t)(next - (const uint8_t *)b);
	if (b->used_bytes == sizeof *b)
		memset(b, 0, sizeof *b); /* never claimed */
	else
		b->hash = wn_block_hash(b, b + 1, b->used_bytes - sizeof *b);
}

void
fake_seal(struct fake *f)
{
	struct wn_trace_header *h = fake_header(f);
	h->static_hash = wn_header_hash(h);
	block_seal(f, 0, f->next_fact);
	for (uint32_t i = 0; i < FAKE_THREADS; i++) {
		block_seal(f, i + 1, f->next[i]);
		if (fake_block(f, i + 1)->used_bytes)
			h->n_threads = i + 1;
	}
}

wn_status
fake_graph(struct fake *f, struct wn_trace **trace, struct wn_graph **graph, wn_err *err)
{
	fake_seal(f);
	*trace = NULL;
	*graph = NULL;
	wn_status st = wn_trace_open_bytes(f->bytes, sizeof f->bytes, trace, err);
	return st == WN_OK ? wn_graph_build(*trace, graph, err) : st;
}
