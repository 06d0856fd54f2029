/* SPDX-License-Identifier: MIT */
#include "report/text_private.h"

#define GAIN_COLUMNS 17
#define RAW_COLUMNS  24
#define WHY_INDENT   7
#define TOP_DEFAULT  5

static void
add_finding(struct sheet *s, const struct wn_report *r, size_t number)
{
	char gain[UNITS_BYTES], text[64];
	const struct wn_report_finding *f = &r->findings[number];
	snprintf(text, sizeof text, "%3zu  ", number + 1);
	sheet_add(s, INK_PLAIN, "%s", text);
	snprintf(text, sizeof text, "up to -%s%s",
	         units_time(f->finding.gain_ns, s->style.is_raw, gain),
	         s->style.is_raw ? " ns" : "");
	sheet_left(s, INK_BAD, s->style.is_raw ? RAW_COLUMNS : GAIN_COLUMNS, text);
	sheet_add(s, INK_TITLE, "%s", wn_rule_titles[f->finding.rule]);
	if (f->place) {
		sheet_add(s, INK_PLAIN, "  ");
		sheet_add(s, INK_PLACE, "%s", f->place->label);
		if (f->place->source.function)
			sheet_add(s, INK_PLAIN, "  %s", f->place->source.function);
	}
	sheet_end(s);
	sheet_left(s, INK_PLAIN, WHY_INDENT, "");
	sheet_wrap(s, INK_PLAIN, WHY_INDENT, f->message);
	sheet_end(s);
	sheet_left(s, INK_PLAIN, WHY_INDENT, "");
	sheet_add(s, INK_GOOD, "try: ");
	sheet_wrap(s, INK_PLAIN, WHY_INDENT + 5, f->advice);
	sheet_end(s);
	sheet_left(s, INK_PLAIN, WHY_INDENT, "");
	sheet_add(s, INK_FAINT, "but: ");
	sheet_wrap(s, INK_FAINT, WHY_INDENT + 5, wn_finding_doubt(&f->finding));
	sheet_end(s);
}

void
text_findings(struct sheet *s, const struct wn_report *r)
{
	if (r->emulator)
		return; /* said at the top */
	text_title(s, "What to change, worst first");
	if (r->n_findings == 0) {
		sheet_add(s, INK_PLAIN, "  nothing over the thresholds%s",
		          r->n_near ? "; what comes nearest:" : "");
		sheet_end(s);
		for (size_t i = 0; i < r->n_near; i++)
			add_finding(s, r, i);
	}
	size_t n_top = s->style.n_top ? s->style.n_top : TOP_DEFAULT;
	for (size_t i = 0; i < r->n_findings && i < n_top; i++)
		add_finding(s, r, i);
	if (r->n_findings > n_top) {
		sheet_add(s, INK_FAINT, "  and %zu more: --top %zu", r->n_findings - n_top,
		          r->n_findings);
		sheet_end(s);
	}
}
