/* SPDX-License-Identifier: MIT */
/*
 * encode.h - turning events into bytes. Inline, because it is most of the event path.
 *
 * A writer owns one block. wn_writer_room() answers whether one more record fits; after that the
 * put functions cannot fail. wn_writer_commit() makes the record visible to a reader, even if the
 * process dies on the next instruction: bytes first, then used_bytes with release.
 * Nothing here allocates, locks or calls out.
 */
#ifndef WN_TRACE_ENCODE_H
#define WN_TRACE_ENCODE_H

#include "trace/trace_format.h"

#include <stdbool.h>
#include <string.h>

struct wn_writer {
	uint8_t *next;                 /* first free byte */
	uint8_t *limit;                /* a record may start below this: block end - record max */
	struct wn_block_header *block;
	uint64_t last_tick;            /* time of the last timed record */
	uint64_t site_addr[WN_SITE_TABLE_N];
	uint32_t site_aux[WN_SITE_TABLE_N];
};

static inline bool
wn_writer_room(const struct wn_writer *w)
{
	return __builtin_expect(w->next < w->limit, 1);
}

/* Value below 2^56: 1 to 8 bytes; else 9. Writes up to 9 bytes beyond w->next. */
static inline void
wn_put_value(struct wn_writer *w, uint64_t value)
{
	if (__builtin_expect(value < 128, 1)) {
		*w->next++ = (uint8_t)(value << 1 | 1);
		return;
	}
	unsigned bits = 64u - (unsigned)__builtin_clzll(value);
	unsigned n_bytes = (bits * 37u + 222u) >> 8; /* ceil(bits / 7) for bits up to 64 */
	if (__builtin_expect(n_bytes > 8, 0)) {
		*w->next++ = 0;
		memcpy(w->next, &value, 8);
		w->next += 8;
		return;
	}
	uint64_t coded = (value << 1 | 1) << (n_bytes - 1);
	memcpy(w->next, &coded, 8);
	w->next += n_bytes;
}

static inline uint64_t
wn_zigzag(int64_t value)
{
	return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static inline int64_t
wn_unzigzag(uint64_t value)
{
	return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

static inline void
wn_put_code(struct wn_writer *w, enum wn_event_code code)
{
	*w->next++ = (uint8_t)code;
}

/* A tick before the last one is taken as the last one: per-thread time never runs backwards. */
static inline void
wn_put_time(struct wn_writer *w, uint64_t tick)
{
	uint64_t delta = tick > w->last_tick ? tick - w->last_tick : 0;
	w->last_tick += delta;
	wn_put_value(w, delta);
}

static inline void
wn_put_site(struct wn_writer *w, uint64_t addr, uint32_t aux)
{
	unsigned slot = (unsigned)((addr ^ addr >> 6 ^ aux) & (WN_SITE_TABLE_N - 1));
	if (__builtin_expect(w->site_addr[slot] == addr && w->site_aux[slot] == aux, 1)) {
		*w->next++ = (uint8_t)slot;
		return;
	}
	w->site_addr[slot] = addr;
	w->site_aux[slot] = aux;
	*w->next++ = (uint8_t)(slot | 0x80);
	memcpy(w->next, &addr, 8);
	w->next += 8;
	wn_put_value(w, aux);
}

static inline void
wn_writer_commit(struct wn_writer *w)
{
	uint32_t used_bytes = (uint32_t)(w->next - (uint8_t *)w->block);
	/* pairs with nothing in this process: the reader is another one, possibly after our death */
	atomic_store_explicit(&w->block->used_bytes, used_bytes, memory_order_release);
}

/* Starts a fresh block in memory that holds an initialised header; forgets all sites. An entry
 * that is empty has the address UINT64_MAX, which no instruction has. */
static inline void
wn_writer_start(struct wn_writer *w, struct wn_block_header *block, size_t block_bytes)
{
	w->block = block;
	w->next = (uint8_t *)block + sizeof *block;
	w->limit = (uint8_t *)block + block_bytes - WN_RECORD_MAX_BYTES;
	w->last_tick = block->first_tick;
	memset(w->site_addr, 0xff, sizeof w->site_addr);
	wn_writer_commit(w);
}

#endif /* WN_TRACE_ENCODE_H */
