/* SPDX-License-Identifier: MIT */
/*
 * record.c - what translated code has written to its buffer is counted: for each block that was
 * run, its distance from the context, and the addresses of its groups of accesses.
 */
#include "native/context.h"

/* A repeated string instruction: rsi, rdi before and after. */
static void
count_steps(struct thread *t, const struct block *b, const uint64_t *at)
{
	uint64_t si = at[0], di = at[1];
	bool uses_di = b->reads_di || b->writes_di;
	int64_t moved = (int64_t)(uses_di ? at[3] - at[1] : at[2] - at[0]);
	int64_t step = moved < 0 ? -(int64_t)b->repeats : (int64_t)b->repeats;
	uint64_t n = (uint64_t)(moved / step);
	for (uint64_t i = 0; i < n; i++) {
		if (b->reads_si)
			thread_step(t, 0, si, b->repeats);
		if (b->reads_di)
			thread_step(t, 0, di, b->repeats);
		if (b->writes_di)
			thread_step(t, 1, di, b->repeats);
		si += (uint64_t)step;
		di += (uint64_t)step;
	}
}

static int64_t
element(const uint64_t *of, unsigned i, unsigned bytes)
{
	const int32_t *narrow = (const int32_t *)of;
	return bytes == 4 ? narrow[i] : (int64_t)of[i];
}

static void
count_gather(struct thread *t, const struct gather *g, const uint64_t *at)
{
	const uint64_t *where = at + 1, *which = where + GATHER_BYTES / 8;
	struct tally *tally = &t->accesses[g->is_store];
	for (unsigned i = 0; i < g->n; i++) {
		if (g->has_bits ? !(which[0] >> i & 1) : element(which, i, g->bytes) >= 0)
			continue;
		uint64_t address =
		    at[0] + ((uint64_t)element(where, i, g->index_bytes) << g->scale);
		bool is_own = thread_is_own_stack(t, address);
		tally->n++;
		tally->bytes += g->bytes;
		tally->n_stack += is_own;
		if (wn_counting.keeps_footprint)
			thread_touch(t, address, g->bytes, is_own);
	}
}

static void __attribute__((noinline))
count_alone(struct thread *t, const struct block *b, const uint64_t *at)
{
	if (b->bundle.cost > 0) /* 0: what was counted of it has been taken back */
		thread_add(t, &b->bundle);
	if (b->kind == BLOCK_REPEATED)
		count_steps(t, b, at);
	else
		count_gather(t, &b->gather, at);
}

/* So many times the same block. */
static inline void
add_bundles(struct thread *t, const struct bundle *b, uint64_t n)
{
	uint64_t most = BUNDLE_MAX / (uint64_t)b->cost;
	while (n > 0) {
		uint64_t some = n < most ? n : most;
		int64_t cost = b->cost * (int64_t)some;
		t->room -= cost;
		if (__builtin_expect(t->room < 0, 0))
			thread_settle(t, cost);
		for (unsigned i = 0; i < BUNDLE_WORDS_N; i++)
			t->words[i] += b->words[i] * some;
		n -= some;
	}
}

/* Of a group met several times in one line: where accesses begin in it, the last one's first, and
 * how often it was met. */
struct line {
	uint64_t base, starts, last, n;
};

static inline void
count_line(struct thread *t, const struct group *group, const struct line *line, bool keeps)
{
	uint64_t first = (uint64_t)__builtin_ctzll(line->starts), low = line->base + first;
	uint64_t span = line->last - first + group->span;
	if (thread_is_near_stack(t, line->base)) { /* all of it, as is looked at before */
		if (thread_is_own_stack(t, line->base)) {
			t->n_stack += group->n_stack * line->n;
			low -= t->stack_shift;
		}
	}
	if (keeps && __builtin_expect(!thread_is_recent(t, low, line->starts >> first, span), 0))
		thread_touch_group(t, low, line->starts >> first, span);
}

static inline bool
is_one_stack(const struct thread *t, uint64_t base)
{
	return !thread_is_near_stack(t, base) ||
	       thread_is_own_stack(t, base) == thread_is_own_stack(t, base + 63);
}

/* The same group, n times: its addresses are `stride` words apart. */
static inline void
count_walk(struct thread *t, const struct group *group, const uint64_t *at, uint64_t stride,
           uint64_t n, bool keeps)
{
	uint64_t lowest = (uint64_t)(int64_t)group->lowest, span = group->span, mask = group->mask;
	const uint64_t *end = at + n * stride;
	while (at < end) {
		uint64_t low = *at + lowest, off = low & 63;
		if (off + span > 64 || !is_one_stack(t, low - off)) { /* across lines */
			group_count(t, group, *at, keeps);
			at += stride;
			continue;
		}
		struct line line = {low - off, mask << off, off, 1};
		for (at += stride; at < end; at += stride) {
			off = *at + lowest - line.base;
			if (off > 64 - span)
				break;
			line.starts |= mask << off;
			line.last = off > line.last ? off : line.last;
			line.n++;
		}
		count_line(t, group, &line, keeps);
	}
}

static inline void
flush(struct context *c, bool keeps)
{
	struct thread *t = c->t;
	const uint64_t *at = (const uint64_t *)c->buffer, *end = (const uint64_t *)c->buffer_next;
	while (at < end) {
		uint64_t word = *at;
		const struct block *b = (const struct block *)((uint8_t *)c + word);
		if (__builtin_expect(b->kind != BLOCK_PLAIN, 0)) {
			count_alone(t, b, at + 1);
			at += b->entry_words;
			continue;
		}
		uint64_t stride = b->entry_words, n = 1;
		while (at + n * stride < end && at[n * stride] == word)
			n++;
		if (n == 1) {
			thread_add(t, &b->bundle);
			for (uint32_t i = 0; i < b->n_groups; i++)
				group_count(t, &b->groups[i], at[1 + i], keeps);
		} else {
			add_bundles(t, &b->bundle, n);
			for (uint32_t i = 0; i < b->n_groups; i++)
				count_walk(t, &b->groups[i], at + 1 + i, stride, n, keeps);
		}
		at += n * stride;
	}
	c->buffer_next = (uintptr_t)c->buffer;
}

void
wn_native_flush(struct context *c)
{
	c->t->n_every = c->every;
	if (wn_counting.keeps_footprint)
		flush(c, true);
	else
		flush(c, false);
}
