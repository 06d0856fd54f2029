/* SPDX-License-Identifier: MIT */
/* fidelity.h - collects the limitations of a recording: what was not seen, estimated, dropped,
 * damaged or guessed. */
#pragma once

#include "metrics/summary.h"
#include "report/places.h"

enum wn_fidelity_level {
	WN_FIDELITY_LOST = 1,  /* part of the run is missing */
	WN_FIDELITY_CHANGED,   /* recording changed what it measures */
	WN_FIDELITY_UNSEEN,    /* something the recording cannot contain */
	WN_FIDELITY_ESTIMATED, /* numbers that are not measured directly */
	WN_FIDELITY_NAMES,     /* places without names */
	WN_FIDELITY_METRICS,   /* metrics this recording has no data for */
};

struct wn_fidelity_note {
	enum wn_fidelity_level level;
	const char *construct;               /* "static loop"; a constant */
	const struct wn_report_place *place; /* NULL = everywhere */
	uint64_t count;                      /* occurrences; 0 = does not apply */
	char text[320];
};

struct wn_fidelity {
	struct wn_fidelity_note *notes; /* in order of level */
	size_t n, capacity;
};

/* Input of wn_fidelity_collect(). */
struct wn_fidelity_input {
	const struct wn_graph *g;
	const struct wn_metrics *m;
	const struct wn_summary *summaries; /* [m->n_user_columns] */
	const struct wn_places *places;
	uint32_t n_threads;
};

/**
 * Collects the notes. @param out starts as zeros; release with wn_fidelity_fini() in any case.
 * @return WN_OK · WN_E_NOMEM.  Cost O(grains + notes). Pure.
 */
WN_MUST_CHECK wn_status wn_fidelity_collect(struct wn_fidelity *out,
                                            const struct wn_fidelity_input *in, wn_err *err);
void wn_fidelity_fini(struct wn_fidelity *f);

/* Returns the engine that counted the program's instructions, so that its times are not valid:
 * "qemu-x86_64" (an emulator) or "winnow-x86_64" (counts inside the process); NULL: none. Borrowed
 * from the graph. */
const char *wn_fidelity_emulator(const struct wn_graph *g);

/* Describes how that engine ran the program: "ran in an emulator". */
const char *wn_fidelity_ran_how(const char *emulator);
