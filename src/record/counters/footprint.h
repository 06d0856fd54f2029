/* SPDX-License-Identifier: MIT */
/*
 * footprint.h - which memory a grain has touched: a set of cache lines for each grain, with the
 * places in each line at which accesses began.
 *
 * A grain's set lives from its first access until it is forgotten, so that a grain that is
 * suspended, by another grain or for another thread, goes on where it was. A thread has one set in
 * its hands, that of the grain whose code it runs; only what is not yet in it costs more than a
 * look.
 *
 *     static struct wn_footprint_pool pool;              one for the process
 *     wn_footprint_pool_init(&pool, 4ull << 30);
 *
 *     struct wn_footprint_thread t;                      one for each thread
 *     wn_footprint_thread_init(&t, &pool);
 *     wn_footprint_switch(&t, grain);                    at boundaries; 0: of no grain
 *     wn_footprint_touch(&t, address, size_bytes);       at each access
 *     wn_footprint_forget(&t, grain);                    once the grain is over
 *     t.n_lines, t.n_addresses                           totals of the thread, to be subtracted
 *
 * Definitions: a line is 64 bytes, and is touched by each access that has a byte in it; an address
 * is where an access begins, whatever its size. Each counts when the grain touches it for the first
 * time. What could not be kept because memory is used up is in `n_lost`: while it grows, the other
 * two are too small and worth nothing.
 *
 * Memory: 16 bytes for each line of a grain, and as much again to stay quick; taken by mmap(2), up
 * to the pool's limit. Sets of grains that are forgotten are used again without being cleared.
 *
 * Threads: a wn_footprint_thread belongs to one thread, and a grain is in the hands of one thread
 * at a time; what orders the end of a grain's code on one thread before its going on elsewhere is
 * the runtime's own matter. The pool is shared, behind locks held for a few instructions. A signal
 * handler must not call these while its own thread is inside one of them. Nothing here uses the C
 * library's memory, and nothing fails: it is counted.
 */
#ifndef WN_RECORD_COUNTERS_FOOTPRINT_H
#define WN_RECORD_COUNTERS_FOOTPRINT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WN_FOOTPRINT_LINE_BITS 6
#define WN_FOOTPRINT_TAG_BIT                                                                       \
	44                        /* of a key: the line's number below, the set's generation above \
	                           */
#define WN_FOOTPRINT_CLASSES_N 32 /* sizes of tables, each twice the one before */
#define WN_FOOTPRINT_SHARDS_N  256
#define WN_FOOTPRINT_HELD_N    4 /* the smallest classes, of which a thread keeps free ones */
#define WN_FOOTPRINT_HELD_MAX  64

struct wn_footprint_cell {
	uint64_t key;    /* tag | line; a cell with another tag is empty */
	uint64_t starts; /* bit i: an access began at byte i of the line */
};

/* The set of one grain. Its cells stand behind it, 2^n of them, in groups of 8 for neighbours. */
struct wn_footprint {
	struct wn_footprint_cell *cells;
	uint64_t tag;
	uint64_t mask;  /* cells - 1 */
	uint64_t shift; /* that makes a group's number of a product */
	uint64_t n_lines;
	uint64_t limit; /* lines above which it grows */
	uint64_t grain;
	struct wn_footprint *next; /* while free */
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
	atomic_flag lock; /* of all that follows */
	struct wn_footprint *free[WN_FOOTPRINT_CLASSES_N];
	unsigned char *chunk; /* where small tables are cut from */
	uint64_t chunk_bytes;
	struct wn_footprint_shard shards[WN_FOOTPRINT_SHARDS_N];
};

struct wn_footprint_thread {
	struct wn_footprint *now; /* NULL: of no grain, nothing is kept */
	uint64_t n_lines;
	uint64_t n_addresses;
	uint64_t n_lost; /* accesses that were not kept */
	struct wn_footprint_pool *pool;
	struct wn_footprint none; /* of grains for which there is no memory at all */
	struct wn_footprint_cell no_cells[16];
	struct wn_footprint *held[WN_FOOTPRINT_HELD_N];
	uint32_t n_held[WN_FOOTPRINT_HELD_N];
};

/**
 * Makes an empty pool. Also after a fork, in the child, where locks may be stuck: what the parent
 * had stays mapped and is not used any more.
 *
 * @param limit_bytes  that are taken at most, of all kinds.
 */
void wn_footprint_pool_init(struct wn_footprint_pool *pool, uint64_t limit_bytes);

/** @param pool  must outlive the thread. */
void wn_footprint_thread_init(struct wn_footprint_thread *t, struct wn_footprint_pool *pool);

/** Gives back what the thread keeps; its grains' sets stay. */
void wn_footprint_thread_fini(struct wn_footprint_thread *t);

/**
 * The accesses that follow on this thread are those of `grain`. Cost: one lock; O(1).
 *
 * @param grain  not 0 if its accesses are to be kept; a new one begins with nothing.
 */
void wn_footprint_switch(struct wn_footprint_thread *t, uint64_t grain);

/**
 * The grain is over; its number may come again as another grain. Nothing if it is not known. The
 * thread has no grain in its hands afterwards if it was this one. Cost: one lock; O(1).
 */
void wn_footprint_forget(struct wn_footprint_thread *t, uint64_t grain);

/** The cell of a line that the set has. Until the set grows, and `t->now` is another, who holds it
 * may add starts to it himself, and their number to the thread's n_addresses. */
struct wn_footprint_cell *wn_footprint_cell(const struct wn_footprint *set, uint64_t line);

/* What wn_footprint_touch does not do in line. */
void wn_footprint_add(struct wn_footprint_thread *t, uint64_t address, uint64_t size_bytes);

/* Accesses to the line that `address` is in, which began where `starts` has bits; none: one that
 * began before it. Cost: as of wn_footprint_touch. */
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

/* Does the access lie in lines that the set has, and began here before? May say no when it is so.
 */
static inline bool
wn_footprint_has(const struct wn_footprint *set, uint64_t address, uint64_t size_bytes)
{
	uint64_t line = wn_footprint_line(address);
	const struct wn_footprint_cell *cell = &set->cells[wn_footprint_slot(set, line)];
	uint64_t at = address & 63;
	return cell->key == (set->tag | line) && (cell->starts >> at & 1) && at + size_bytes <= 64;
}

/**
 * An access of the grain that is in the thread's hands.
 *
 * Cost: a few instructions when it has been touched before, else O(1) on average.
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

#endif /* WN_RECORD_COUNTERS_FOOTPRINT_H */
