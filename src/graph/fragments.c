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

/* Of 65 bits: the flag is the lowest. */
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
	bool has_gap;
	f->is_first = f->n_left == 0;
	if (f->is_first) {
		if (f->next == f->end)
			return false;
		uint64_t step = take_varint(&f->next);
		f->grain += (uint32_t)(step >> 1) ^ -(uint32_t)(step & 1);
		f->n_left = take_varint(&f->next);
		f->start_ns = take_varint(&f->next);
		f->ns = 0;
	}
	f->start_ns += f->ns;
	f->ns = take_duration(&f->next, &has_gap);
	if (has_gap)
		f->start_ns += take_varint(&f->next);
	f->is_last = --f->n_left == 0;
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

static int
run_bytes(struct wn_run *run, struct wn_pool *cells, const uint8_t *bytes, unsigned n)
{
	if (run->n_cells > 0 && run->n_in_last + n <= WN_RUN_BYTES) {
		struct wn_run_cell *cell = wn_pool_at(cells, run->last);
		for (unsigned i = 0; i < n; i++)
			cell->bytes[run->n_in_last + i] = bytes[i];
		run->n_in_last += n;
		return 0;
	}
	for (unsigned i = 0; i < n; i++) {
		if (run->n_cells == 0 || run->n_in_last == WN_RUN_BYTES) {
			uint32_t index = wn_pool_take(cells);
			if (index == WN_POOL_NONE)
				return -1;
			if (run->n_cells++ == 0)
				run->first = index;
			else
				((struct wn_run_cell *)wn_pool_at(cells, run->last))->next = index;
			run->last = index;
			run->n_in_last = 0;
		}
		struct wn_run_cell *cell = wn_pool_at(cells, run->last);
		cell->bytes[run->n_in_last++] = bytes[i];
	}
	return 0;
}

int
wn_run_add(struct wn_run *run, struct wn_pool *cells, uint64_t start_ns, uint64_t ns)
{
	uint8_t bytes[3 * VARINT_MAX];
	unsigned n = 0;
	bool has_gap = run->n > 0 && start_ns != run->end_ns;
	if (run->n == 0)
		n += put_varint(bytes, start_ns);
	n += put_duration(bytes + n, ns, has_gap);
	if (has_gap)
		n += put_varint(bytes + n, start_ns - run->end_ns);
	if (run_bytes(run, cells, bytes, n) != 0)
		return -1;
	run->n++;
	run->end_ns = start_ns + ns;
	return 0;
}

int
wn_run_close(struct wn_run *run, struct wn_pool *cells, uint32_t grain, struct wn_fragments *all)
{
	uint32_t step = grain - all->last_grain;
	size_t most = all->n_bytes + 2 * VARINT_MAX + (size_t)run->n_cells * WN_RUN_BYTES;
	if (run->n == 0)
		return 0;
	if (wn_grow(&all->bytes, &all->capacity, most, 1) != 0)
		return -1;
	uint8_t *to = all->bytes + all->n_bytes;
	to += put_varint(to, step << 1 ^ -(step >> 31));
	to += put_varint(to, run->n);
	for (uint32_t at = run->first, left = run->n_cells; left > 0; left--) {
		const struct wn_run_cell *cell = wn_pool_at(cells, at);
		uint32_t next = cell->next, n = left > 1 ? WN_RUN_BYTES : run->n_in_last;
		memcpy(to, cell->bytes, n);
		to += n;
		wn_pool_give(cells, at);
		at = next;
	}
	all->n_bytes = (size_t)(to - all->bytes);
	all->n += run->n;
	all->last_grain = grain;
	*run = (struct wn_run){0};
	return 0;
}
