/* SPDX-License-Identifier: MIT */
/* record.c - adds up the entries that translated code has written to its buffer: for each executed
 * block, its offset from the context and the addresses of its access groups. */
#include "count/native/context.h"
#include "count/sharing.h"

/* n adjacent accesses of equal size, from `low` on. */
static void
count_adjacent(struct thread *t, unsigned is_store, uint64_t low, uint64_t n, uint64_t bytes)
{
	static const uint64_t every[] = {[1] = UINT64_MAX,
	                                 [2] = 0x5555555555555555,
	                                 [4] = 0x1111111111111111,
	                                 [8] = 0x0101010101010101};
	while (n > 0) {
		uint64_t left = 64 - low % 64, some = left / bytes < n ? left / bytes : n;
		bool is_one_stack =
		    thread_is_own_stack(t, low) == thread_is_own_stack(t, low + left - 1);
		if (some < 2 || !is_one_stack) {
			thread_step(t, is_store, low, bytes);
			low += bytes;
			n--;
			continue;
		}
		struct tally *tally = &t->accesses[is_store];
		uint64_t at = low;
		tally->n += some;
		tally->bytes += some * bytes;
		if (thread_is_own_stack(t, low)) {
			tally->n_stack += some;
			at -= t->stack_shift;
		}
		uint64_t starts =
		    every[bytes] & (some * bytes < 64 ? (1ull << some * bytes) - 1 : UINT64_MAX);
		if (wn_counting.keeps_footprint && !thread_is_recent(t, at, starts, some * bytes))
			thread_touch_group(t, at, starts, some * bytes);
		low += some * bytes;
		n -= some;
	}
}

/* A repeated string instruction: rsi and rdi before and after. */
static void
count_steps(struct thread *t, const struct block *b, const uint64_t *kept)
{
	uint64_t at[4];
	for (unsigned i = 0; i < 4; i++)
		at[i] = b->is_by_32 ? (uint32_t)kept[i] : kept[i];
	bool uses_di = b->reads_di || b->writes_di;
	int64_t moved = (int64_t)(uses_di ? at[3] - at[1] : at[2] - at[0]);
	uint64_t bytes = b->repeats, n = (uint64_t)(moved < 0 ? -moved : moved) / bytes;
	/* downwards: starting at the last one */
	uint64_t back = moved < 0 ? (n - 1) * bytes : 0;
	if (b->reads_si)
		count_adjacent(t, 0, at[0] - back, n, bytes);
	if (b->reads_di)
		count_adjacent(t, 0, at[1] - back, n, bytes);
	if (b->writes_di)
		count_adjacent(t, 1, at[1] - back, n, bytes);
}

/* Fields of struct thread with the same names, kept in registers, so that sums do not wait for
 * memory. */
struct sums {
	uint64_t words[BUNDLE_WORDS_N];
	uint64_t n_stack;
	int64_t room;
};

static inline void
take_sums(struct sums *sums, const struct thread *t)
{
	for (unsigned i = 0; i < BUNDLE_WORDS_N; i++)
		sums->words[i] = t->words[i];
	sums->n_stack = t->n_stack;
	sums->room = t->room;
}

static inline void
put_sums(const struct sums *sums, struct thread *t)
{
	for (unsigned i = 0; i < BUNDLE_WORDS_N; i++)
		t->words[i] = sums->words[i];
	t->n_stack = sums->n_stack;
	t->room = sums->room;
}

static void __attribute__((noinline, cold))
settle(struct sums *sums, struct thread *t, int64_t cost)
{
	put_sums(sums, t);
	thread_settle(t, cost);
	take_sums(sums, t);
}

/* Adds n executions of one block, which fit in empty packed words. */
static inline void
add_bundle(struct sums *sums, struct thread *t, const struct bundle *b, uint64_t n)
{
	int64_t cost = b->cost * (int64_t)n;
	sums->room -= cost;
	if (__builtin_expect(sums->room < 0, 0)) {
		struct sums all = *sums;
		settle(&all, t, cost);
		*sums = all;
	}
	for (unsigned i = 0; i < BUNDLE_WORDS_N; i++)
		sums->words[i] += b->words[i] * n;
}

static void __attribute__((noinline))
count_alone(struct sums *sums, struct thread *t, const struct block *b, const uint64_t *at)
{
	put_sums(sums, t);
	if (b->bundle.cost > 0) /* 0: its counts have been taken back */
		thread_add(t, &b->bundle);
	if (b->kind == BLOCK_REPEATED)
		count_steps(t, b, at);
	else if (b->kind == BLOCK_SINGLE)
		wn_native_count_single(t, &b->single, at);
	else
		wn_native_count_gather(t, &b->gather, at);
	take_sums(sums, t);
}

/* The group may cross an end of the own stack: computes its stack accesses. */
static uint64_t __attribute__((noinline, cold))
count_at_end(struct thread *t, const struct group *group, uint64_t address, bool keeps)
{
	uint64_t before = t->n_stack;
	group_count(t, group, address, keeps);
	return t->n_stack - before;
}

/* Restores the previous count. */
static inline void
add_bundles(struct sums *sums, struct thread *t, const struct bundle *b, uint64_t n)
{
	uint64_t most = BUNDLE_MAX / (uint64_t)b->cost;
	for (; n > most; n -= most)
		add_bundle(sums, t, b, most);
	add_bundle(sums, t, b, n);
}

/* A group executed several times within one line: where its accesses begin, and how often it was
 * executed. */
struct line {
	uint64_t base, starts;
	uint64_t words, stride; /* range of the buffer, and distance between entries */
};

static inline void
count_line(struct sums *sums, struct thread *t, const struct group *group, const struct line *line,
           bool keeps)
{
	uint64_t first = (uint64_t)__builtin_ctzll(line->starts), low = line->base + first;
	/* start of the last access, and its group; end of the access that ends last */
	uint64_t last = 63 - (uint64_t)__builtin_clzll(line->starts) - group->last;
	uint64_t span = last - first + group->span;
	if (thread_is_near_stack(t, line->base)) { /* wholly, as checked before */
		if (thread_is_own_stack(t, line->base)) {
			sums->n_stack += group->n_stack * (line->words / line->stride);
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
count_walk(struct sums *sums, struct thread *t, const struct group *group, const uint64_t *at,
           uint64_t stride, uint64_t n, bool keeps)
{
	uint64_t lowest = (uint64_t)(int64_t)group->lowest, span = group->span, mask = group->mask;
	const uint64_t *end = at + n * stride;
	while (at < end) {
		uint64_t low = *at + lowest, off = low & 63;
		if (off + span > 64 || !is_one_stack(t, low - off)) { /* crosses lines */
			sums->n_stack += count_at_end(t, group, *at, keeps);
			at += stride;
			continue;
		}
		uint64_t base = low - off, from = lowest - base, starts = mask << off,
			 most = 64 - span;
		const uint64_t *first = at;
		for (at += stride; at < end; at += stride) {
			off = *at + from;
			if (off > most)
				break;
			starts |= mask << off;
		}
		struct line line = {base, starts, (uint64_t)(at - first), stride};
		count_line(sums, t, group, &line, keeps);
	}
}

static inline void
count_once(struct sums *sums, struct thread *t, const struct group *group, uint64_t address,
           bool keeps)
{
	uint64_t low = address + (uint64_t)(int64_t)group->lowest;
	uint64_t in_stack = low - t->stack_low, n_stack = 0;
	if (in_stack < t->stack_bytes && in_stack + group->last < t->stack_bytes) {
		n_stack = group->n_stack;
		low -= t->stack_shift;
	} else if (__builtin_expect(thread_is_near_stack(t, low), 0)) {
		sums->n_stack += count_at_end(t, group, address, keeps);
		return;
	}
	sums->n_stack += n_stack;
	if (keeps && __builtin_expect(!thread_is_recent(t, low, group->mask, group->span), 0))
		thread_touch_group(t, low, group->mask, group->span);
}

static inline void
flush(struct context *c, bool keeps)
{
	struct thread *t = c->t;
	const uint64_t *at = (const uint64_t *)c->buffer, *end = (const uint64_t *)c->buffer_next;
	struct sums sums, all; /* the second one is passed to functions by address */
	take_sums(&sums, t);
	while (at < end) {
		uint64_t word = *at;
		const struct block *b = (const struct block *)((uint8_t *)c + word);
		const struct group *groups = b->groups;
		uint64_t stride = b->entry_words;
		if (at + stride < end && at[stride] == word && b->kind == BLOCK_PLAIN) {
			uint64_t n = 2;
			while (at + n * stride < end && at[n * stride] == word)
				n++;
			add_bundles(&sums, t, &b->bundle, n);
			for (uint32_t i = 0; i < b->n_groups; i++)
				count_walk(&sums, t, &groups[i], at + 1 + i, stride, n, keeps);
			at += n * stride;
			continue;
		}
		switch (b->kind == BLOCK_PLAIN ? stride : 0) {
		case 0:
			all = sums;
			count_alone(&all, t, b, at + 1);
			sums = all;
			break;
		case 4:
			count_once(&sums, t, &groups[2], at[3], keeps);
			__attribute__((fallthrough));
		case 3:
			count_once(&sums, t, &groups[1], at[2], keeps);
			__attribute__((fallthrough));
		case 2:
			count_once(&sums, t, &groups[0], at[1], keeps);
			__attribute__((fallthrough));
		case 1:
			add_bundle(&sums, t, &b->bundle, 1);
			break;
		default:
			add_bundle(&sums, t, &b->bundle, 1);
			for (uint32_t i = 0; i < b->n_groups; i++)
				count_once(&sums, t, &groups[i], at[1 + i], keeps);
		}
		at += stride;
	}
	put_sums(&sums, t);
	c->buffer_next = (uintptr_t)c->buffer;
}

/* ---- for sharing.h ---- */

static void
share_steps(struct thread *t, const struct block *b, const uint64_t *kept)
{
	for (unsigned i = 0; i < 2; i++) { /* rsi, rdi */
		uint64_t from = kept[i], to = kept[i + 2];
		struct sharing_access a = {
		    .address = from < to ? from : to + b->repeats,
		    .bytes = from < to ? to - from : from - to,
		    .pc = b->pc,
		    .is_load = i == 0 ? b->reads_si : b->reads_di,
		    .is_store = i == 1 && b->writes_di,
		};
		if (a.is_load || a.is_store)
			sharing_access(t, &a);
	}
}

static void
share_group(struct thread *t, const struct group *group, uint64_t address)
{
	for (uint32_t i = 0; i < group->n; i++) {
		const struct member *m = &group->members[i];
		struct sharing_access a = {
		    .address = address + (uint64_t)(int64_t)m->offset,
		    .bytes = m->bytes,
		    .pc = m->pc,
		    .is_load = m->n_loads,
		    .is_store = m->n_stores,
		    .is_locked = m->is_locked,
		};
		sharing_access(t, &a);
	}
}

static void
share_entry(struct thread *t, const struct block *b, const uint64_t *at)
{
	struct sharing *s = t->sharing;
	s->in_allocator &= b->is_neutral;
	if (b->block_group)
		sharing_block(t, at[b->block_group - 1], b->pc);
	if (b->kind == BLOCK_REPEATED)
		share_steps(t, b, at);
	for (uint32_t i = 0; b->kind == BLOCK_PLAIN && i < b->n_groups; i++)
		share_group(t, &b->groups[i], at[i]);
	s->in_allocator |= b->calls_allocator;
}

static void __attribute__((noinline, cold)) share(struct context *c)
{
	const uint64_t *at = (const uint64_t *)c->buffer, *end = (const uint64_t *)c->buffer_next;
	while (at < end && c->t->sharing) {
		const struct block *b = (const struct block *)((uint8_t *)c + *at);
		share_entry(c->t, b, at + 1);
		at += b->entry_words;
	}
}

void
wn_native_flush(struct context *c)
{
	c->t->n_every = c->every;
	if (__builtin_expect(wn_counting.log != NULL, 0))
		share(c);
	if (wn_counting.keeps_footprint)
		flush(c, true);
	else
		flush(c, false);
}
