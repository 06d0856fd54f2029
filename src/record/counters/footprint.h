/* SPDX-License-Identifier: MIT */
/*
 * footprint.h - memory footprint of grains: for each grain a set of cache lines, with the offsets
 * in each line at which accesses began.
 *
 * A grain's set lives from its first access until it is forgotten, so that a suspended grain
 * continues with its set, also on another thread. A thread has one current set, that of the grain
 * it runs; accesses already in the set cost only a lookup.
 *
 *     static struct wn_footprint_pool pool;              one for the process
 *     wn_footprint_pool_init(&pool, 4ull << 30);
 *
 *     struct wn_footprint_thread t;                      one for each thread
 *     wn_footprint_thread_init(&t, &pool);
 *     wn_footprint_switch(&t, grain);                    at boundaries; 0: no grain
 *     wn_footprint_touch(&t, address, size_bytes);       at each access
 *     wn_footprint_forget(&t, grain);                    when the grain is over
 *     t.n_lines, t.n_addresses                           totals of the thread, to be subtracted
 *
 * Definitions: a line is 64 bytes, and is touched by each access that includes a byte of it; an
 * address is the first byte of an access, whatever its size. Each counts at the grain's first
 * access to it. Accesses that could not be stored for lack of memory are counted in `n_lost`: if it
 * grows, the other two totals are too small and invalid.
 *
 * Memory: 16 bytes for each line of a grain, and as much again as free space; mapped by mmap(2), up
 * to the pool's limit. Sets of forgotten grains are reused without clearing.
 *
 * Threads: a wn_footprint_thread belongs to one thread, and at most one thread runs a grain at a
 * time; the runtime orders the parts of a grain that run on different threads. The pool is shared,
 * behind locks held for a few instructions. A signal handler must not call these functions while
 * its own thread is inside one of them. They do not use the C library's allocator and cannot fail:
 * losses are counted.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WN_FOOTPRINT_LINE_BITS 6
#define WN_FOOTPRINT_TAG_BIT                                                                       \
	44                        /* of a key: the line's number below, the set's generation above \
	                           */
#define WN_FOOTPRINT_CLASSES_N 32 /* table sizes, each twice the one before */
#define WN_FOOTPRINT_SHARDS_N  256
#define WN_FOOTPRINT_HELD_N    4 /* the smallest sizes, of which a thread keeps free tables */
#define WN_FOOTPRINT_HELD_MAX  64

struct wn_footprint_cell {
	uint64_t key;    /* tag | line; a cell with another tag is empty */
	uint64_t starts; /* bit i: an access began at byte i of the line */
};

/* The set of one grain, followed by its cells, 2^n of them, in groups of 8 for neighbouring
 * lines. */
struct wn_footprint {
	struct wn_footprint_cell *cells;
	uint64_t tag;
	uint64_t mask;  /* cells - 1 */
	uint64_t shift; /* turns a hash product into a group number */
	uint64_t n_lines;
	uint64_t limit; /* number of lines above which the table grows */
	uint64_t grain;
	struct wn_footprint *next; /* list of free tables */
	uint32_t class;
	bool is_full;
};

struct wn_footprint_shard {
	atomic_flag lock;
	uint64_t n, n_entries_max;
	struct wn_footprint **entries; /* open addressing by grain */
};

struct wn_footprint_pool {
	uint64_t limit_bytes;
	_Atomic uint64_t used_bytes;
	atomic_flag lock; /* protects all fields below */
	struct wn_footprint *free[WN_FOOTPRINT_CLASSES_N];
	unsigned char *chunk; /* memory from which small tables are cut */
	uint64_t chunk_bytes;
	struct wn_footprint_shard shards[WN_FOOTPRINT_SHARDS_N];
};

struct wn_footprint_thread {
	struct wn_footprint *now; /* NULL: no grain, accesses are not stored */
	uint64_t n_lines;
	uint64_t n_addresses;
	uint64_t n_lost; /* accesses that were not stored */
	struct wn_footprint_pool *pool;
	struct wn_footprint none; /* the set of grains for which there is no memory */
	struct wn_footprint_cell no_cells[16];
	struct wn_footprint *held[WN_FOOTPRINT_HELD_N];
	uint32_t n_held[WN_FOOTPRINT_HELD_N];
};

/**
 * Creates an empty pool. Also called after a fork in the child, where locks may be held: the
 * parent's memory stays mapped and unused.
 *
 * @param limit_bytes  maximum memory of all sets and tables.
 */
void wn_footprint_pool_init(struct wn_footprint_pool *pool, uint64_t limit_bytes);

/** @param pool  must outlive the thread. */
void wn_footprint_thread_init(struct wn_footprint_thread *t, struct wn_footprint_pool *pool);

/** Frees the thread's own tables; its grains' sets stay. */
void wn_footprint_thread_fini(struct wn_footprint_thread *t);

/**
 * Makes `grain` the current grain of the thread. Cost: one lock; O(1).
 *
 * @param grain  0: accesses are not stored; a new grain starts with an empty set.
 */
void wn_footprint_switch(struct wn_footprint_thread *t, uint64_t grain);

/**
 * Discards the set of a grain that is over, if there is one; its number may be reused. If it was
 * the current grain, the thread has none afterwards. Cost: one lock; O(1).
 */
void wn_footprint_forget(struct wn_footprint_thread *t, uint64_t grain);

/**
 * The cell of a line in the set. Until the set grows or `t->now` changes, the caller may add starts
 * to the cell itself, and their number to the thread's n_addresses.
 */
struct wn_footprint_cell *wn_footprint_cell(const struct wn_footprint *set, uint64_t line);

/* Slow path of wn_footprint_touch. */
void wn_footprint_add(struct wn_footprint_thread *t, uint64_t address, uint64_t size_bytes);

/* Records accesses to the line of `address` that began where `starts` has bits; none: one that
 * began before the line. Cost: as wn_footprint_touch. */
void wn_footprint_add_line(struct wn_footprint_thread *t, uint64_t address, uint64_t starts);

static inline uint64_t
wn_footprint_slot(const struct wn_footprint *set, uint64_t line)
{
	return ((line >> 3) * 0x9e3779b97f4a7c15u >> set->shift << 3) | (line & 7);
}

static inline uint64_t
wn_footprint_line(uint64_t address)
{
	return address >> WN_FOOTPRINT_LINE_BITS & ((1ull << WN_FOOTPRINT_TAG_BIT) - 1);
}

/* Is the access known: are its lines in the set, and has an access begun here before? May return
 * false negatives. */
static inline bool
wn_footprint_has(const struct wn_footprint *set, uint64_t address, uint64_t size_bytes)
{
	uint64_t line = wn_footprint_line(address);
	const struct wn_footprint_cell *cell = &set->cells[wn_footprint_slot(set, line)];
	uint64_t at = address & 63;
	return cell->key == (set->tag | line) && (cell->starts >> at & 1) && at + size_bytes <= 64;
}

/**
 * Records an access of the current grain.
 *
 * Cost: a few instructions if it is known, else O(1) on average.
 *
 * @param size_bytes  at most 64.
 */
static inline void
wn_footprint_touch(struct wn_footprint_thread *t, uint64_t address, uint64_t size_bytes)
{
	const struct wn_footprint *set = t->now;
	if (set && !wn_footprint_has(set, address, size_bytes))
		wn_footprint_add(t, address, size_bytes);
}
