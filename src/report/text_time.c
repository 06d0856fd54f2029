/* SPDX-License-Identifier: MIT */
/*
 * text_time.c - where the threads' time went, as shares of threads x elapsed time. The lines add
 * up to 100 %.
 */
#include "report/text_private.h"

#include "base/plural.h"

#include <inttypes.h>

#define NAME_COLUMNS    40
#define PERCENT_COLUMNS 7
#define TIME_COLUMNS    16

struct line {
	const char *name;
	uint64_t ns;
	enum terminal_style style;
};

static void
add_line(struct terminal *s, const struct wn_report *r, const struct line *line)
{
	char text[UNITS_BYTES];
	int bar = s->style.width - 2 - NAME_COLUMNS - PERCENT_COLUMNS - TIME_COLUMNS - 4;
	double share = r->thread_ns ? (double)line->ns / (double)r->thread_ns : 0;
	terminal_left(s, STYLE_PLAIN, 2, "");
	terminal_left(s, STYLE_PLAIN, NAME_COLUMNS, line->name);
	snprintf(text, sizeof text, "%.1f %%", 100 * share);
	terminal_right(s, STYLE_PLAIN, PERCENT_COLUMNS, text);
	terminal_right(s, STYLE_PLAIN, TIME_COLUMNS, units_time(line->ns, s->style.is_raw, text));
	terminal_left(s, STYLE_PLAIN, 2, "");
	terminal_bar(s, line->style, bar, share);
	terminal_end(s);
}

void
text_time(struct terminal *s, const struct wn_report *r)
{
	char title[160], elapsed[UNITS_BYTES];
	const struct wn_totals *t = &r->metrics->totals;
	const struct line lines[] = {
#define JSON_TIME(name, key, is_known, ns, style, title, definition) {title, ns, STYLE_##style},
#define KEYS_OF_TIME
#include "report/keys.def"
	};
	snprintf(title, sizeof title, "Where the time went (%" PRIu32 " thread%s x %s%s)",
	         r->n_threads, wn_plural(r->n_threads),
	         units_time(t->elapsed_ns, s->style.is_raw, elapsed), s->style.is_raw ? " ns" : "");
	text_title(s, title);
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
		if (lines[i].ns * 2000 >= r->thread_ns && lines[i].ns) /* omits lines of 0.0 % */
			add_line(s, r, &lines[i]);
}
