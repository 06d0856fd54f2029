/* SPDX-License-Identifier: MIT */
#include "graph/fragments.h"

#include "base/mem.h"

#include <string.h>

#define VARINT_MAX 10u

static unsigned
put_varint(uint8_t *to, uint64_t value)
{
	unsigned n = 0;
	for (; value > 0x7f; value >>= 7)
		to[n++] = (uint8_t)(value | 0x80);
	to[n++] = (uint8_t)value;
	return n;
}

static uint64_t
take_more(const uint8_t **at, uint64_t value, unsigned shift)
{
	uint8_t byte;
	do {
		byte = *(*at)++;
		value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

static inline uint64_t
take_varint(const uint8_t **at)
{
	uint8_t byte = *(*at)++;
	return byte & 0x80 ? take_more(at, byte & 0x7f, 7) : byte;
}

/* Encodes 65 bits: the flag is the lowest. */
static unsigned
put_duration(uint8_t *to, uint64_t ns, bool has_gap)
{
	to[0] = (uint8_t)((ns & 0x3f) << 1 | has_gap);
	if (ns <= 0x3f)
		return 1;
	to[0] |= 0x80;
	return 1 + put_varint(to + 1, ns >> 6);
}

static inline uint64_t
take_duration(const uint8_t **at, bool *has_gap)
{
	uint8_t byte = *(*at)++;
	*has_gap = byte & 1;
	return byte & 0x80 ? take_more(at, byte >> 1 & 0x3f, 6) : byte >> 1;
}

void
wn_fragments_begin(const struct wn_fragments *all, struct wn_fragment *f)
{
	memset(f, 0, sizeof *f);
	f->next = all->bytes;
	f->end = all->n_bytes ? all->bytes + all->n_bytes : NULL;
}

bool
wn_fragments_next_slow(struct wn_fragment *f)
{
	const uint8_t *next = f->next;
	uint64_t start_ns = f->start_ns + f->ns, n_left = f->n_left;
	bool has_gap;
	f->is_first = n_left == 0;
	if (n_left == 0) {
		if (next == f->end)
			return false;
		uint64_t step = take_varint(&next);
		f->grain += (uint32_t)(step >> 1) ^ -(uint32_t)(step & 1);
		n_left = take_varint(&next);
		start_ns = take_varint(&next);
	}
	f->ns = take_duration(&next, &has_gap);
	if (has_gap)
		start_ns += take_varint(&next);
	f->start_ns = start_ns;
	f->is_last = --n_left == 0;
	f->n_left = n_left;
	f->next = next;
	return true;
}

size_t
wn_fragments_place(const struct wn_fragments *all, const struct wn_fragment *f)
{
	return (size_t)(f->next - all->bytes);
}

void
wn_fragments_at(const struct wn_fragments *all, size_t place, struct wn_fragment *f)
{
	wn_fragments_begin(all, f);
	f->next += place;
}

void
wn_fragments_from(const struct wn_fragments *all, struct wn_fragments_mark mark,
                  struct wn_fragment *f)
{
	wn_fragments_begin(all, f);
	if (all->n_bytes)
		f->next += mark.place;
	f->grain = mark.grain_before;
}

void
wn_fragments_share(const struct wn_fragments *all, size_t share, struct wn_fragment *f)
{
	wn_fragments_from(all, all->marks[share], f);
	if (share + 1 < all->n_marks)
		f->end = all->bytes + all->marks[share + 1].place;
}

void
wn_fragments_fini(struct wn_fragments *all)
{
	wn_free(all->bytes);
	wn_free(all->marks);
	*all = (struct wn_fragments){0};
}

/* Reserves one more byte; NULL when memory ran out. */
static uint8_t *
run_room(struct wn_run *run, struct wn_pool *cells)
{
	struct wn_run_cell *cell = run->n_cells ? wn_pool_at(cells, run->last) : NULL;
	if (run->n_in_last < WN_RUN_BYTES)
		return (cell ? cell->bytes : run->own) + run->n_in_last++;
	uint32_t index = wn_pool_take(cells);
	if (index == WN_POOL_NONE)
		return NULL;
	if (cell)
		cell->next = index;
	else
		run->first = index;
	run->last = index;
	run->n_cells++;
	run->n_in_last = 1;
	return ((struct wn_run_cell *)wn_pool_at(cells, index))->bytes;
}

/* The general case: any fragment, at any position in a run. */
static int
run_add_slow(struct wn_run *run, struct wn_pool *cells, uint64_t start_ns, uint64_t ns)
{
	uint8_t bytes[3 * VARINT_MAX];
	unsigned n = 0;
	bool has_gap = run->n > 0 && start_ns != run->end_ns;
	if (run->n == 0)
		n += put_varint(bytes, start_ns);
	n += put_duration(bytes + n, ns, has_gap);
	if (has_gap)
		n += put_varint(bytes + n, start_ns - run->end_ns);
	for (unsigned i = 0; i < n; i++) {
		uint8_t *at = run_room(run, cells);
		if (!at)
			return -1;
		*at = bytes[i];
	}
	return 0;
}

int
wn_run_add(struct wn_run *run, struct wn_pool *cells, uint64_t start_ns, uint64_t ns)
{
	uint32_t most = run->n_in_last + (run->n == 0 ? 2 : 1) * VARINT_MAX;
	bool is_plain =
	    run->n_cells == 0 && most <= WN_RUN_BYTES && (run->n == 0 || start_ns == run->end_ns);
	if (is_plain) {
		uint8_t *to = run->own + run->n_in_last;
		if (run->n == 0)
			to += put_varint(to, start_ns);
		to += put_duration(to, ns, false);
		run->n_in_last = (uint32_t)(to - run->own);
	} else if (run_add_slow(run, cells, start_ns, ns) != 0) {
		return -1;
	}
	run->n++;
	run->end_ns = start_ns + ns;
	return 0;
}

static uint8_t *
put_cells(uint8_t *to, const struct wn_run *run, struct wn_pool *cells)
{
	for (uint32_t at = run->first, left = run->n_cells; left > 0; left--) {
		const struct wn_run_cell *cell = wn_pool_at(cells, at);
		uint32_t next = cell->next, n = left > 1 ? WN_RUN_BYTES : run->n_in_last;
		memcpy(to, cell->bytes, n);
		to += n;
		wn_pool_give(cells, at);
		at = next;
	}
	return to;
}

static int
add_mark(struct wn_fragments *all)
{
	if (wn_grow(&all->marks, &all->marks_capacity, all->n_marks + 1, sizeof *all->marks) != 0)
		return -1;
	all->marks[all->n_marks++] = (struct wn_fragments_mark){all->n_bytes, all->last_grain};
	all->n_at_mark = all->n;
	return 0;
}

int
wn_run_close(struct wn_run *run, struct wn_pool *cells, uint32_t grain, struct wn_fragments *all)
{
	uint32_t step = grain - all->last_grain;
	size_t most = all->n_bytes + 2 * VARINT_MAX + (1 + (size_t)run->n_cells) * WN_RUN_BYTES;
	if (run->n == 0)
		return 0;
	if (most > all->capacity && wn_grow(&all->bytes, &all->capacity, most, 1) != 0)
		return -1;
	if ((all->n_marks == 0 || all->n - all->n_at_mark >= WN_FRAGMENTS_SHARE) &&
	    add_mark(all) != 0)
		return -1;
	uint8_t *to = all->bytes + all->n_bytes;
	to += put_varint(to, step << 1 ^ -(step >> 31));
	to += put_varint(to, run->n);
	memcpy(to, run->own, WN_RUN_BYTES); /* bytes after the used ones are allocated, too */
	to += run->n_cells ? WN_RUN_BYTES : run->n_in_last;
	to = put_cells(to, run, cells);
	all->n_bytes = (size_t)(to - all->bytes);
	all->n += run->n;
	all->last_grain = grain;
	*run = (struct wn_run){0};
	return 0;
}
