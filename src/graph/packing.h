/* SPDX-License-Identifier: MIT */
/*
 * packing.h - packs the fragments of live grains, and counts how long they are. Private to this
 * folder.
 *
 * The replay only notes that a fragment or a grain has ended; the notes are packed in their order
 * by one thread at a time: the replay's own, or the reader of its stream.
 */
#pragma once

#include "base/pool.h"
#include "graph/fragments.h"

#define PACKING_NONE    UINT64_MAX /* no fragment */
#define PACKING_GOES_ON UINT32_MAX /* no end */

/* A fragment has ended; or a grain; or a grain with its last fragment. */
struct packing_note {
	uint64_t start_ns, ns;
	uint32_t live;  /* the grain's number among those that are live */
	uint32_t ended; /* the grain */
};

struct packing_notes {
	struct packing_note *items; /* [n] */
	size_t n, capacity;
};

/* Written by one core while another one replays: in lines of the cache of its own. */
struct packing {
	char before[64];
	struct wn_run *runs; /* [n_runs] by number of a live grain */
	size_t n_runs, runs_capacity;
	struct wn_pool cells; /* of runs */
	struct wn_fragments fragments;
	struct wn_durations durations;
	bool counts_durations;
	bool is_out_of_memory; /* what was noted since is not packed */
	char after[64];
};

/* Returns an empty one, or NULL. `durations` is where counting begins; its array is borrowed. */
struct packing *packing_new(const struct wn_durations *durations, bool counts_durations);
void packing_free(struct packing *p);

/* Packs one note. */
void packing_add(struct packing *p, uint64_t start_ns, uint64_t ns, uint32_t live, uint32_t ended);

/* Packs all notes, and empties the list. */
void packing_add_all(struct packing *p, struct packing_notes *notes);

/* Moves the result out. */
void packing_take(struct packing *p, struct wn_fragments *fragments,
                  struct wn_durations *durations);
