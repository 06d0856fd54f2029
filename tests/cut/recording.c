/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct wn_block_header *
header_at(const struct recording *r, uint64_t offset)
{
	return (struct wn_block_header *)(void *)(r->bytes + offset);
}

static uint64_t
slot_of(uint64_t end)
{
	return (end - 1 - WN_HEADER_BYTES) / WN_SLOT_BYTES * WN_SLOT_BYTES + WN_HEADER_BYTES;
}

static bool
read_file(struct recording *r, const char *path)
{
	FILE *in = fopen(path, "rb");
	long size = -1;
	if (in && fseek(in, 0, SEEK_END) == 0)
		size = ftell(in);
	if (size > 0) {
		r->size_bytes = (size_t)size;
		r->bytes = malloc(r->size_bytes);
		r->original = malloc(r->size_bytes);
		rewind(in);
	}
	bool is_read =
	    r->original && r->bytes && fread(r->original, 1, r->size_bytes, in) == r->size_bytes;
	if (in)
		fclose(in);
	if (is_read)
		memcpy(r->bytes, r->original, r->size_bytes);
	return is_read;
}

static uint32_t
ids_of(const struct wn_event *e)
{
	switch ((int)e->code) {
	case WN_EV_TASK_CREATE:
	case WN_EV_TASK_CREATE_BY:
	case WN_EV_CHUNK_BEGIN:
	case WN_EV_SECTION_BEGIN:
		return 1;
	case WN_EV_STATIC_BEGIN:
		return (uint32_t)e->v[1];
	default:
		return 0;
	}
}

static void
add_event(struct recording *r, const struct wn_cursor *c, const struct wn_event *e)
{
	if ((r->n_events & (r->n_events - 1)) == 0) {
		size_t capacity = r->n_events ? r->n_events * 2 : 1;
		r->events = realloc(r->events, capacity * sizeof *r->events);
		if (!r->events)
			abort();
	}
	r->events[r->n_events++] = (struct cut_event){.tick = e->tick,
	                                              .end = (uint64_t)(c->next - r->bytes),
	                                              .thread = c->thread,
	                                              .code = (uint8_t)e->code,
	                                              .n_ids = ids_of(e)};
}

static void
add_block(struct recording *r, uint64_t offset)
{
	const struct wn_block_header *h = header_at(r, offset);
	r->blocks[r->n_blocks++] = (struct cut_block){offset, h->thread_index, h->sequence};
}

/* Blocks of threads as the slots hold them, copies too. */
static void
find_blocks(struct recording *r)
{
	r->blocks = calloc(r->size_bytes / WN_SLOT_BYTES + 1, sizeof *r->blocks);
	if (!r->blocks)
		abort();
	for (uint64_t at = WN_HEADER_BYTES; at + sizeof(struct wn_block_header) <= r->size_bytes;
	     at += WN_SLOT_BYTES) {
		const struct wn_block_header *h = header_at(r, at);
		if (h->magic == WN_BLOCK_MAGIC && h->used_bytes &&
		    (h->kind == WN_BLOCK_WINDOW || h->kind == WN_BLOCK_SEALED))
			add_block(r, at);
	}
}

static bool
read_events(struct recording *r, struct wn_trace *trace)
{
	struct wn_cursor c;
	struct wn_event e;
	r->n_threads = wn_trace_n_threads(trace);
	r->first = calloc((size_t)r->n_threads + 1, sizeof *r->first);
	if (!r->first)
		abort();
	for (uint32_t i = 0; i < r->n_threads; i++) {
		r->first[i] = r->n_events;
		wn_cursor_init(&c, trace, i);
		while (wn_cursor_next(&c, &e) > 0)
			if (e.code != WN_EV_GAP)
				add_event(r, &c, &e);
	}
	r->first[r->n_threads] = r->n_events;
	const struct wn_damage *d = wn_trace_damage(trace);
	return !d->n_bad_blocks && !d->n_gaps && !d->n_bad_bytes && !d->n_dropped && !d->is_cut;
}

static const struct cut_event *sorted; /* qsort has no room for it */

static int
compare_events(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;
	uint64_t ta = sorted[*a].tick, tb = sorted[*b].tick;
	if (ta != tb)
		return ta < tb ? -1 : 1;
	return *a < *b ? -1 : *a > *b;
}

bool
recording_load(struct recording *r, const char *path, char reason[200])
{
	struct wn_trace *trace;
	wn_err err = {.msg = "it cannot be read"};
	memset(r, 0, sizeof *r);
	if (!read_file(r, path) ||
	    wn_trace_open_bytes(r->bytes, r->size_bytes, &trace, &err) != WN_OK) {
		snprintf(reason, 200, "%s", err.msg);
		return false;
	}
	bool is_whole = read_events(r, trace);
	wn_trace_close(trace);
	find_blocks(r);
	r->by_time = calloc(r->n_events + 1, sizeof *r->by_time);
	if (!r->by_time)
		abort();
	for (size_t i = 0; i < r->n_events; i++)
		r->by_time[i] = (uint32_t)i;
	sorted = r->events;
	if (r->n_events)
		qsort(r->by_time, r->n_events, sizeof *r->by_time, compare_events);
	snprintf(reason, 200, "%s", r->n_events ? "it is damaged" : "it has no event");
	return is_whole && r->n_events;
}

void
recording_free(struct recording *r)
{
	free(r->bytes);
	free(r->original);
	free(r->events);
	free(r->first);
	free(r->by_time);
	free(r->blocks);
}

/* Only headers differ from the original. */
static void
restore(struct recording *r)
{
	memcpy(r->bytes, r->original, sizeof(struct wn_trace_header));
	for (size_t i = 0; i < r->n_blocks; i++)
		memcpy(r->bytes + r->blocks[i].offset, r->original + r->blocks[i].offset,
		       sizeof(struct wn_block_header));
}

static void
forget_block(struct recording *r, size_t i)
{
	memset(r->bytes + r->blocks[i].offset, 0, sizeof(struct wn_block_header));
}

static void
cut_thread(struct recording *r, uint32_t thread, size_t n_kept)
{
	const struct cut_event *last = n_kept ? &r->events[r->first[thread] + n_kept - 1] : NULL;
	uint64_t offset = last ? slot_of(last->end) : 0;
	uint32_t sequence = last ? header_at(r, offset)->sequence : 0;
	for (size_t i = 0; i < r->n_blocks; i++) {
		const struct cut_block *b = &r->blocks[i];
		bool is_over = !last || b->sequence > sequence ||
		               (b->sequence == sequence && b->offset != offset);
		if (b->thread == thread && is_over)
			forget_block(r, i);
	}
	if (!last)
		return;
	struct wn_block_header *h = header_at(r, offset);
	h->kind = WN_BLOCK_WINDOW;
	h->hash = 0;
	h->n_dropped_after = 0;
	h->used_bytes = (uint32_t)(last->end - offset);
}

void
recording_cut(struct recording *r, const size_t *keep)
{
	restore(r);
	struct wn_trace_header *h = (struct wn_trace_header *)(void *)r->bytes;
	h->state = WN_STATE_RECORDING;
	h->finished = 0;
	for (uint32_t i = 0; i < r->n_threads; i++)
		if (keep[i] < r->first[i + 1] - r->first[i])
			cut_thread(r, i, keep[i]);
}

void
recording_lose(struct recording *r, size_t block)
{
	forget_block(r, block);
}
