/* SPDX-License-Identifier: MIT */
/* page_file.h - a random program that has run, its report, and run.grains of it in memory. */
#ifndef WN_VIEW_PAGE_FILE_H
#define WN_VIEW_PAGE_FILE_H

#include "tests/property/made.h"

#include "view/page_data.h"

struct page_file {
	struct made made;
	struct wn_trace *trace;
	struct wn_report *report;
	struct wn_metric_defs *defs;
	char *bytes; /* run.grains; free() */
	size_t n_bytes;
};

/* Runs and reports. False: nothing to record, or nothing in it. */
bool page_file_run(struct page_file *h, uint64_t seed);

/* Gathers and writes it, into h->bytes. */
WN_MUST_CHECK wn_status page_file_write(struct page_file *h,
                                        const struct wn_page_data_options *options, wn_err *err);

void page_file_free(struct page_file *h);

#endif /* WN_VIEW_PAGE_FILE_H */
