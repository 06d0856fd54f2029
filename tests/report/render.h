/* SPDX-License-Identifier: MIT */
/*
 * render.h - from the name of a made-up run to the bytes of its report.
 */
#ifndef WN_TESTS_REPORT_RENDER_H
#define WN_TESTS_REPORT_RENDER_H

#include "report/json.h"
#include "report/text.h"
#include "runs.h"

struct rendered {
	struct fake fake;
	struct wn_trace *trace;
	struct wn_report *report;
};

/* Opens the run's trace and builds its report; NULL if that fails (*st says how). */
struct rendered *render_open(const char *run, wn_status *st);
struct rendered *render_open_with(const char *run, const struct wn_options *options, wn_status *st);
void render_close(struct rendered *r);

/* The report as text; the caller frees it. */
char *render_text(const struct rendered *r, const struct wn_text_style *style);
char *render_json(const struct rendered *r);

/* True if the part of the file, behind a line "=== NAME", is exactly `text`. With WN_UPDATE_GOLDEN
 * in the environment it is written instead. Says in a note where the first difference is. */
bool is_golden(const char *path, const char *name, const char *text);

#endif /* WN_TESTS_REPORT_RENDER_H */
