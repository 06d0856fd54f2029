/* SPDX-License-Identifier: MIT */
/* claims.c - rule V12: bounds numbers of threads, ids, regions and names by the number of records
 * that the file can hold. Readers allocate memory by these numbers, and a header of 128 bytes may
 * claim four billion of each. */
#include "base/error.h"
#include "trace/trace_private.h"

/* Accepted in any trace, however small: lost blocks had records too. */
#define FREE_THREADS 4096u
#define FREE_LOST    (UINT64_C(1) << 16)
#define FREE_NAMES   4096u

/* Bounds of what may have been lost, relative to the remaining bytes. */
#define THREADS_PER_BLOCK 4u
#define LOST_PER_BYTE     4u

/* Minimum size of a record that creates an id or a region, except static shares. */
#define RECORD_MIN_BYTES 2u

static void
refuse_block(struct wn_trace *t, const struct block_ref *b)
{
	t->damage.n_bad_blocks++;
	if (b->offset < t->damage.first_bad_offset)
		t->damage.first_bad_offset = b->offset;
}

void
trace_refuse_threads(struct wn_trace *t)
{
	uint64_t most = FREE_THREADS + THREADS_PER_BLOCK * (uint64_t)t->n_blocks;
	size_t kept = 0;
	for (size_t i = 0; i < t->n_blocks; i++) {
		if (t->blocks[i].thread < most)
			t->blocks[kept++] = t->blocks[i];
		else
			refuse_block(t, &t->blocks[i]);
	}
	t->n_blocks = kept;
}

/* Numbers of ids and regions created before the end of a block. */
struct given {
	uint64_t n_ids, n_regions;
};

/* Counts the ids and regions that a block creates; its damage is counted in the actual read. */
static int
read_given(struct wn_trace *t, size_t block, struct given *given)
{
	struct wn_damage saved = t->damage;
	struct wn_cursor c;
	struct wn_event event;
	int more;
	wn_cursor_init(&c, t, t->blocks[block].thread);
	c.is_counting = true;
	c.block = (uint32_t)block;
	c.block_end = c.block + 1;
	while ((more = wn_cursor_next(&c, &event)) > 0)
		;
	t->damage = saved;
	*given = (struct given){c.n_ids, c.n_regions};
	return more;
}

static uint64_t
above(uint64_t claimed, uint64_t given)
{
	return claimed > given ? claimed - given : 0;
}

struct walk {
	struct wn_trace *t;
	struct given given; /* created by the thread's blocks so far */
	struct given room;  /* remaining bound for lost ones, in the whole trace */
};

/* Accepts or drops a block. Returns 0, or -1 when memory ran out. */
static int
judge_block(struct walk *w, size_t block, size_t before)
{
	struct block_ref *b = &w->t->blocks[block];
	if (before != SIZE_MAX &&
	    (b->n_ids > w->given.n_ids || b->n_regions > w->given.n_regions)) {
		/* more than ordinary records can create: static shares, or a loss */
		if (read_given(w->t, before, &w->given) < 0)
			return -1;
	}
	uint64_t n_ids = above(b->n_ids, w->given.n_ids);
	uint64_t n_regions = above(b->n_regions, w->given.n_regions);
	if (n_ids > w->room.n_ids || n_regions > w->room.n_regions) {
		refuse_block(w->t, b);
		b->used_bytes = 0; /* cursors skip it */
		return 0;
	}
	w->room.n_ids -= n_ids;
	w->room.n_regions -= n_regions;
	uint64_t most = b->used_bytes / RECORD_MIN_BYTES;
	w->given = (struct given){b->n_ids + most, b->n_regions + most};
	return 0;
}

wn_status
trace_refuse_ids(struct wn_trace *t, wn_err *err)
{
	uint64_t most_lost = FREE_LOST + LOST_PER_BYTE * t->event_bytes;
	struct walk w = {.t = t, .room = {most_lost, most_lost}};
	for (uint32_t thread = 0; thread < t->n_threads; thread++) {
		size_t before = SIZE_MAX;
		w.given = (struct given){0, 0};
		for (size_t i = t->first_block[thread]; i < t->first_block[thread + 1]; i++) {
			if (judge_block(&w, i, before) != 0)
				return wn_no_memory(err);
			if (t->blocks[i].used_bytes)
				before = i;
		}
	}
	return WN_OK;
}

/* A window has no hash: it is refused if its counters cannot follow from the previous block. */
static bool
is_plausible(const struct wn_block_header *h, uint64_t n_ids, uint32_t n_regions,
             uint64_t n_missing)
{
	uint64_t most = (n_missing + 1) * WN_SLOT_BYTES;
	return h->n_ids >= n_ids && h->n_ids - n_ids <= most && h->n_regions >= n_regions &&
	       h->n_regions - n_regions <= most;
}

/* Returns the last valid block in [first, end), or `end` if there is none. */
static uint32_t
believed_before(const struct wn_trace *t, uint32_t end, uint32_t first)
{
	for (uint32_t i = end; i-- > first;)
		if (t->blocks[i].used_bytes)
			return i;
	return end;
}

/* Counts the ids that each thread created: from the header of its last block and the records of
 * that block. */
wn_status
trace_count_ids(struct wn_trace *t, wn_err *err)
{
	for (uint32_t i = 0; i < t->n_threads; i++) {
		struct wn_damage saved = t->damage;
		struct wn_cursor c;
		struct wn_event event;
		int more;
		wn_cursor_init(&c, t, i);
		c.is_counting = true;
		uint32_t last = believed_before(t, c.block_end, c.block);
		if (last == c.block_end) {
			t->ending.n_threads_missing++;
			continue;
		}
		/* the last two, since an implausible window is replaced by the block before it */
		c.block = believed_before(t, last, c.block);
		c.block_end = last;
		while ((more = wn_cursor_next(&c, &event)) > 0)
			;
		struct wn_block_header h;
		trace_block_header(t, &t->blocks[last], &h);
		uint64_t n_missing = c.is_started ? h.sequence - c.sequence : h.sequence;
		if (t->blocks[last].is_sealed ||
		    is_plausible(&h, c.n_ids, c.n_regions, n_missing)) {
			c.block_end = last + 1;
			more = more < 0 ? more : ending_read(&c, &h, &t->ending);
		} else {
			saved.n_bad_blocks++;
			t->blocks[last].used_bytes = 0; /* refused: cursors skip it */
		}
		if (more < 0)
			return wn_no_memory(err);
		t->n_ids[i] = c.n_ids;
		t->n_regions[i] = c.n_regions;
		t->damage = saved;
	}
	return WN_OK;
}

uint64_t
wn_trace_names_max(const struct wn_trace *t)
{
	uint64_t most = FREE_NAMES + t->event_bytes;
	return most < WN_NAMES_MAX ? most : WN_NAMES_MAX;
}
