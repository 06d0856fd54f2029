/* SPDX-License-Identifier: MIT */
/*
 * count.c - counters beside the clock: read together with it, and recorded before the record that
 * has the tick.
 *
 * A source takes a tick, calls the runtime, perhaps takes another tick, and records both. So
 * counter values are kept with their ticks until a record needs them, as far back as sources need.
 *
 * After a record, the backend is informed which grain runs next on the thread, consistent with the
 * replay (graph/account.c): a grain while it does its own work; none while the runtime works for
 * it.
 */
#include "base/clock.h"
#include "base/map.h"
#include "record/counters/counters.h"
#include "record/counters/touched.h"
#include "record/state.h"

#include <stdlib.h>
#include <sys/mman.h>

#define STAMPS_N     4u
#define COUNTS_BYTES 56u /* of one COUNTS, 1 + 5 * 9; and a COUNTING's share of it */

/* Activity of a task on the stack, other than its own work. */
enum doing {
	DOING_CREATE = 1,
	DOING_TASKLOOP = 2,
	DOING_WAIT = 4,
	DOING_FORK = 8,
	DOING_LOOP = 16, /* between the loop's chunks */
	DOING_LOCK = 32
};

/* A task on the thread's stack. */
struct nested {
	wn_id chunk; /* 0 = none */
	uint8_t doing;
};

/* Stored behind the thread's state; deeper ones in a mapping that doubles. */
#define NESTED_N 1024u

struct stamp {
	uint64_t tick;
	uint64_t totals[WN_COUNTERS_MAX];
};

struct wn_counting {
	struct wn_counter_thread thread;
	struct wn_counting *next; /* of `threads` */
	bool is_open;
	uint64_t counted;        /* bit i: counter i */
	uint64_t written_shares; /* bit i: share of counter i, whose latest value is ... */
	uint64_t written_running_ns[WN_COUNTERS_MAX];
	uint64_t written[WN_COUNTERS_MAX];
	struct stamp stamps[STAMPS_N];
	struct stamp *newest; /* ring buffer; older ones precede it */
	uint64_t running;
	struct nested *nested; /* by stack position; 0 is the thread's own context */
	uint32_t nested_max;
	struct nested first[NESTED_N];
	/* state of a task that the thread is switching to; 0 = none */
	wn_id switched_to, switched_chunk;
	uint8_t switched_doing;
};

static const struct wn_counter_backend *backend; /* NULL: nothing is counted */
static _Atomic(struct wn_counting *) threads;    /* all that ever existed, newest first */
static struct wn_counter_set set;
static size_t max_bytes; /* size of a full set of records */

/* --- the process ----------------------------------------------------------------------------- */

static const struct wn_counter_backend *
choose(const char **wanted)
{
	static const struct wn_counter_backend *const named[] = {&wn_counters_perf,
	                                                         &wn_counters_simulated};
	const char *text = getenv("WINNOW_COUNTERS");
	const char *slots = getenv("WINNOW_COUNT_SLOTS");
	*wanted = slots ? slots : "";
	if (slots && *slots)
		return &wn_counters_slots;
	for (size_t i = 0; text && i < sizeof named / sizeof *named; i++) {
		if (!named[i])
			continue;
		size_t n = strlen(named[i]->name);
		if (strncmp(text, named[i]->name, n) != 0 || text[n] != ':')
			continue;
		*wanted = text + n + 1;
		return named[i];
	}
	return &wn_counters_slots; /* of the program itself, if it has any */
}

static uint8_t *
put_record(uint8_t *at, uint32_t type, size_t n_bytes)
{
	struct wn_process_record head = {type, (uint32_t)n_bytes};
	memcpy(at, &head, sizeof head);
	return at + sizeof head;
}

static uint8_t *
put_text(uint8_t *at, const char *text)
{
	size_t n = strlen(text);
	memcpy(at, text, n);
	return at + n;
}

/* Records are padded to 8 bytes. */
static uint8_t *
pad(const uint8_t *from, uint8_t *at)
{
	while ((at - from) % 8)
		*at++ = 0;
	return at;
}

void
wn_counters_write(void)
{
	if (set.n == 0 && set.missing_bytes == 0)
		return;
	uint8_t *records = wn_map(WN_SLOT_BYTES, 0);
	if (!records)
		return;
	uint8_t *at = records;
	for (uint32_t i = 0; i < set.n; i++) {
		struct wn_counter_record r = {
		    .number = i,
		    .name_bytes = (uint16_t)strlen(set.names[i].name),
		    .unit_bytes = (uint16_t)strlen(set.names[i].unit),
		    .by_bytes = (uint16_t)strlen(set.by),
		};
		at = put_record(at, WN_PROCESS_COUNTER,
		                sizeof r + r.name_bytes + r.unit_bytes + r.by_bytes);
		memcpy(at, &r, sizeof r);
		at = put_text(at + sizeof r, set.names[i].name);
		at = put_text(put_text(at, set.names[i].unit), set.by);
		at = pad(records, at);
	}
	for (size_t i = 0; i < set.missing_bytes; i += strlen(set.missing + i) + 1) {
		at = put_record(at, WN_PROCESS_COUNTER_MISSING, strlen(set.missing + i));
		at = pad(records, put_text(at, set.missing + i));
	}
	if (at > records)
		recorder_process_write(records, (size_t)(at - records));
	munmap(records, WN_SLOT_BYTES);
}

void
wn_counters_open(void)
{
	const char *wanted;
	memset(&set, 0, sizeof set);
	const struct wn_counter_backend *chosen = choose(&wanted);
	if (!chosen->open(wanted, &set) || set.n == 0)
		return;
	uint32_t n_groups = (set.n + WN_COUNTS_GROUP_N - 1) / WN_COUNTS_GROUP_N;
	max_bytes = n_groups * COUNTS_BYTES;
	wn_clock_is_bare = false;
	backend = chosen;
}

/* A forked child has copies of its parent's open counters. */
void
wn_counters_forget(void)
{
	struct wn_counting *c = atomic_exchange(&threads, NULL);
	for (; c; c = c->next) {
		memset(c->thread.page, 0, sizeof c->thread.page); /* pages are not copied */
		if (c->is_open && backend && backend->end)
			backend->end(&c->thread);
	}
	backend = NULL;
	wn_touched_forget();
}

/* --- a thread -------------------------------------------------------------------------------- */

static uint64_t
clock_alone(void)
{
	if (wn_clock_is_ticks)
		return wn_ticks();
	return wn_now_ns(CLOCK_MONOTONIC);
}

static inline const struct stamp *
stamp_now(struct wn_counting *c, uint64_t tick)
{
	struct stamp *s = c->newest == c->stamps ? c->stamps + STAMPS_N - 1 : c->newest - 1;
	c->newest = s;
	s->tick = tick;
	backend->read(&c->thread, tick, s->totals);
	return s;
}

/* An older value: some later ones were never recorded. */
static __attribute__((noinline)) const struct stamp *
older_stamp(struct wn_counting *c, uint64_t tick)
{
	size_t newest = (size_t)(c->newest - c->stamps);
	for (size_t i = 1; i < STAMPS_N; i++) {
		const struct stamp *s = &c->stamps[(newest + i) % STAMPS_N];
		if (s->tick == tick)
			return s;
	}
	return stamp_now(c, tick);
}

static inline const struct stamp *
stamp_of(struct wn_counting *c, uint64_t tick)
{
	return __builtin_expect(c->newest->tick == tick, 1) ? c->newest : older_stamp(c, tick);
}

uint64_t
wn_clock_and_counters(void)
{
	uint64_t tick = clock_alone();
	struct wn_thread *t = wn_self;
	if (t && t->is_counting)
		stamp_now(t->counting, tick);
	return tick;
}

void
wn_counters_emit(struct wn_thread *t)
{
	if (t->is_counting)
		wn_writer_commit(&t->w, wn_code_value(wn_code_event(t->w.next, WN_EV_COUNTING),
		                                      t->counting->counted));
}

void
wn_counters_begin(struct wn_thread *t)
{
	t->is_counting = 0;
	if (!backend)
		return;
	if (!t->counting) {
		t->counting = wn_map(sizeof *t->counting, 0);
		if (!t->counting)
			return; /* the stream does not declare any counters here */
		t->counting->next = atomic_load(&threads);
		while (!atomic_compare_exchange_weak(&threads, &t->counting->next, t->counting))
			;
	}
	struct wn_counting *next = t->counting->next;
	if (t->counting->nested_max > NESTED_N)
		munmap(t->counting->nested, t->counting->nested_max * sizeof(struct nested));
	memset(t->counting, 0, sizeof *t->counting);
	t->counting->next = next;
	t->counting->nested = t->counting->first;
	t->counting->nested_max = NESTED_N;
	t->counting->newest = t->counting->stamps;
	t->counting->is_open = true;
	t->counting->counted = backend->begin(&t->counting->thread, t->os_tid, t->w.last_tick);
	t->counting->thread.counted = t->counting->counted;
	t->is_counting = t->counting->counted != 0;
	wn_counters_emit(t);
}

/* --- the stream ------------------------------------------------------------------------------ */

static bool
has_room(struct wn_thread *t, size_t n_bytes)
{
	/* room for a burst below the limit; this much more is needed */
	return t->w.next + n_bytes < t->w.limit;
}

/* A flush may also end a loop of polls, which leaves the window as full as it was. */
static __attribute__((noinline)) bool
flush_for(struct wn_thread *t, size_t n_bytes)
{
	return wn_thread_flush(t) && (has_room(t, n_bytes) || wn_thread_flush(t));
}

/* Increase of a group's counters since the last record, for any values. */
static __attribute__((noinline)) uint8_t *
code_large(uint8_t *at, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	at = wn_code_value(wn_code_value(at, a), b);
	return wn_code_value(wn_code_value(at, c), d);
}

/* For increases below 2^14 in a group's first n counters: two bytes each, one for zero.
 * Branch-free, because sizes vary between events. */
static inline uint8_t *
code_small(uint8_t *at, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint32_t n)
{
	/* the low bits of a varint encode its length */
	static const uint64_t lengths[] = {0x01010101, 0x0101010002, 0x010100020002,
	                                   0x01000200020002, 0x0002000200020002};
	uint64_t coded = lengths[n] | (a | b << 16 | c << 32 | d << 48) << 2;
	memcpy(at, &coded, sizeof coded);
	return at + WN_COUNTS_GROUP_N + n;
}

/* Increase of counter i since the last record. A scaled total may seem to decrease. */
static inline uint64_t
take_growth(struct wn_counting *c, const struct stamp *s, uint32_t i)
{
	uint64_t written = c->written[i];
	uint64_t total = c->counted >> i & 1 ? s->totals[i] : written;
	total = total > written ? total : written;
	c->written[i] = total;
	return total - written;
}

/* Records the counters of a group, if any has increased. */
static inline __attribute__((always_inline)) uint8_t *
write_group(struct wn_counting *c, const struct stamp *s, uint32_t group, uint32_t n, uint8_t *at)
{
	uint32_t first = group * WN_COUNTS_GROUP_N;
	uint64_t g0 = take_growth(c, s, first), g1 = take_growth(c, s, first + 1);
	uint64_t g2 = take_growth(c, s, first + 2), g3 = take_growth(c, s, first + 3);
	uint64_t any = g0 | g1 | g2 | g3;
	if (!any)
		return at;
	at = wn_code_value(wn_code_event(at, WN_EV_COUNTS), group);
	return __builtin_expect(any >> 14 == 0, 1) ? code_small(at, g0, g1, g2, g3, n)
	                                           : code_large(at, g0, g1, g2, g3);
}
static_assert(WN_COUNTS_GROUP_N == 4, "the functions above");

/* Records several groups. */
static __attribute__((noinline)) uint8_t *
write_groups(struct wn_counting *c, const struct stamp *s, uint8_t *at)
{
	uint32_t n_left = set.n;
	for (uint32_t group = 0; n_left > 0; group++) {
		uint32_t n = n_left < WN_COUNTS_GROUP_N ? n_left : WN_COUNTS_GROUP_N;
		at = write_group(c, s, group, n, at);
		n_left -= n;
	}
	return at;
}

static inline __attribute__((always_inline)) bool
write_growth(struct wn_thread *t, const struct stamp *s)
{
	struct wn_counting *c = t->counting;
	if (__builtin_expect(!has_room(t, max_bytes), 0) && !flush_for(t, max_bytes))
		return false;
	uint8_t *at = set.n <= WN_COUNTS_GROUP_N ? write_group(c, s, 0, set.n, t->w.next)
	                                         : write_groups(c, s, t->w.next);
	wn_writer_commit(&t->w, at);
	if (__builtin_expect(c->counted != c->thread.counted, 0)) {
		c->counted = c->thread.counted;
		wn_counters_emit(t);
	}
	return true;
}

/* Share of the time that counters were on the processor, if not all of it; may be zero. */
static void
write_shares(struct wn_thread *t)
{
	struct wn_counting *c = t->counting;
	for (uint32_t i = 0; i < set.n; i++) {
		uint64_t running_ns = c->thread.running_ns[i];
		if (!(c->counted >> i & 1) || running_ns >= c->thread.enabled_ns[i] ||
		    (c->written_shares >> i & 1 && running_ns == c->written_running_ns[i]) ||
		    !wn_ev_room(t))
			continue;
		c->written_shares |= UINT64_C(1) << i;
		c->written_running_ns[i] = running_ns;
		uint8_t *at = wn_code_value(wn_code_event(t->w.next, WN_EV_COUNT_SHARE), i);
		at = wn_code_value(at, c->thread.enabled_ns[i]);
		wn_writer_commit(&t->w, wn_code_value(at, running_ns));
	}
}

void
wn_counters_last(struct wn_thread *t)
{
	if (!t->is_counting || !wn_ev_room(t))
		return;
	write_growth(t, stamp_now(t->counting, clock_alone()));
	write_shares(t);
}

void
wn_counters_end(struct wn_thread *t)
{
	if (!t->is_counting)
		return;
	wn_counters_last(t);
	t->is_counting = 0;
	t->counting->is_open = false;
	if (backend && backend->end)
		backend->end(&t->counting->thread);
}

/* --- which grain runs next ------------------------------------------------------------------- */

/* Without memory, the deepest tasks share the last entry. */
static struct nested *
nested_at(const struct wn_counting *c, uint32_t place)
{
	return &c->nested[place < c->nested_max ? place : c->nested_max - 1];
}

static __attribute__((noinline)) void
grow_nested(struct wn_counting *c)
{
	const size_t n_bytes = c->nested_max * sizeof(struct nested);
	void *map = wn_map_more(c->nested == c->first ? NULL : c->nested, n_bytes, 2 * n_bytes,
	                        MAP_NORESERVE);
	if (!map)
		return;
	if (c->nested == c->first)
		memcpy(map, c->first, n_bytes);
	c->nested = map;
	c->nested_max *= 2;
}

static wn_id
grain_of(const struct nested *n, wn_id task)
{
	if (n->doing & ~(n->chunk ? DOING_LOOP : 0))
		return 0;
	return n->chunk ? n->chunk : task;
}

/* State of the task on top, and of the one below it. */
static wn_id
grain_on_top(const struct wn_thread *t)
{
	return grain_of(nested_at(t->counting, wn_stack_depth(t)), wn_stack_peek(t, 0));
}

static wn_id
grain_beneath(struct wn_thread *t)
{
	if (t->depth == 0)
		return 0;
	wn_id task = wn_stack_beneath(t);
	return grain_of(nested_at(t->counting, wn_stack_depth(t) - 1), task);
}

static void
enter(struct wn_counting *c, uint32_t place)
{
	if (__builtin_expect(place >= c->nested_max, 0))
		grow_nested(c);
	*nested_at(c, place) = (struct nested){0, 0};
}

/* After a switch to a task below on the stack, that task resumes its previous activity. */
static wn_id
switch_to(struct wn_thread *t, wn_id next)
{
	struct wn_counting *c = t->counting;
	uint32_t at = next == wn_stack_peek(t, 0) ? wn_stack_depth(t) : wn_stack_find(t, next);
	struct nested was = {0, 0};
	if (at > 0)
		was = *nested_at(c, at);
	c->switched_to = next;
	c->switched_doing = was.doing;
	c->switched_chunk = was.chunk;
	return grain_of(&was, next);
}

/* If the stack is reduced to that task alone, its state moves with it. */
static void
settle_switch(struct wn_thread *t)
{
	struct wn_counting *c = t->counting;
	if (c->switched_to && wn_stack_depth(t) == 1 && t->stack[1] == c->switched_to)
		c->nested[1] = (struct nested){c->switched_chunk, c->switched_doing};
	c->switched_to = 0;
}

static bool
is_loop(uint64_t aux)
{
	uint64_t kind = aux & WN_WORK_KIND_MASK;
	return (kind >= WN_WORK_LOOP_STATIC && kind <= WN_WORK_SECTIONS) ||
	       kind == WN_WORK_DISTRIBUTE;
}

static bool
is_barrier(uint64_t kind)
{
	return kind >= WN_SYNC_BARRIER_EXPLICIT && kind <= WN_SYNC_BARRIER_TEAMS;
}

/* Activity of the task on top after the record. */
static void
change(struct nested *n, enum wn_event_code code, uint64_t detail)
{
	static const struct {
		uint8_t begins, ends;
	} of[WN_EV_N] = {
	    [WN_EV_TASK_CREATE] = {DOING_CREATE, 0},
	    [WN_EV_TASK_CREATE_BY] = {DOING_CREATE, 0},
	    [WN_EV_CREATE_END] = {0, DOING_CREATE},
	    [WN_EV_TASKLOOP_BEGIN] = {DOING_TASKLOOP, 0},
	    [WN_EV_TASKLOOP_END] = {0, DOING_TASKLOOP},
	    [WN_EV_SYNC_BEGIN] = {DOING_WAIT, DOING_CREATE},
	    [WN_EV_SYNC_END] = {0, DOING_WAIT},
	    [WN_EV_REGION_BEGIN] = {DOING_FORK, 0},
	    [WN_EV_REGION_END] = {0, DOING_FORK},
	    [WN_EV_WORK_END] = {0, DOING_LOOP},
	    [WN_EV_MUTEX_WAIT] = {DOING_LOCK, 0},
	};
	n->doing &= (uint8_t) ~(of[code].ends | DOING_LOCK);
	n->doing |= of[code].begins;
	if ((code == WN_EV_WORK_BEGIN || code == WN_EV_LOOP_BEGIN) && is_loop(detail))
		n->doing |= DOING_LOOP;
	if (code == WN_EV_SYNC_BEGIN && is_barrier(detail)) { /* a cancelled loop has no end */
		n->doing &= (uint8_t)~DOING_LOOP;
		n->chunk = 0;
	}
}

static void
follow(struct wn_thread *t, enum wn_event_code code, uint64_t detail)
{
	struct wn_counting *c = t->counting;
	struct nested *top = nested_at(c, wn_stack_depth(t));
	wn_id next_id = (uint64_t)t->index << 32 | (uint32_t)(t->n_ids + 1);
	wn_id grain = 0, ended = 0;
	settle_switch(t);
	switch ((int)code) {
	case WN_EV_IMPLICIT_BEGIN:
		enter(c, wn_stack_depth(t) + 1);
		grain = next_id;
		break;
	case WN_EV_TASK_BEGIN:
	case WN_EV_TASK_BEGIN_OWN:
		enter(c, wn_stack_depth(t) + 1);
		grain = detail;
		break;
	case WN_EV_TASK_SWITCH:
		grain = switch_to(t, detail);
		break;
	case WN_EV_IMPLICIT_END:
	case WN_EV_TASK_END:
		ended = wn_stack_peek(t, 0);
		grain = grain_beneath(t);
		break;
	case WN_EV_TASK_SUSPEND:
		grain = grain_beneath(t);
		break;
	case WN_EV_CHUNK_BEGIN:
	case WN_EV_STATIC_BEGIN:
	case WN_EV_SECTION_BEGIN:
		top->chunk = grain = next_id;
		break;
	case WN_EV_CHUNK_END:
		ended = top->chunk;
		top->chunk = 0;
		grain = grain_on_top(t);
		break;
	default:
		change(top, code, detail);
		grain = grain_on_top(t);
	}
	if (grain != c->running || ended)
		backend->runs(&c->thread, grain, ended);
	c->running = grain;
}

bool
wn_count(struct wn_thread *t, enum wn_event_code code, uint64_t tick, uint64_t detail)
{
	if (!write_growth(t, stamp_of(t->counting, tick)))
		return false;
	/* a worker may record nothing more after its region, not even the region's end */
	if (code == WN_EV_IMPLICIT_END || (code == WN_EV_SYNC_BEGIN && is_barrier(detail)))
		write_shares(t);
	if (backend->runs)
		follow(t, code, detail);
	return true;
}
