/* SPDX-License-Identifier: MIT */
/* single.c - accesses whose address or size depends on registers: bit tests far from the operand
 * (bt, bts, btr, btc); masked moves, gathers and scatters; and processor state, of the components
 * selected by edx:eax and enabled by the kernel (Intel's manual, volume 1, chapter 13). */
#include "count/native/context.h"

#include <cpuid.h>

#define OLD_BYTES    512u /* x87 and SSE, always first */
#define HEADER_BYTES 64u
#define PARTS_N      63u
#define PART_FIRST   2u
#define LEAF_STATE   13u

static struct part {
	uint32_t at, bytes; /* offset and size in the standard layout */
	bool is_aligned;    /* aligned to 64 in the compact layout */
} parts[PARTS_N];
static uint64_t used; /* bit i: component i */
static bool has_compact;

void
wn_native_single_begin(void)
{
	uint32_t low, high, a, b, c, d;
	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	used = (uint64_t)high << 32 | low;
	__cpuid_count(LEAF_STATE, 1, a, b, c, d);
	has_compact = a >> 1 & 1;
	for (uint32_t i = PART_FIRST; i < PARTS_N; i++) {
		if (!(used >> i & 1))
			continue;
		__cpuid_count(LEAF_STATE, i, a, b, c, d);
		parts[i] = (struct part){b, a, c >> 1 & 1};
	}
}

/* Counts bytes of the access: its start, or a continuation. */
static void
touch(struct thread *t, uint64_t at, uint64_t bytes, bool is_begin, bool is_own)
{
	if (!wn_counting.keeps_footprint)
		return;
	if (is_own)
		at -= t->stack_shift;
	thread_touch_group(t, at, is_begin, 1);
	for (uint64_t line = (at | 63) + 1; line < at + bytes; line += 64)
		thread_touch_group(t, line, 0, 1);
}

static uint64_t
touch_state(struct thread *t, uint64_t at, uint64_t wanted, bool is_compact, bool is_own)
{
	uint64_t bytes = OLD_BYTES + HEADER_BYTES, next = bytes;
	touch(t, at, bytes, true, is_own);
	for (unsigned i = PART_FIRST; i < PARTS_N; i++) {
		const struct part *p = &parts[i];
		if (!(wanted & used & 1ull << i))
			continue;
		if (p->is_aligned)
			next = (next + 63) & ~63ull;
		touch(t, at + (is_compact ? next : p->at), p->bytes, false, is_own);
		next += p->bytes;
		bytes += p->bytes;
	}
	return bytes;
}

static uint64_t
bit_address(const struct single *single, uint64_t at, uint64_t bit)
{
	int64_t which = single->bit_bytes == 8   ? (int64_t)bit
	                : single->bit_bytes == 4 ? (int32_t)bit
	                                         : (int16_t)bit;
	int64_t bits = 8 * single->bit_bytes;
	int64_t number = which >= 0 ? which / bits : -((bits - 1 - which) / bits);
	return at + (uint64_t)(number * single->bit_bytes);
}

static bool
is_selected(const struct mask *mask, const uint64_t *kept, unsigned i)
{
	if (mask->has_bits)
		return kept[0] >> i & 1;
	unsigned highest = 8 * mask->bytes * (i + 1) - 1;
	return kept[highest / 64] >> highest % 64 & 1;
}

/* Counts one access that begins at the first selected element and returns its bytes; without a
 * selected element there is no access. */
static uint64_t
touch_elements(struct thread *t, const struct single *single, const uint64_t *at, uint64_t *first)
{
	const struct mask *mask = &single->mask;
	uint64_t n = 0;
	for (unsigned i = 0; i < mask->n; i++) {
		if (!is_selected(mask, at + 1, i))
			continue;
		uint64_t place = single->kind == SINGLE_PACKED ? n : i;
		uint64_t address = at[0] + place * mask->bytes;
		if (n++ == 0)
			*first = address;
		touch(t, address, mask->bytes, n == 1, thread_is_own_stack(t, address));
	}
	return n * mask->bytes;
}

static void
add(struct tally *tally, uint64_t bytes, bool is_own)
{
	tally->n++;
	tally->bytes += bytes;
	tally->n_stack += is_own;
}

void
wn_native_count_single(struct thread *t, const struct single *single, const uint64_t *at)
{
	uint64_t address = at[0],
		 bytes = single->kind == SINGLE_OLD ? OLD_BYTES : single->bit_bytes;
	if (single_has_mask(single) && !(bytes = touch_elements(t, single, at, &address)))
		return;
	if (single->kind == SINGLE_BIT)
		address = bit_address(single, address, at[1]);
	bool is_own = thread_is_own_stack(t, address);
	if (single->kind == SINGLE_BIT || single->kind == SINGLE_OLD)
		touch(t, address, bytes, true, is_own);
	else if (!single_has_mask(single))
		bytes = touch_state(t, address, at[2] << 32 | (uint32_t)at[1],
		                    single->kind == SINGLE_COMPACT ||
		                        (single->kind == SINGLE_SAVED && has_compact),
		                    is_own);
	if (single->is_load)
		add(&t->accesses[0], bytes, is_own);
	if (single->is_store)
		add(&t->accesses[1], bytes, is_own);
}

static int64_t
element(const uint64_t *of, unsigned i, unsigned bytes)
{
	const int32_t *narrow = (const int32_t *)of;
	return bytes == 4 ? narrow[i] : (int64_t)of[i];
}

void
wn_native_count_gather(struct thread *t, const struct gather *g, const uint64_t *at)
{
	const uint64_t *where = at + 1, *which = where + GATHER_BYTES / 8;
	struct tally *tally = &t->accesses[g->is_store];
	for (unsigned i = 0; i < g->mask.n; i++) {
		if (!is_selected(&g->mask, which, i))
			continue;
		uint64_t address =
		    at[0] + ((uint64_t)element(where, i, g->index_bytes) << g->scale);
		bool is_own = thread_is_own_stack(t, address);
		add(tally, g->mask.bytes, is_own);
		if (wn_counting.keeps_footprint)
			thread_touch(t, address, g->mask.bytes, is_own);
	}
}
