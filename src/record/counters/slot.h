/* SPDX-License-Identifier: MIT */
/*
 * slot.h - shared memory between the counting code and the recorder: one slot for each thread.
 *
 * The counting code is either outside the program (the emulator's plug-in) or compiled into it (the
 * compiler's plug-in). It adds to `count`; the recorder reads the counts at grain boundaries, and
 * sets `grain` to the grain that runs next. Both run on the thread of the slot, one after the
 * other, so plain aligned loads and stores suffice.
 *
 * The slots are in the file that WINNOW_COUNT_SLOTS names, where a thread finds its own by its
 * os_tid; without that, the program itself returns them (the functions below).
 */
#pragma once

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
	uint64_t address; /* of its first byte; 0: empty */
	uint64_t starts;  /* bit i: an access began at byte i */
};

/* Rows (constant stride) and ranges that the running grain has reported, at wn_recent_row_place().
 * Shorter ones with the same start are covered, too. */
struct wn_recent_row {
	uint64_t address;
	uint64_t n; /* number of accesses, or bytes of a range; 0: empty */
	/* stride in bytes above the lowest 8 bits, access size in these; 0: a range */
	uint64_t kind;
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

/* The accesses of a loop nest of up to three loops; unused outer n are 1. */
#define WN_STEPS_N 3u

struct wn_touched_steps {
	uint64_t address; /* of the first access */
	uint64_t n_bytes; /* of each access; at most 64 */
	struct {
		int64_t step_bytes;
		uint64_t n;
	} of[WN_STEPS_N]; /* innermost loop first */
};

struct wn_count_slot {
	uint64_t count[WN_SLOT_COUNTS_N]; /* totals of the thread, by enum wn_property */
	uint64_t grain; /* grain that the thread runs; 0 = none. Set by the recorder */
	uint64_t ended; /* a grain that is over, whose footprint can be discarded; 0 = none */
	uint64_t os_tid;
	uint64_t more_ended[5]; /* further ones since the counting code last read them; 0 = none */
	/* Set by the compiler's plug-in: start of the running grain's frames, which grow down; 0 =
	 * unknown. */
	uint64_t stack_begin;
	/* Compiled with a footprint: recently accessed lines of the running grain, at (address /
	 * 64) % WN_RECENT_N; NULL while footprints are not recorded. And functions for all other
	 * accesses: one access, or a range, which counts as an access to each line; accesses at
	 * constant strides, and those of a loop nest. See touched.h. */
	struct wn_recent *recent;
	void (*touch)(uint64_t address, uint64_t n_bytes, uint64_t is_stretch);
	void (*touch_each)(const struct wn_touched_steps *steps);
	/* The thread ran code that could not be followed, which is not counted. */
	uint64_t is_lost;
	uint64_t tick; /* of the thread's last event. Set by the recorder */
	uint64_t reserved[2];
};

/* Start of the shared file; slots follow. */
struct wn_slot_file {
	uint64_t magic;
	uint64_t slot_bytes;      /* sizeof (struct wn_count_slot) */
	uint64_t n_properties;    /* WN_PROPERTY_N */
	uint64_t measured;        /* bit i: property i is counted, the others are not available */
	_Atomic uint64_t n_slots; /* slots in use, from the first on */
	uint64_t n_slots_max;
	char by[72];              /* name of the counting tool, for display: "qemu-x86_64 7.2" */
	_Atomic uint64_t n_execs; /* programs started by exec in this process, uncounted */
	struct wn_count_slot slots[];
};

/* Defined and exported by programs that count their own instructions: the slot of the calling
 * thread, or NULL; and a file header as above, without slots, that names the properties and the
 * tool. Called once for each thread, and once. */
typedef struct wn_count_slot *(*wn_count_slot_function)(void);
typedef const struct wn_slot_file *(*wn_count_slots_function)(void);
#define WN_COUNT_SLOT_SYMBOL  "winnow_count_slot"
#define WN_COUNT_SLOTS_SYMBOL "winnow_count_slots"

_Static_assert(WN_PROPERTY_N <= WN_SLOT_COUNTS_N, "room for all");
_Static_assert(sizeof(struct wn_count_slot) % 64 == 0, "slots share no cache line");
_Static_assert(offsetof(struct wn_slot_file, slots) % 64 == 0, "slots share no cache line");
