/* SPDX-License-Identifier: MIT */
/*
 * slot.h - memory between what counts instructions and the recorder: one slot for each thread.
 *
 * What counts is either outside the program (the plug-in of the emulator) or compiled into it (the
 * compiler's plug-in). It adds to `count`; the recorder reads it at the boundaries of grains and
 * says in `grain` whose instructions come next. Both run on the thread of the slot, one after the
 * other, so that plain aligned loads and stores suffice.
 *
 * The slots are in the file that WINNOW_COUNT_SLOTS names, where a thread finds its own by its
 * os_tid; or, without that, where the program itself says when it is asked (the functions below).
 */
#ifndef WN_RECORD_COUNTERS_SLOT_H
#define WN_RECORD_COUNTERS_SLOT_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define WN_SLOT_MAGIC    0x315354534c4f5457u
#define WN_SLOT_COUNTS_N 32u

enum wn_property {
#define WN_PROPERTY(name, unit, title) WN_PROPERTY_##name,
#include "record/counters/properties.def"
#undef WN_PROPERTY
	WN_PROPERTY_N
};

#define WN_RECENT_N 512u

struct wn_recent_line {
	uint64_t address; /* of its first byte; 0: no line */
	uint64_t starts;  /* bit i: an access began at byte i */
};

/* Rows, one step each, and stretches, that the running grain has told, at wn_recent_row_place().
 * Those that begin there and are shorter are told, too. */
struct wn_recent_row {
	uint64_t address;
	uint64_t n;    /* of accesses, of a stretch's bytes; 0: none */
	uint64_t kind; /* the step in bytes above the lowest 8 bits, there the bytes of each;
	                * 0: a stretch */
	uint64_t unused;
};

struct wn_recent {
	struct wn_recent_line line[WN_RECENT_N];
	struct wn_recent_row row[WN_RECENT_N];
};

static inline uint64_t
wn_recent_row_place(uint64_t address)
{
	return address * 0x9e3779b97f4a7c15u >> 55;
}

/* The accesses of a loop, or of up to three within each other; of fewer, the outer n are 1. */
#define WN_STEPS_N 3u

struct wn_touched_steps {
	uint64_t address; /* the first one's */
	uint64_t n_bytes; /* of each; at most 64 */
	struct {
		int64_t step_bytes;
		uint64_t n;
	} of[WN_STEPS_N]; /* the innermost first */
};

struct wn_count_slot {
	uint64_t count[WN_SLOT_COUNTS_N]; /* by enum wn_property: totals of the thread */
	uint64_t grain; /* whose instructions these are; 0 = of no grain. Set by the recorder */
	uint64_t ended; /* a grain that is over, so that its footprint can be forgotten; 0 = none */
	uint64_t os_tid;
	uint64_t
	    more_ended[5]; /* others that are over since who counts has last looked; 0 = none */
	/* What the compiler's plug-in knows of the thread: where the frames of the running grain
	 * begin, growing down; 0 = unknown. */
	uint64_t stack_begin;
	/* Compiled with a footprint: what the running grain has touched lately, lines at
	 * (address / 64) % WN_RECENT_N; NULL while nobody asks. And what is told of all others:
	 * one access, or a stretch that counts as an access to each line's part of it; accesses
	 * at even distances, and those again. touched.h */
	struct wn_recent *recent;
	void (*touch)(uint64_t address, uint64_t n_bytes, uint64_t is_stretch);
	void (*touch_each)(const struct wn_touched_steps *steps);
	/* The thread went where it could not be followed: what it did since is not counted. */
	uint64_t is_lost;
	uint64_t reserved[3];
};

/* The start of memory that is shared between two processes' views, a file; slots follow. */
struct wn_slot_file {
	uint64_t magic;
	uint64_t slot_bytes;      /* sizeof (struct wn_count_slot) */
	uint64_t n_properties;    /* WN_PROPERTY_N */
	uint64_t measured;        /* bit i: property i is counted, the others are unknown */
	_Atomic uint64_t n_slots; /* in use, from the first on */
	uint64_t n_slots_max;
	char by[72];              /* who counts, for people: "qemu-x86_64 7.2" */
	_Atomic uint64_t n_execs; /* programs that were started in a process's place, uncounted */
	struct wn_count_slot slots[];
};

/* What a program may define and export that counts its own instructions: the slot of the calling
 * thread, NULL where it has none; and the head of a file as above, without slots, that says what is
 * measured and by whom. Called once for each thread, and once. */
typedef struct wn_count_slot *(*wn_count_slot_function)(void);
typedef const struct wn_slot_file *(*wn_count_slots_function)(void);
#define WN_COUNT_SLOT_SYMBOL  "winnow_count_slot"
#define WN_COUNT_SLOTS_SYMBOL "winnow_count_slots"

_Static_assert(WN_PROPERTY_N <= WN_SLOT_COUNTS_N, "room for all");
_Static_assert(sizeof(struct wn_count_slot) % 64 == 0, "slots share no cache line");
_Static_assert(offsetof(struct wn_slot_file, slots) % 64 == 0, "slots share no cache line");

#endif /* WN_RECORD_COUNTERS_SLOT_H */
