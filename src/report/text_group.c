/* SPDX-License-Identifier: MIT */
/* text_group.c - the head of a report of one group of grains: its content, and the values that are
 * known only for the whole run. */
#include "report/text_private.h"

#include "base/plural.h"

#include <string.h>

void
text_group(struct terminal *s, const struct wn_report *r)
{
	char grains[UNITS_BYTES], work[UNITS_BYTES], span[UNITS_BYTES], par[UNITS_BYTES];
	const struct wn_totals *t = &r->metrics->totals;
	bool is_ns = strcmp(wn_trace_unit(r->trace), "ns") == 0;
	const char *unit = !is_ns ? " cycles" : s->style.is_raw ? " ns" : "";
	int room = s->style.width / 2, columns = terminal_columns(s, r->command);
	terminal_left(s, STYLE_TITLE, columns < room ? columns : room, r->command);
	terminal_add(s, STYLE_PLAIN, ": only ");
	terminal_wrap(s, STYLE_TITLE, 0, "%s", r->group);
	terminal_paragraph(
	    s, STYLE_PLAIN, 0,
	    ", %s grain%s. Work %s%s, span %s%s (each parent's work before its children's): "
	    "parallelism %s.",
	    units_count(t->n_grains, grains), wn_plural(t->n_grains),
	    units_time(t->work_ns, s->style.is_raw, work), unit,
	    units_time(t->span_ns, s->style.is_raw, span), unit, units_ratio(t->parallelism, par));
	terminal_wrap(
	    s, STYLE_FAINT, 0,
	    "Where the threads' time went and what to change is known for the whole run only.");
	terminal_end(s);
}
