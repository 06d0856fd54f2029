/* SPDX-License-Identifier: MIT */
#include "emit.h"

#include "trace/encode.h"
#include "trace/hash.h"
#include "trace/trace_reader.h"

#include <stdlib.h>
#include <string.h>

#define START_TICK      500u
#define EVENT_BYTES_MAX 256u /* more than any event takes */

struct file {
	uint8_t *slots; /* n of WN_SLOT_BYTES */
	size_t n, capacity;
	uint64_t salt;
};

struct stream {
	struct wn_writer w;
	struct wn_block_header *block; /* WN_SLOT_BYTES of memory */
	uint32_t n_ids, n_regions, depth;
};

void
emit_options_init(struct emit_options *options, uint64_t seed)
{
	memset(options, 0, sizeof *options);
	options->scale = 1;
	options->seed = seed;
	for (uint8_t i = 0; i < THREADS_MAX; i++)
		options->thread[i] = i;
}

static void
add_slot(struct file *f, const void *block)
{
	if (f->n == f->capacity) {
		f->capacity = f->capacity ? f->capacity * 2 : 16;
		f->slots = realloc(f->slots, f->capacity * WN_SLOT_BYTES);
		if (!f->slots)
			abort();
	}
	uint8_t *slot = f->slots + f->n++ * WN_SLOT_BYTES;
	memset(slot, 0, WN_SLOT_BYTES);
	if (!block)
		return;
	struct wn_block_header h;
	memcpy(&h, block, sizeof h);
	memcpy(slot, block, h.used_bytes);
}

static void
add_sealed(struct file *f, const struct wn_block_header *block)
{
	struct wn_block_header *slot;
	add_slot(f, block);
	slot = (struct wn_block_header *)(void *)(f->slots + (f->n - 1) * WN_SLOT_BYTES);
	slot->kind = WN_BLOCK_SEALED;
	slot->hash = wn_block_hash(slot, slot + 1, slot->used_bytes - sizeof *slot);
}

static void
start_block(struct stream *st, uint32_t thread, uint32_t sequence, uint64_t salt, uint64_t tick)
{
	struct wn_block_header *b = st->block;
	memset(b, 0, sizeof *b);
	b->magic = WN_BLOCK_MAGIC;
	b->kind = WN_BLOCK_WINDOW;
	b->salt = salt;
	b->thread_index = thread;
	b->sequence = sequence;
	b->first_tick = tick;
	b->n_ids = st->n_ids;
	b->n_regions = st->n_regions;
	b->depth = st->depth;
	b->cpu = UINT32_MAX;
	b->os_tid = 100 + thread;
	wn_writer_start(&st->w, b, WN_SLOT_BYTES);
}

/* Ids and thread numbers as the trace names them. */
static void
rename_values(const struct sim_event *e, const struct emit_options *o, uint64_t v[5])
{
	memcpy(v, e->v, 5 * sizeof *v);
	if (e->code == WN_EV_TASK_BEGIN || e->code == WN_EV_IMPLICIT_BEGIN ||
	    e->code == WN_EV_TASK_FULFILL)
		v[0] = o->thread[v[0]];
	if (e->code == WN_EV_TASK_SWITCH)
		v[1] = o->thread[v[1]];
}

static void
put_event(struct stream *st, const struct sim_event *e, const struct emit_options *o, uint64_t tick)
{
	enum wn_event_code code = (enum wn_event_code)e->code;
	uint64_t v[5];
	rename_values(e, o, v);
	uint8_t *at = st->w.next;
	at = wn_event_has_time(code) ? wn_code_timed(&st->w, at, code, tick)
	                             : wn_code_event(at, code);
	if (e->has_site)
		at = wn_code_site(&st->w, at, e->addr, e->aux);
	for (unsigned i = 0; i < wn_event_n_values(code); i++)
		at = wn_code_value(at, v[i]);
	wn_writer_commit(&st->w, at);
	st->n_regions += code == WN_EV_REGION_BEGIN;
	st->n_ids += code == WN_EV_IMPLICIT_BEGIN || code == WN_EV_TASK_CREATE ||
	             code == WN_EV_CHUNK_BEGIN || code == WN_EV_SECTION_BEGIN;
	st->n_ids += code == WN_EV_STATIC_BEGIN ? (uint32_t)v[1] : 0;
}

/* Tells, before an event that has a time, what has been counted since the last one. */
static void
put_counts(struct stream *st, const struct sim_event *e, const struct emit_options *o,
           uint32_t thread, uint64_t *counted)
{
	struct sim_event counts = {.code = WN_EV_COUNTS};
	uint64_t now = sim_counted(thread, e->at);
	if (!wn_event_has_time((enum wn_event_code)e->code) || now == *counted)
		return;
	counts.v[1] = now - *counted;
	*counted = now;
	put_event(st, &counts, o, 0);
}

/* Names the counter. */
static void
add_counter(struct file *f)
{
	static _Alignas(8) uint8_t memory[256];
	struct wn_block_header *b = (struct wn_block_header *)(void *)memory;
	struct wn_counter_record counter = {.name_bytes = 5, .by_bytes = 6};
	struct wn_process_record record = {WN_PROCESS_COUNTER, sizeof counter + 11};
	uint8_t *at = memory + sizeof *b;
	memset(memory, 0, sizeof memory);
	memcpy(at, &record, sizeof record);
	memcpy(at + sizeof record, &counter, sizeof counter);
	memcpy(at + sizeof record + sizeof counter, "stepsoracle", 11);
	*b = (struct wn_block_header){.magic = WN_BLOCK_MAGIC,
	                              .salt = f->salt,
	                              .thread_index = UINT32_MAX,
	                              .used_bytes = sizeof *b + sizeof record + 24};
	b->kind = WN_BLOCK_PROCESS;
	b->hash = wn_block_hash(b, b + 1, b->used_bytes - sizeof *b);
	add_slot(f, b);
}

/* A record of a thread's switches from the first on that is not written, a few of them. */
static uint8_t *
put_switches(uint8_t *at, uint32_t thread, const struct emit_switches *w, size_t *next,
             uint64_t *from, struct random *random)
{
	struct wn_switches_record r = {.thread = thread, .from_ns = *from};
	uint8_t *payload = at + sizeof(struct wn_process_record), *end = payload + sizeof r;
	for (; *next < w->n && !random_one_in(random, 6); ++*next) {
		end = wn_code_value(end, w->items[*next].from - *from);
		end = wn_code_value(end, (w->items[*next].to - w->items[*next].from)
		                                 << WN_SWITCH_KIND_BITS |
		                             w->items[*next].kind);
		*from = w->items[*next].to;
		r.n_intervals++;
	}
	r.until_ns = *next < w->n ? *from : WN_NS_MAX;
	struct wn_process_record record = {WN_PROCESS_SWITCHES, (uint32_t)(end - payload)};
	memcpy(at, &record, sizeof record);
	memcpy(payload, &r, sizeof r);
	while ((end - payload) % 8)
		*end++ = 0;
	return end;
}

static void
add_switches(struct file *f, const struct sim *s, const struct emit_options *o,
             struct random *random)
{
	static _Alignas(8) uint8_t memory[WN_SLOT_BYTES];
	struct wn_block_header *b = (struct wn_block_header *)(void *)memory;
	uint8_t *at = memory + sizeof *b;
	memset(memory, 0, sizeof memory);
	for (uint32_t i = 0; i < s->n_threads; i++) {
		size_t next = 0;
		uint64_t from = 0;
		do
			at = put_switches(at, o->thread[i], &o->switches[i], &next, &from, random);
		while (next < o->switches[i].n);
	}
	*b = (struct wn_block_header){.magic = WN_BLOCK_MAGIC,
	                              .salt = f->salt,
	                              .thread_index = UINT32_MAX,
	                              .used_bytes = (uint32_t)(at - memory)};
	b->kind = WN_BLOCK_PROCESS;
	b->hash = wn_block_hash(b, b + 1, b->used_bytes - sizeof *b);
	add_slot(f, b);
}

static void
add_calibration(struct file *f, const char *text)
{
	static _Alignas(8) uint8_t memory[WN_SLOT_BYTES];
	struct wn_block_header *b = (struct wn_block_header *)(void *)memory;
	struct wn_process_record r = {WN_PROCESS_CALIBRATION, (uint32_t)strlen(text)};
	memset(memory, 0, sizeof memory);
	memcpy(memory + sizeof *b, &r, sizeof r);
	memcpy(memory + sizeof *b + sizeof r, text, r.bytes);
	*b = (struct wn_block_header){.magic = WN_BLOCK_MAGIC,
	                              .salt = f->salt,
	                              .thread_index = UINT32_MAX,
	                              .used_bytes = (uint32_t)(sizeof *b + sizeof r + r.bytes)};
	b->kind = WN_BLOCK_PROCESS;
	b->hash = wn_block_hash(b, b + 1, b->used_bytes - sizeof *b);
	add_slot(f, b);
}

static void
emit_thread(const struct sim *s, uint32_t thread, const struct emit_options *o, struct file *f,
            struct random *random, uint32_t split)
{
	static _Alignas(8) uint8_t memory[WN_SLOT_BYTES];
	const struct sim_thread *t = &s->threads[thread];
	struct stream st = {.block = (struct wn_block_header *)(void *)memory};
	uint32_t sequence = 0;
	bool has_counter = o->has_counter && !(o->without_counter >> thread & 1);
	uint64_t offset = START_TICK + (o->has_offsets ? thread : 0);
	start_block(&st, o->thread[thread], sequence, f->salt, START_TICK);
	struct sim_event first = {.code = WN_EV_THREAD, .v = {100 + thread}};
	put_event(&st, &first, o, 0);
	struct sim_event counting = {.code = WN_EV_COUNTING, .v = {1}};
	uint64_t counted = t->n_events ? sim_counted(thread, t->events[0].at) : 0;
	if (has_counter)
		put_event(&st, &counting, o, 0);
	for (size_t i = 0; i < t->n_events; i++) {
		bool is_full = o->is_packed && (size_t)(st.w.limit - st.w.next) < EVENT_BYTES_MAX;
		if (o->is_packed ? is_full : random_one_in(random, split)) {
			add_sealed(f, st.block);
			start_block(&st, o->thread[thread], ++sequence, f->salt, st.w.last_tick);
		}
		if (has_counter)
			put_counts(&st, &t->events[i], o, thread, &counted);
		put_event(&st, &t->events[i], o, t->events[i].at * o->scale + offset);
	}
	/* the last block: sealed, a window, or both */
	uint32_t how = random_below(random, 3);
	if (how != 1)
		add_sealed(f, st.block);
	if (how != 0)
		add_slot(f, st.block);
	if (random_one_in(random, 9))
		add_slot(f, NULL);
}

static void
shuffle(struct file *f, struct random *random)
{
	static uint8_t swap[WN_SLOT_BYTES];
	for (size_t i = f->n; i > 1; i--) {
		size_t k = random_below(random, (uint32_t)i);
		uint8_t *a = f->slots + (i - 1) * WN_SLOT_BYTES, *b = f->slots + k * WN_SLOT_BYTES;
		if (a == b)
			continue;
		memcpy(swap, a, sizeof swap);
		memcpy(a, b, sizeof swap);
		memcpy(b, swap, sizeof swap);
	}
}

struct emitted
emit(const struct sim *s, const struct emit_options *o)
{
	struct random random = {o->seed};
	struct file f = {.salt = random_next(&random)};
	struct wn_trace_header h = {.version_major = WN_TRACE_VERSION_MAJOR,
	                            .header_bytes = WN_HEADER_BYTES,
	                            .slot_bytes = WN_SLOT_BYTES,
	                            .clock_kind = WN_CLOCK_MONOTONIC_NS,
	                            .salt = f.salt,
	                            .start_tick = START_TICK,
	                            .n_cpus = 4,
	                            .pid = 1};
	/* few blocks mostly, since a slot is large; now and then one for every few events */
	uint32_t split = random_one_in(&random, 40) ? 4 : 150;
	for (uint32_t i = 0; i < s->n_threads; i++)
		emit_thread(s, i, o, &f, &random, split);
	if (o->has_counter)
		add_counter(&f);
	if (o->switches)
		add_switches(&f, s, o, &random);
	if (o->calibration)
		add_calibration(&f, o->calibration);
	if (f.n < 64)
		shuffle(&f, &random);
	memcpy(h.magic, WN_TRACE_MAGIC, sizeof h.magic);
	h.static_hash = wn_header_hash(&h);
	h.state = WN_STATE_CLOSED;
	h.n_threads = s->n_threads;
	h.n_slots = (uint32_t)f.n;
	h.end_bytes = WN_HEADER_BYTES + f.n * WN_SLOT_BYTES;
	struct emitted out = {NULL, WN_HEADER_BYTES + f.n * WN_SLOT_BYTES};
	out.bytes = calloc(out.size_bytes, 1);
	if (!out.bytes)
		abort();
	memcpy(out.bytes, &h, sizeof h);
	memcpy(out.bytes + WN_HEADER_BYTES, f.slots, f.n * WN_SLOT_BYTES);
	free(f.slots);
	return out;
}
