/* SPDX-License-Identifier: MIT */
/* harvested.h - a random program that has run, its report, and run.grains of it in memory. */
#ifndef WN_VIEW_HARVESTED_H
#define WN_VIEW_HARVESTED_H

#include "tests/property/made.h"

#include "view/harvest.h"

struct harvested {
	struct made made;
	struct wn_trace *trace;
	struct wn_report *report;
	struct wn_metric_defs *defs;
	char *bytes; /* run.grains; free() */
	size_t n_bytes;
};

/* Runs and reports. False: nothing to record, or nothing in it. */
bool harvested_run(struct harvested *h, uint64_t seed);

/* Gathers and writes it, into h->bytes. */
WN_MUST_CHECK wn_status harvested_write(struct harvested *h,
                                        const struct wn_harvest_options *options, wn_err *err);

void harvested_free(struct harvested *h);

#endif /* WN_VIEW_HARVESTED_H */
