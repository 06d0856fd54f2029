/* SPDX-License-Identifier: MIT */
/*
 * encode.h - encodes events as bytes. Inline, because it is most of the event path.
 *
 * A writer owns one block. wn_writer_room() returns whether WN_WRITER_BURST more records fit;
 * after that nothing can fail. The code functions take the position to write at and return the
 * position after: a record is built through a local pointer, and wn_writer_commit() makes it
 * visible to a reader, even if the process dies on the next instruction: bytes first, then
 * used_bytes with release. (Bytes written through the writer's own pointer might alias that
 * pointer, so a compiler would reload and store it for each byte.) Nothing here allocates, locks
 * or calls out.
 */
#pragma once

#include "trace/trace_format.h"

#include <stdbool.h>
#include <string.h>

/* Number of records that fit if wn_writer_room() returned true. */
#define WN_WRITER_BURST 3u

struct wn_site_entry {
	uint64_t addr;
	uint64_t aux;
};

struct wn_writer {
	uint8_t *next;  /* first free byte */
	uint8_t *limit; /* a burst of records fits below this */
	struct wn_block_header *block;
	uint64_t last_tick; /* time of the last timed record */
	struct wn_site_entry site[WN_SITE_TABLE_N];
	uint32_t n_replaced; /* sites that replaced another one */
};

/* Fills the header's event_shape. */
static inline void
wn_code_shapes(uint8_t shapes[WN_SHAPES_N])
{
	memset(shapes, 0, WN_SHAPES_N);
#define WN_EVENT(name, code, time, site, n, values, text)                                          \
	shapes[code] =                                                                             \
	    WN_SHAPE_KNOWN | ((time) ? WN_SHAPE_TIME : 0) | ((site) ? WN_SHAPE_SITE : 0) | (n);
#include "trace/events.def"
#undef WN_EVENT
}

static inline bool
wn_writer_room(const struct wn_writer *w)
{
	return __builtin_expect(w->next < w->limit, 1);
}

/* Size of the varint of a value below 2^56: ceil(bits / 7), at least 1. */
static inline unsigned
wn_value_bytes(uint64_t value)
{
	unsigned bits = 64u - (unsigned)__builtin_clzll(value | 1);
	return (bits * 37u + 222u) >> 8;
}

/* Encodes a varint: 1 to 8 bytes for values below 2^56, else 9. Writes up to 9 bytes at `at`. */
static inline uint8_t *
wn_code_value(uint8_t *at, uint64_t value)
{
	if (__builtin_expect(value < 128, 1)) {
		*at = (uint8_t)(value << 1 | 1);
		return at + 1;
	}
	if (__builtin_expect(value >> 56 != 0, 0)) {
		*at = 0;
		memcpy(at + 1, &value, 8);
		return at + 9;
	}
	unsigned n_bytes = wn_value_bytes(value);
	uint64_t coded = (value << 1 | 1) << (n_bytes - 1);
	memcpy(at, &coded, 8);
	return at + n_bytes;
}

/* Returns the value of a varint of 1 to 8 bytes, of eight bytes from its first one. */
static inline uint64_t
wn_value_of(uint64_t raw, unsigned n_bytes)
{
	static const uint64_t mask[] = {0,
	                                (UINT64_C(1) << 7) - 1,
	                                (UINT64_C(1) << 14) - 1,
	                                (UINT64_C(1) << 21) - 1,
	                                (UINT64_C(1) << 28) - 1,
	                                (UINT64_C(1) << 35) - 1,
	                                (UINT64_C(1) << 42) - 1,
	                                (UINT64_C(1) << 49) - 1,
	                                (UINT64_C(1) << 56) - 1};
	return raw >> n_bytes & mask[n_bytes];
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

static inline uint8_t *
wn_code_event(uint8_t *at, enum wn_event_code code)
{
	*at = (uint8_t)code;
	return at + 1;
}

/* Encodes code and time of a record, mostly by one store and without a branch on the size of the
 * time, which is unpredictable. A tick before the last one is replaced by the last one: per-thread
 * time never runs backwards. */
static inline uint8_t *
wn_code_timed(struct wn_writer *w, uint8_t *at, enum wn_event_code code, uint64_t tick)
{
	uint64_t last = w->last_tick;
	uint64_t delta = tick - last;
	if (__builtin_expect(delta >> 14 != 0, 0)) {
		delta = tick > last ? delta : 0;
		w->last_tick = last + delta;
		return wn_code_value(wn_code_event(at, code), delta);
	}
	w->last_tick = tick;
	uint32_t word = (uint32_t)delta << 10 | 2u << 8 | (uint32_t)code;
	memcpy(at, &word, 4);
	return at + 3;
}

/* Encodes the code of a record with the time of the previous one. */
static inline uint8_t *
wn_code_same_time(uint8_t *at, enum wn_event_code code)
{
	at[0] = (uint8_t)code;
	at[1] = 1; /* the varint 0 */
	return at + 2;
}

/* Functions begin at multiples of 16 or 32, so the hash must use all bits: the top six bits of a
 * multiplication by 2^64 over the golden ratio. */
static inline unsigned
wn_site_slot(uint64_t addr, uint32_t aux)
{
	return (unsigned)((addr + aux) * 0x9e3779b97f4a7c15u >> 58);
}
static_assert(WN_SITE_TABLE_N == 1u << 6, "the shift above");

/* Returns the table index of a site, one of two neighbours; WN_SITE_TABLE_N if it is not in the
 * table. */
static inline unsigned
wn_find_site(const struct wn_writer *w, uint64_t addr, uint32_t aux)
{
	unsigned slot = wn_site_slot(addr, aux);
	if (__builtin_expect(w->site[slot].addr == addr && w->site[slot].aux == aux, 1))
		return slot;
	slot ^= 1;
	return w->site[slot].addr == addr && w->site[slot].aux == aux ? slot : WN_SITE_TABLE_N;
}

/* Enters a new site where it will be found: in an empty slot, or alternately in either of the two
 * neighbours. */
static __attribute__((noinline, cold, unused)) uint8_t *
wn_code_new_site(struct wn_writer *w, uint8_t *at, uint64_t addr, uint32_t aux)
{
	unsigned slot = wn_site_slot(addr, aux);
	if (w->site[slot].addr != UINT64_MAX &&
	    (w->site[slot ^ 1].addr == UINT64_MAX || w->n_replaced++ % 2 == 0))
		slot ^= 1;
	w->site[slot] = (struct wn_site_entry){addr, aux};
	*at++ = (uint8_t)(slot | 0x80);
	memcpy(at, &addr, 8);
	return wn_code_value(at + 8, aux);
}

static inline uint8_t *
wn_code_site(struct wn_writer *w, uint8_t *at, uint64_t addr, uint32_t aux)
{
	unsigned slot = wn_find_site(w, addr, aux);
	if (__builtin_expect(slot == WN_SITE_TABLE_N, 0))
		return wn_code_new_site(w, at, addr, aux);
	*at = (uint8_t)slot;
	return at + 1;
}

/* Makes the record that ends at `end` visible. */
static inline void
wn_writer_commit(struct wn_writer *w, uint8_t *end)
{
	w->next = end;
	/* pairs with no acquire in this process: the reader is another process, possibly after
	 * this one died */
	atomic_store_explicit(&w->block->used_bytes, (uint32_t)(end - (uint8_t *)w->block),
	                      memory_order_release);
}

/* For a reader that has read the first used_bytes of a window while its thread may have refilled
 * it: was all of it still the block of that number? The window's thread stores 0 as used_bytes
 * before it writes anything of a new block, and the new number before it commits a record. So
 * used_bytes is loaded after what was read, and the number after used_bytes. */
static inline bool
wn_window_was_still(const struct wn_block_header *window, uint32_t sequence, uint32_t used_bytes)
{
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(&window->used_bytes, memory_order_acquire) >= used_bytes &&
	       *(const volatile uint32_t *)&window->sequence == sequence;
}

/* Starts a fresh block in memory with an initialised header; clears the site table. Empty entries
 * have the address UINT64_MAX, which no instruction has. */
static inline void
wn_writer_start(struct wn_writer *w, struct wn_block_header *block, size_t block_bytes)
{
	w->block = block;
	w->limit = (uint8_t *)block + block_bytes - WN_WRITER_BURST * WN_RECORD_MAX_BYTES;
	w->last_tick = block->first_tick;
	memset(w->site, 0xff, sizeof w->site);
	wn_writer_commit(w, (uint8_t *)block + sizeof *block);
}
