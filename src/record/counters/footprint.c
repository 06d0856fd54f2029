/* SPDX-License-Identifier: MIT */
/* Tables are reused under a new generation, which is part of each key, so that old entries do not
 * match. Tables are cleared only when the generations are used up. */
#include "record/counters/footprint.h"
#include "base/map.h"
#include "base/spin.h"

#include <string.h>
#include <sys/mman.h>

#define FIRST_CELLS_BITS 6
#define CHUNK_BYTES      (256u << 10)
#define CUT_BYTES_MAX    (64u << 10) /* larger tables are mapped individually */
#define HEAD_BYTES       128u
#define TAG_ONE          (1ull << WN_FOOTPRINT_TAG_BIT)
#define SHARD_FIRST      64u

_Static_assert(sizeof(struct wn_footprint) <= HEAD_BYTES, "cells begin on a cache line");

/* ---- memory ---- */

static void *
take_bytes(struct wn_footprint_pool *pool, uint64_t bytes)
{
	uint64_t used = atomic_fetch_add_explicit(&pool->used_bytes, bytes, memory_order_relaxed);
	if (used + bytes <= pool->limit_bytes) {
		void *at = wn_map(bytes, 0);
		if (at)
			return at;
	}
	atomic_fetch_sub_explicit(&pool->used_bytes, bytes, memory_order_relaxed);
	return NULL;
}

static void
give_bytes(struct wn_footprint_pool *pool, void *at, uint64_t bytes)
{
	munmap(at, bytes);
	atomic_fetch_sub_explicit(&pool->used_bytes, bytes, memory_order_relaxed);
}

static uint64_t
table_bytes(uint32_t class)
{
	return HEAD_BYTES + (sizeof(struct wn_footprint_cell) << (FIRST_CELLS_BITS + class));
}

/* With pool->lock held: cuts memory from a chunk, whose rest is discarded if it is too small. */
static void *
cut_bytes(struct wn_footprint_pool *pool, uint64_t bytes)
{
	if (pool->chunk_bytes < bytes) {
		void *chunk = take_bytes(pool, CHUNK_BYTES);
		if (!chunk)
			return NULL;
		pool->chunk = chunk;
		pool->chunk_bytes = CHUNK_BYTES;
	}
	void *at = pool->chunk;
	pool->chunk += bytes;
	pool->chunk_bytes -= bytes;
	return at;
}

/* With pool->lock held: unmaps large free tables. */
static void
trim(struct wn_footprint_pool *pool)
{
	for (uint32_t class = 0; class < WN_FOOTPRINT_CLASSES_N; class ++) {
		uint64_t bytes = table_bytes(class);
		if (bytes <= CUT_BYTES_MAX)
			continue;
		while (pool->free[class]) {
			struct wn_footprint *table = pool->free[class];
			pool->free[class] = table->next;
			give_bytes(pool, table, bytes);
		}
	}
}

static struct wn_footprint *
table_new(struct wn_footprint_pool *pool, uint32_t class)
{
	uint64_t bytes = table_bytes(class);
	for (int is_trimmed = 0; is_trimmed < 2; is_trimmed++) {
		struct wn_footprint *table =
		    bytes > CUT_BYTES_MAX ? take_bytes(pool, bytes) : cut_bytes(pool, bytes);
		if (table) {
			table->cells = (void *)((unsigned char *)table + HEAD_BYTES);
			table->class = class;
			table->mask = (1ull << (FIRST_CELLS_BITS + class)) - 1;
			table->shift = 64 - (FIRST_CELLS_BITS + class - 3);
			return table;
		}
		trim(pool);
	}
	return NULL;
}

/* Returns an empty table; NULL if there is no memory. */
static struct wn_footprint *
table_take(struct wn_footprint_thread *t, uint32_t class)
{
	struct wn_footprint *table;
	if (class < WN_FOOTPRINT_HELD_N && t->held[class]) {
		table = t->held[class];
		t->held[class] = table->next;
		t->n_held[class]--;
	} else {
		wn_spin_lock(&t->pool->lock);
		table = t->pool->free[class];
		if (table)
			t->pool->free[class] = table->next;
		else
			table = table_new(t->pool, class);
		wn_spin_unlock(&t->pool->lock);
	}
	if (!table)
		return NULL;
	table->tag += TAG_ONE;
	if (table->tag == 0) { /* all generations are used */
		memset(table->cells, 0, (table->mask + 1) * sizeof *table->cells);
		table->tag = TAG_ONE;
	}
	table->n_lines = 0;
	table->limit = (table->mask + 1) / 2;
	table->is_full = false;
	table->next = NULL;
	return table;
}

static void
table_give(struct wn_footprint_thread *t, struct wn_footprint *table)
{
	uint32_t class = table->class;
	if (class < WN_FOOTPRINT_HELD_N && t->n_held[class] < WN_FOOTPRINT_HELD_MAX) {
		table->next = t->held[class];
		t->held[class] = table;
		t->n_held[class]++;
		return;
	}
	wn_spin_lock(&t->pool->lock);
	table->next = t->pool->free[class];
	t->pool->free[class] = table;
	wn_spin_unlock(&t->pool->lock);
}

/* ---- map from grains to sets ---- */

static uint64_t
grain_hash(uint64_t grain)
{
	uint64_t h = grain * 0x9e3779b97f4a7c15u;
	return h ^ h >> 32;
}

static struct wn_footprint_shard *
shard_of(struct wn_footprint_pool *pool, uint64_t grain)
{
	return &pool->shards[(grain_hash(grain) >> 24) % WN_FOOTPRINT_SHARDS_N];
}

/* Finds the entry of the grain, or the free one for it. The shard has at least one free entry. */
static struct wn_footprint **
shard_find(const struct wn_footprint_shard *s, uint64_t grain)
{
	uint64_t i = grain_hash(grain) & (s->n_entries_max - 1);
	while (s->entries[i] && s->entries[i]->grain != grain)
		i = (i + 1) & (s->n_entries_max - 1);
	return &s->entries[i];
}

static bool
shard_make_room(struct wn_footprint_pool *pool, struct wn_footprint_shard *s)
{
	if (s->n * 2 < s->n_entries_max)
		return true;
	struct wn_footprint_shard wider = *s;
	wider.n_entries_max = s->n_entries_max ? s->n_entries_max * 2 : SHARD_FIRST;
	wider.entries = take_bytes(pool, wider.n_entries_max * sizeof *wider.entries);
	if (!wider.entries)
		return false;
	for (uint64_t i = 0; i < s->n_entries_max; i++)
		if (s->entries[i])
			*shard_find(&wider, s->entries[i]->grain) = s->entries[i];
	if (s->entries)
		give_bytes(pool, s->entries, s->n_entries_max * sizeof *s->entries);
	s->entries = wider.entries;
	s->n_entries_max = wider.n_entries_max;
	return true;
}

/* Closes the gap: moves later entries up, unless their probe sequence begins after the gap. */
static void
shard_remove(struct wn_footprint_shard *s, struct wn_footprint **gone)
{
	uint64_t mask = s->n_entries_max - 1;
	uint64_t gap = (uint64_t)(gone - s->entries);
	for (uint64_t i = (gap + 1) & mask; s->entries[i]; i = (i + 1) & mask) {
		uint64_t home = grain_hash(s->entries[i]->grain) & mask;
		if (((i - home) & mask) < ((i - gap) & mask))
			continue;
		s->entries[gap] = s->entries[i];
		gap = i;
	}
	s->entries[gap] = NULL;
	s->n--;
}

void
wn_footprint_switch(struct wn_footprint_thread *t, uint64_t grain)
{
	if (grain == 0) {
		t->now = NULL;
		return;
	}
	struct wn_footprint_shard *s = shard_of(t->pool, grain);
	struct wn_footprint *set = NULL;
	wn_spin_lock(&s->lock);
	if (shard_make_room(t->pool, s)) {
		struct wn_footprint **at = shard_find(s, grain);
		if (!*at && (*at = table_take(t, 0))) {
			(*at)->grain = grain;
			s->n++;
		}
		set = *at;
	}
	wn_spin_unlock(&s->lock);
	t->now = set ? set : &t->none;
}

void
wn_footprint_forget(struct wn_footprint_thread *t, uint64_t grain)
{
	if (grain == 0)
		return;
	struct wn_footprint_shard *s = shard_of(t->pool, grain);
	struct wn_footprint *set = NULL;
	wn_spin_lock(&s->lock);
	if (s->n > 0) {
		struct wn_footprint **at = shard_find(s, grain);
		set = *at;
		if (set)
			shard_remove(s, at);
	}
	wn_spin_unlock(&s->lock);
	if (!set)
		return;
	if (t->now == set)
		t->now = NULL;
	table_give(t, set);
}

/* ---- accesses ---- */

/* The line's cell, or the empty cell for it. */
static struct wn_footprint_cell *
set_find(const struct wn_footprint *set, uint64_t line)
{
	uint64_t i = wn_footprint_slot(set, line);
	uint64_t key = set->tag | line;
	while (set->cells[i].key != key &&
	       set->cells[i].key >> WN_FOOTPRINT_TAG_BIT == set->tag >> WN_FOOTPRINT_TAG_BIT)
		i = (i + 1) & set->mask;
	return &set->cells[i];
}

struct wn_footprint_cell *
wn_footprint_cell(const struct wn_footprint *set, uint64_t line)
{
	return set_find(set, line);
}

/* Moves the set to a table twice as large; sets is_full if there is no memory. */
static void
set_grow(struct wn_footprint_thread *t)
{
	struct wn_footprint *old = t->now;
	struct wn_footprint *set =
	    old->class + 1 < WN_FOOTPRINT_CLASSES_N ? table_take(t, old->class + 1) : NULL;
	if (!set) {
		old->is_full = true;
		return;
	}
	for (uint64_t i = 0; i <= old->mask; i++) {
		const struct wn_footprint_cell *cell = &old->cells[i];
		if (cell->key >> WN_FOOTPRINT_TAG_BIT != old->tag >> WN_FOOTPRINT_TAG_BIT)
			continue;
		uint64_t line = cell->key & (TAG_ONE - 1);
		struct wn_footprint_cell *to = set_find(set, line);
		to->key = set->tag | line;
		to->starts = cell->starts;
	}
	set->n_lines = old->n_lines;
	set->grain = old->grain;

	struct wn_footprint_shard *s = shard_of(t->pool, old->grain);
	wn_spin_lock(&s->lock);
	*shard_find(s, old->grain) = set;
	wn_spin_unlock(&s->lock);
	t->now = set;
	table_give(t, old);
}

/* The line's cell, created if needed; NULL if there is no room. */
static struct wn_footprint_cell *
line_take(struct wn_footprint_thread *t, uint64_t line)
{
	struct wn_footprint_cell *cell = set_find(t->now, line);
	if (cell->key == (t->now->tag | line))
		return cell;
	if (t->now->is_full)
		return NULL;
	if (t->now->n_lines >= t->now->limit) {
		set_grow(t);
		if (t->now->is_full)
			return NULL;
		cell = set_find(t->now, line);
	}
	cell->key = t->now->tag | line;
	cell->starts = 0;
	t->now->n_lines++;
	t->n_lines++;
	return cell;
}

void
wn_footprint_add(struct wn_footprint_thread *t, uint64_t address, uint64_t size_bytes)
{
	if (!t->now)
		return;
	uint64_t line = wn_footprint_line(address);
	uint64_t at = address & 63;
	struct wn_footprint_cell *cell = line_take(t, line);
	if (!cell) {
		t->n_lost++;
		return;
	}
	t->n_addresses += !(cell->starts >> at & 1);
	cell->starts |= 1ull << at;
	if (at + size_bytes > 64 && !line_take(t, wn_footprint_line(address + size_bytes - 1)))
		t->n_lost++;
}

void
wn_footprint_add_line(struct wn_footprint_thread *t, uint64_t address, uint64_t starts)
{
	if (!t->now)
		return;
	struct wn_footprint_cell *cell = line_take(t, wn_footprint_line(address));
	if (!cell) {
		t->n_lost++;
		return;
	}
	for (uint64_t new = starts & ~cell->starts; new; new &= new - 1)
		t->n_addresses++;
	cell->starts |= starts;
}

/* ---- */

void
wn_footprint_pool_init(struct wn_footprint_pool *pool, uint64_t limit_bytes)
{
	memset(pool, 0, sizeof *pool);
	pool->limit_bytes = limit_bytes;
}

/* `none` contains no line and accepts none: all its accesses are counted as lost. */
void
wn_footprint_thread_init(struct wn_footprint_thread *t, struct wn_footprint_pool *pool)
{
	memset(t, 0, sizeof *t);
	t->pool = pool;
	t->none = (struct wn_footprint){
	    .cells = t->no_cells, .tag = TAG_ONE, .mask = 15, .shift = 63, .is_full = true};
}

void
wn_footprint_thread_fini(struct wn_footprint_thread *t)
{
	wn_spin_lock(&t->pool->lock);
	for (uint32_t class = 0; class < WN_FOOTPRINT_HELD_N; class ++)
		while (t->held[class]) {
			struct wn_footprint *table = t->held[class];
			t->held[class] = table->next;
			table->next = t->pool->free[class];
			t->pool->free[class] = table;
		}
	wn_spin_unlock(&t->pool->lock);
	memset(t->n_held, 0, sizeof t->n_held);
	t->now = NULL;
}
