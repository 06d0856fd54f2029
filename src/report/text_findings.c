/* SPDX-License-Identifier: MIT */
#include "report/text_private.h"

#define GAIN_COLUMNS 17
#define RAW_COLUMNS  24
#define WHY_INDENT   7
#define TOP_DEFAULT  5

static void
add_finding(struct terminal *s, const struct wn_report *r, size_t number)
{
	char gain[UNITS_BYTES], text[64];
	const struct wn_report_finding *f = &r->findings[number];
	snprintf(text, sizeof text, "%3zu  ", number + 1);
	terminal_add(s, STYLE_PLAIN, "%s", text);
	snprintf(text, sizeof text, "up to %s%s",
	         units_time(f->finding.gain_ns, s->style.is_raw, gain),
	         s->style.is_raw ? " ns" : "");
	terminal_left(s, STYLE_BAD, s->style.is_raw ? RAW_COLUMNS : GAIN_COLUMNS, text);
	terminal_add(s, STYLE_TITLE, "%s", wn_rule_title(f->finding.rule));
	if (f->place) {
		terminal_add(s, STYLE_PLAIN, "  ");
		terminal_add(s, STYLE_PLACE, "%s", f->place->label);
		if (f->place->source.function)
			terminal_add(s, STYLE_PLAIN, "  %s", f->place->source.function);
	}
	terminal_end(s);
	terminal_left(s, STYLE_PLAIN, WHY_INDENT, "");
	terminal_wrap(s, STYLE_PLAIN, WHY_INDENT, f->message);
	terminal_end(s);
	terminal_left(s, STYLE_PLAIN, WHY_INDENT, "");
	terminal_add(s, STYLE_GOOD, "try: ");
	terminal_wrap(s, STYLE_PLAIN, WHY_INDENT + 5, f->advice);
	terminal_end(s);
	terminal_left(s, STYLE_PLAIN, WHY_INDENT, "");
	terminal_add(s, STYLE_FAINT, "but: ");
	terminal_wrap(s, STYLE_FAINT, WHY_INDENT + 5, wn_finding_doubt(&f->finding, r->metrics));
	terminal_end(s);
}

void
text_findings(struct terminal *s, const struct wn_report *r)
{
	if (r->emulator || *r->withheld)
		return; /* printed at the top */
	text_title(s, "What to change, worst first");
	if (r->n_findings == 0) {
		terminal_add(s, STYLE_PLAIN, "  no significant finding%s",
		             r->n_near ? "; the largest ones:" : "");
		terminal_end(s);
		for (size_t i = 0; i < r->n_near; i++)
			add_finding(s, r, i);
	}
	size_t n_top = s->style.n_top ? s->style.n_top : TOP_DEFAULT;
	for (size_t i = 0; i < r->n_findings && i < n_top; i++)
		add_finding(s, r, i);
	if (r->n_findings > n_top) {
		terminal_add(s, STYLE_FAINT, "  and %zu more: --top %zu", r->n_findings - n_top,
		             r->n_findings);
		terminal_end(s);
	}
}
