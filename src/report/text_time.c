/* SPDX-License-Identifier: MIT */
/* text_time.c - where the threads' time went, as shares of threads x elapsed time. The lines add
 * up to 100 %. */
#include "report/text_private.h"

#include "base/plural.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NAME_COLUMNS    40
#define PERCENT_COLUMNS 7
#define TIME_COLUMNS    16

void
text_time_share(struct terminal *s, const char *title, uint64_t ns, uint64_t of_ns,
                enum wn_time_kind kind)
{
	static const enum terminal_style styles[] = {[WN_TIME_KIND_WORK] = STYLE_GOOD,
	                                             [WN_TIME_KIND_LOST] = STYLE_BAD,
	                                             [WN_TIME_KIND_APART] = STYLE_FAINT};
	char text[UNITS_BYTES];
	int bar = s->style.width - 2 - NAME_COLUMNS - PERCENT_COLUMNS - TIME_COLUMNS - 4;
	double share = of_ns ? (double)ns / (double)of_ns : 0;
	terminal_left(s, STYLE_PLAIN, 2, "");
	terminal_left(s, STYLE_PLAIN, NAME_COLUMNS, title);
	snprintf(text, sizeof text, "%.1f %%", 100 * share);
	terminal_right(s, STYLE_PLAIN, PERCENT_COLUMNS, text);
	terminal_right(s, STYLE_PLAIN, TIME_COLUMNS, units_time(ns, s->style.is_raw, text));
	terminal_left(s, STYLE_PLAIN, 2, "");
	terminal_bar(s, styles[kind], bar, share);
	terminal_end(s);
}

void
text_time_line(struct terminal *s, const struct wn_report *r, const char *title, uint64_t ns,
               enum wn_time_kind kind)
{
	text_time_share(s, title, ns, r->thread_ns, kind);
}

void
text_time_title(struct terminal *s, const struct wn_report *r)
{
	char elapsed[UNITS_BYTES];
	const struct wn_totals *t = &r->metrics->totals;
	text_title(s, "Where the time went (%" PRIu32 " thread%s x %s%s)", r->n_threads,
	           wn_plural(r->n_threads), units_time(t->elapsed_ns, s->style.is_raw, elapsed),
	           s->style.is_raw ? " ns" : "");
}

/* Fewer samples tell little. */
#define LEAST_SAMPLES 20
/* A library with so much of the CPU time is worth a line. */
#define LEAST_OF_LIBRARY 0.2

/* Is it a library with much of the CPU time, other than the OpenMP runtime and the recorder, whose
 * time is in the categories? */
static bool
is_large_library(const struct wn_report *r, size_t module)
{
	static const char *const known[] = {"libgomp", "libomp", "libiomp", "libwinnow"};
	const char *name = r->modules[module].name;
	bool is_library = strstr(name, ".so") != NULL;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		is_library &= strncmp(name, known[i], strlen(known[i])) != 0;
	return is_library &&
	       (double)r->modules[module].n_samples >= LEAST_OF_LIBRARY * (double)r->n_samples;
}

void
text_modules(struct terminal *s, const struct wn_report *r)
{
	char text[256];
	bool is_shown = false;
	int n = 0;
	for (size_t i = 0; i < r->n_modules; i++)
		is_shown |= is_large_library(r, i);
	if (!is_shown || r->n_samples < LEAST_SAMPLES)
		return;
	for (size_t i = 0; i < r->n_modules && n < (int)sizeof text; i++)
		n += snprintf(text + n, sizeof text - (size_t)n, "%s%s %.0f %%", i ? ", " : "",
		              r->modules[i].name,
		              100 * (double)r->modules[i].n_samples / (double)r->n_samples);
	terminal_paragraph(s, STYLE_PLAIN, 2, "CPU time by file, from %" PRIu64 " samples: %s",
	                   r->n_samples, text);
}

void
text_time(struct terminal *s, const struct wn_report *r)
{
	text_time_title(s, r);
	for (int i = 0; i < WN_TIME_N; i++)
		if (r->model.ns[i] * 2000 >= r->thread_ns && r->model.ns[i]) /* omits 0.0 % */
			text_time_line(s, r, wn_time_categories[i].title, r->model.ns[i],
			               wn_time_categories[i].kind);
	text_modules(s, r);
}
