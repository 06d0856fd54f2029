/* SPDX-License-Identifier: MIT */
/*
 * thread.h - counts of one thread of the program, and the account that they belong to.
 *
 * A thread executes code of the user, the runtime or the C library. User code enables the account,
 * runtime code disables it, and C library code leaves it unchanged, so C library calls by the
 * runtime count for the runtime. When the account is disabled, the sums are written to the slot,
 * where the recorder, which counts as runtime, reads them at grain boundaries. When it is enabled,
 * the slot contains the grain that the recorder has set.
 *
 * The stack begins where the runtime called user code: the call pushes a return address, and the
 * address of that word is known. Bases form a stack of their own, because tasks run inside waits of
 * others. Stack lines are numbered from the base, so that their number is the same on every thread.
 */
#pragma once

#include "count/bundle.h"
#include "record/counters/footprint.h"
#include "record/counters/sharing_log.h"
#include "record/counters/slot.h"

enum mode {
	MODE_NEW, /* thread not yet classified */
	MODE_USER,
	MODE_RUNTIME
};

/* Accesses of one direction. */
struct tally {
	uint64_t n, bytes, n_stack;
};

/* Lines that the running grain has recently accessed, a cache of its set. */
#define RECENT_BITS 11

struct recent {
	uint64_t key;    /* line and tag of the grain */
	uint64_t starts; /* of the cell */
};

/* Accesses of repeated string instructions within one line, not counted yet. */
struct run {
	uint64_t line;   /* address of its first byte; NOWHERE: none */
	uint64_t starts; /* bit i: an access began at byte i */
	uint64_t n;
	uint64_t bytes; /* bytes of each access */
};

#define NOWHERE (1ull << 63)

struct thread {
	/* fields of the hot paths */
	/* lower bound of the room left in the fields of `words`; negative unless user code runs */
	int64_t room;
	uint64_t words[BUNDLE_WORDS_N]; /* packed sums of user code, not yet added to the totals */
	uint64_t n_stack;               /* likewise: reads in the lower half, writes in the upper */
	uint64_t mode;                  /* enum mode */
	uint64_t stack_low,
	    stack_bytes; /* bounds of the current stack; contains no address if unknown */
	uint64_t near_low, near_bytes; /* the same, extended by GROUP_SPAN_MAX bytes below */
	uint64_t stack_shift; /* added to stack addresses to make them independent of the base */
	uint64_t recent_tag;  /* tag of the current grain's cache entries; changes whenever a grain
	                         starts; never 0 */
	struct wn_count_slot *slot;  /* never NULL once the mode is known */
	uint64_t once_at, once_mark; /* last instruction that may be reported again */
	/* the last call or return */
	uint64_t sp;
	bool was_call;
	struct run runs[2];            /* reads, writes */
	uint64_t wide_next, wide_left; /* rest of an access reported in pieces */

	uint64_t mix[INSN_CLASS_N]; /* instructions of user code */
	struct tally accesses[2];   /* reads, writes */
	uint64_t grain;
	size_t n_bases;
	uint64_t *bases;                     /* [BASES_MAX], outermost first */
	uint64_t *base_grains;               /* [BASES_MAX] the grain that runs from there on */
	uint64_t mapping_start, mapping_end; /* mapping that contains the last base */
	uint64_t n_again, n_every, n_unexpected;
	uint64_t group_starts[8]; /* for the second count: where each open group was reported */
	struct sharing *sharing;  /* NULL: not logged; see sharing.h */
	struct wn_footprint_thread footprint;
	struct recent recent[1u << RECENT_BITS]
	    __attribute__((aligned(64))); /* at recent_place() */
	struct wn_footprint_cell *recent_cells[1u << RECENT_BITS];
};

/* Threads by vCPU number; NULL if the number is unused. */
#define THREADS_MAX 32768u
extern struct thread *wn_counting_threads[THREADS_MAX] __attribute__((visibility("hidden")));
/* Number of vCPUs; a hint for scans. */
extern uint64_t wn_threads_seen __attribute__((visibility("hidden")));

struct counting {
	struct wn_slot_file *file;
	bool keeps_footprint;
	bool has_stack;           /* calls push on this machine */
	uint64_t host_offset;     /* from the program's addresses to the host's */
	uint64_t memory_bytes;    /* memory limit for footprints */
	struct wn_share_log *log; /* NULL: accesses are not logged */
};
extern struct counting wn_counting __attribute__((visibility("hidden")));

/* Maps a whole file, shared. Returns NULL, or the error. */
const char *threads_map(const char *path, void **out, uint64_t *n_bytes);

/* Maps the file of slots. Returns NULL, or the error. */
const char *threads_open(const char *path);

/* Writes to struct wn_slot_file which properties are counted, once wn_counting is set. */
uint64_t threads_measured(void);

/* Switches the account to user code, or to the runtime, whatever it was. */
void thread_enter_user(struct thread *t);
void thread_leave_user(struct thread *t);

/* Called when the thread is first seen, in C library code. */
void thread_claim(struct thread *t);

/* A vCPU becomes a thread (false if out of memory); a thread ends. */
bool thread_begin(unsigned vcpu);
void thread_end(struct thread *t);

/* The stack of the code that the runtime has called begins below this address. */
void thread_push_base(struct thread *t, uint64_t base);

/* The outermost frame of the code that the runtime called has returned. */
void thread_pop_base(struct thread *t);

/* In the child of a fork: one thread, with a new id and zero counts. */
void threads_start_again(void);

/* Counted and total instructions of all threads, for tests. */
struct thread_sums {
	uint64_t n_instructions, n_every, n_again, n_unexpected;
};
struct thread_sums threads_sums(void);

/* Adds the packed words to the totals, and makes room for `cost`. */
void thread_settle(struct thread *t, int64_t cost);

/* Is there room for it? */
static inline void
thread_add_words(struct thread *t, const struct bundle *b)
{
	t->words[0] += b->words[0];
	t->words[1] += b->words[1];
	t->words[2] += b->words[2];
}

_Static_assert(BUNDLE_WORDS_N == 3, "all words are added");

/* Counts a bundle of user code. */
static inline void
thread_add(struct thread *t, const struct bundle *b)
{
	t->room -= b->cost;
	if (__builtin_expect(t->room < 0, 0))
		thread_settle(t, b->cost);
	thread_add_words(t, b);
}

/* A block of user code begins, whatever the account was. */
static inline void
thread_run_user(struct thread *t, const struct bundle *b)
{
	if (__builtin_expect(t->mode != MODE_USER, 0))
		thread_enter_user(t);
	thread_add(t, b);
}

/* The same if only additions are needed; otherwise false, and the caller must take the slow
 * path. */
static inline bool
thread_ran_user(struct thread *t, const struct bundle *b)
{
	int64_t room = t->room - b->cost;
	if (__builtin_expect(room < 0, 0))
		return false;
	t->room = room;
	thread_add_words(t, b);
	return true;
}

/* A block of the runtime, or of code that works for it, begins. */
static inline void
thread_add_runtime(struct thread *t, const struct bundle *b)
{
	t->slot->count[WN_PROPERTY_runtime_instructions] += b->n_insn;
}

static inline void
thread_add_to_account(struct thread *t, const struct bundle *b)
{
	if (t->mode == MODE_USER)
		thread_add(t, b);
	else
		thread_add_runtime(t, b);
}

/* A block begins that counts for its caller. */
static inline void
thread_run_neutral(struct thread *t, const struct bundle *b)
{
	if (__builtin_expect(t->mode == MODE_NEW, 0))
		thread_claim(t);
	thread_add_to_account(t, b);
}

/* The access begins another run, or none if its line is partly inside and partly outside the own
 * stack. */
void thread_begin_run(struct thread *t, struct run *run, uint64_t address, uint64_t bytes);

/* User code reads (0) or writes (1), in one step of a repeated string instruction. */
static inline void
thread_step(struct thread *t, unsigned is_store, uint64_t address, uint64_t bytes)
{
	struct run *run = &t->runs[is_store];
	uint64_t at = address - run->line;
	if (__builtin_expect(at > 64 - bytes || bytes != run->bytes, 0)) {
		thread_begin_run(t, run, address, bytes);
	} else {
		run->starts |= 1ull << at;
		run->n++;
	}
}

/* Is the address in the current stack? */
static inline bool
thread_is_own_stack(const struct thread *t, uint64_t address)
{
	return address - t->stack_low < t->stack_bytes;
}

/* Hash of a line. Spreads consecutive lines, and lines at constant distances, over different
 * places. */
static inline uint64_t
recent_place(uint64_t line)
{
	return line * 0x9e3779b97f4a7c15u >> (64 - RECENT_BITS);
}

/* May a group that begins at this address be in the current stack, or cross an end of it? */
static inline bool
thread_is_near_stack(const struct thread *t, uint64_t address)
{
	return address - t->near_low < t->near_bytes;
}

/* Are all these accesses known to be in the running grain's footprint? Accesses begin where `mask`
 * has a bit, relative to `address`, and end within `span_bytes`. May return false negatives. */
static inline bool
thread_is_recent(const struct thread *t, uint64_t address, uint64_t mask, uint64_t span_bytes)
{
	uint64_t line = address >> WN_FOOTPRINT_LINE_BITS, at = address & 63, end = at + span_bytes;
	const struct recent *recent = &t->recent[recent_place(line)];
	if (recent->key != (t->recent_tag | line) || (mask << at & ~recent->starts))
		return false;
	if (end <= 64)
		return true;
	line = wn_footprint_line(address + 64);
	recent = &t->recent[recent_place(line)];
	return end <= 128 && recent->key == (t->recent_tag | line) &&
	       !(mask >> 1 >> (63 - at) & ~recent->starts);
}

/* Adds an access that is not in the cache to the running grain's footprint. */
void thread_touch_new(struct thread *t, uint64_t address, uint64_t bytes);

/* The same for several accesses, with the arguments of thread_is_recent(). */
void thread_touch_group(struct thread *t, uint64_t address, uint64_t mask, uint64_t span_bytes);

/* Adds these bytes to the running grain's footprint. */
static inline void
thread_touch(struct thread *t, uint64_t address, uint64_t bytes, bool is_own)
{
	if (is_own)
		address -= t->stack_shift;
	if (!thread_is_recent(t, address, 1, bytes))
		thread_touch_new(t, address, bytes);
}
