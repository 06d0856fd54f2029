/* SPDX-License-Identifier: MIT */
/*
 * thread.h - what is counted of one thread of the program, and to whom it is put down.
 *
 * A thread runs code of the user's, of the runtime or of the C library. The first switches its
 * account on, the second off, the third leaves it: so what the C library does for the runtime is
 * the runtime's. When the account is switched off, the sums go to the slot, where the recorder,
 * which counts as runtime, finds them at the boundaries of grains; when it is switched on, the
 * recorder has said in the slot whose code follows.
 *
 * The stack begins where the runtime called the user's code: a call pushes where to return to, and
 * the address of that word is known. Bases are kept one above the other, since tasks run inside
 * others' waiting. The lines of the own stack are counted from its base and not from where the base
 * happens to be, so that their number is the same on every thread.
 */
#ifndef WN_COUNT_THREAD_H
#define WN_COUNT_THREAD_H

#include "record/counters/footprint.h"
#include "record/counters/slot.h"
#include "count/bundle.h"

enum mode {
	MODE_NEW, /* nothing is known of the thread yet */
	MODE_USER,
	MODE_RUNTIME
};

/* Accesses of one direction. */
struct tally {
	uint64_t n, bytes, n_stack;
};

/* Lines that the running grain has touched, in front of its set. */
#define RECENT_BITS 11

struct recent {
	uint64_t key;    /* of the line and the grain's turn */
	uint64_t starts; /* of the cell */
};

/* Accesses of repeated string instructions, within one line, that are not put down yet. */
struct run {
	uint64_t line;   /* its first byte's address; NOWHERE: none */
	uint64_t starts; /* bit i: one began at byte i */
	uint64_t n;
	uint64_t bytes; /* of each */
};

#define NOWHERE (1ull << 63)

struct thread {
	/* of the hot paths */
	/* that the fields of `words` have left, at least; below 0 unless user code runs */
	int64_t room;
	uint64_t words[BUNDLE_WORDS_N]; /* the user's sums that are not put by yet */
	uint64_t n_stack;               /* so are these: reads below, writes in the upper half */
	uint64_t mode;                  /* enum mode */
	uint64_t stack_low,
	    stack_bytes; /* of the stack of what runs; no address is in it if unknown */
	uint64_t near_low, near_bytes; /* the same, and GROUP_SPAN_MAX bytes below */
	uint64_t stack_shift;          /* from addresses of it to what they are called */
	uint64_t recent_tag;           /* another one for each turn of a grain; never 0 */
	struct wn_count_slot *slot;    /* never NULL once the mode is known */
	uint64_t once_at, once_mark;   /* an instruction that may be told again */
	/* the last call or return */
	uint64_t sp;
	bool was_call;
	struct run runs[2];            /* reads, writes */
	uint64_t wide_next, wide_left; /* the rest of an access that is told in pieces */

	uint64_t mix[INSN_CLASS_N]; /* the user's instructions */
	struct tally accesses[2];   /* reads, writes */
	uint64_t grain;
	size_t n_bases;
	uint64_t *bases;                     /* [BASES_MAX], from the outermost on */
	uint64_t mapping_start, mapping_end; /* that the last base was in */
	uint64_t n_again, n_every, n_unexpected;
	uint64_t group_starts[8]; /* for the second count: where each open group was told */
	struct wn_footprint_thread footprint;
	struct recent recent[1u << RECENT_BITS]
	    __attribute__((aligned(64))); /* at recent_place() */
	struct wn_footprint_cell *recent_cells[1u << RECENT_BITS];
};

/* By vCPU; NULL as long as there was none of that number. */
#define THREADS_MAX 32768u
extern struct thread *wn_counting_threads[THREADS_MAX] __attribute__((visibility("hidden")));

struct counting {
	struct wn_slot_file *file;
	bool keeps_footprint;
	bool has_stack;       /* calls push on this machine */
	uint64_t host_offset; /* from the program's addresses to those of the process that counts */
	uint64_t memory_bytes; /* for footprints */
};
extern struct counting wn_counting __attribute__((visibility("hidden")));

/* Maps the file of slots; NULL or what went wrong. */
const char *threads_open(const char *path);

/* What is counted, as struct wn_slot_file says it, once wn_counting says what is to be. */
uint64_t threads_measured(void);

/* Whatever the account was: the user's code comes next, or the runtime's. */
void thread_enter_user(struct thread *t);
void thread_leave_user(struct thread *t);

/* The thread shows itself for the first time, by code of the C library. */
void thread_claim(struct thread *t);

/* A vCPU is about to be a thread, false if there is no memory for it; is one no more. */
bool thread_begin(unsigned vcpu);
void thread_end(struct thread *t);

/* What the runtime has called begins below this address. */
void thread_push_base(struct thread *t, uint64_t base);

/* The outermost frame of what the runtime called has been left. */
void thread_pop_base(struct thread *t);

/* In the child of a fork, which has one thread, another one than its parent's, and nothing counted.
 */
void threads_start_again(void);

/* What was counted and what there was, of all threads: for tests. */
struct thread_sums {
	uint64_t n_instructions, n_every, n_again, n_unexpected;
};
struct thread_sums threads_sums(void);

/* Puts the words by, and makes room for `cost`. */
void thread_settle(struct thread *t, int64_t cost);

/* There is room for it. */
static inline void
thread_add_words(struct thread *t, const struct bundle *b)
{
	t->words[0] += b->words[0];
	t->words[1] += b->words[1];
	t->words[2] += b->words[2];
}

_Static_assert(BUNDLE_WORDS_N == 3, "all words are added");

/* The user's code runs what is in it. */
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

/* The same if nothing but adding is to be done; else false, and it is still to be told. */
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

/* The runtime does, or what works for it. */
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

/* A block of code that works for whoever has called it. */
static inline void
thread_run_neutral(struct thread *t, const struct bundle *b)
{
	if (__builtin_expect(t->mode == MODE_NEW, 0))
		thread_claim(t);
	thread_add_to_account(t, b);
}

/* The access begins another run, or none where the line is not all within the own stack or
 * without. */
void thread_begin_run(struct thread *t, struct run *run, uint64_t address, uint64_t bytes);

/* The user's code, at a step of a repeated string instruction, reads (0) or writes (1). */
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

/* Does it lie in the stack of what runs? */
static inline bool
thread_is_own_stack(const struct thread *t, uint64_t address)
{
	return address - t->stack_low < t->stack_bytes;
}

/* Spreads lines that follow each other, and those at any even distance, so that few share a place.
 */
static inline uint64_t
recent_place(uint64_t line)
{
	return line * 0x9e3779b97f4a7c15u >> (64 - RECENT_BITS);
}

/* Is a group whose first access begins there perhaps in the stack of what runs, or across an end of
 * it? */
static inline bool
thread_is_near_stack(const struct thread *t, uint64_t address)
{
	return address - t->near_low < t->near_bytes;
}

/* Is all of it known to be touched by the running grain? Accesses begin where `mask` has a bit,
 * from `address` on, which is bit 0, and end within `span_bytes`. May say no when it is so. */
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

/* The running grain touches what it is not known to have touched. */
void thread_touch_new(struct thread *t, uint64_t address, uint64_t bytes);

/* The same for several accesses, as thread_is_recent() has them. */
void thread_touch_group(struct thread *t, uint64_t address, uint64_t mask, uint64_t span_bytes);

/* The running grain touches these bytes. */
static inline void
thread_touch(struct thread *t, uint64_t address, uint64_t bytes, bool is_own)
{
	if (is_own)
		address -= t->stack_shift;
	if (!thread_is_recent(t, address, 1, bytes))
		thread_touch_new(t, address, bytes);
}

#endif /* WN_COUNT_THREAD_H */
