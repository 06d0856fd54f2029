/* SPDX-License-Identifier: MIT */
#include "report/text_private.h"

#define GAIN_COLUMNS 17
#define RAW_COLUMNS  24
#define WHY_INDENT   7
#define TOP_DEFAULT  5

/* The part of a saving that findings before it leave is printed only below this share of it. */
#define NEARLY_ALL 0.9

static void
add_saving(struct terminal *s, const struct wn_finding *f, bool is_first)
{
	const struct wn_saving *saving = &f->saving;
	char range[2 * UNITS_BYTES], left[UNITS_BYTES], low[UNITS_BYTES], high[UNITS_BYTES],
	    text[256];
	int n = snprintf(text, sizeof text, "%s (%s to %s of the time%s)",
	                 units_range(saving->low_ns, wn_finding_most_ns(f), s->style.is_raw, range),
	                 units_percent(saving->low_ns, f->of_ns, low),
	                 units_percent(wn_finding_most_ns(f), f->of_ns, high),
	                 f->change.kind ? ", simulated" : "");
	if (!is_first && (double)saving->marginal_ns < NEARLY_ALL * (double)saving->expected_ns)
		snprintf(text + n, sizeof text - (size_t)n,
		         "; about %s%s of it after the changes above",
		         units_time(saving->marginal_ns, s->style.is_raw, left),
		         s->style.is_raw ? " ns" : "");
	terminal_left(s, STYLE_PLAIN, WHY_INDENT, "");
	terminal_add(s, STYLE_PLAIN, "saves: ");
	terminal_wrap(s, STYLE_PLAIN, WHY_INDENT + 7, "%s", text);
	terminal_end(s);
}

static bool
fits(const struct terminal *s, const char *text)
{
	return s->column + 2 + terminal_columns(s, text) <= s->style.width;
}

/* Adds a finding's place behind its title, or on a line of its own, and the function if there is
 * room. */
static void
add_its_place(struct terminal *s, const struct wn_report_place *place)
{
	if (fits(s, place->label)) {
		terminal_add(s, STYLE_PLAIN, "  ");
	} else {
		terminal_end(s);
		terminal_left(s, STYLE_PLAIN, WHY_INDENT, "");
		terminal_add(s, STYLE_PLAIN, "at ");
	}
	terminal_add(s, STYLE_PLACE, "%s", place->label);
	if (place->source.function && fits(s, place->source.function))
		terminal_add(s, STYLE_PLAIN, "  %s", place->source.function);
}

static void
add_finding(struct terminal *s, const struct wn_report *r, size_t number)
{
	char gain[UNITS_BYTES], text[64];
	const struct wn_report_finding *f = &r->findings[number];
	snprintf(text, sizeof text, "%3zu  ", number + 1);
	terminal_add(s, STYLE_PLAIN, "%s", text);
	snprintf(text, sizeof text, "about %s%s",
	         units_time(f->finding.saving.expected_ns, s->style.is_raw, gain),
	         s->style.is_raw ? " ns" : "");
	terminal_left(s, STYLE_BAD, s->style.is_raw ? RAW_COLUMNS : GAIN_COLUMNS, text);
	terminal_add(s, STYLE_TITLE, "%s", wn_finding_title(&f->finding));
	if (f->place)
		add_its_place(s, f->place);
	terminal_end(s);
	terminal_left(s, STYLE_PLAIN, WHY_INDENT, "");
	terminal_wrap(s, STYLE_PLAIN, WHY_INDENT, "%s", f->message);
	terminal_end(s);
	add_saving(s, &f->finding, number == 0);
	terminal_left(s, STYLE_PLAIN, WHY_INDENT, "");
	terminal_add(s, STYLE_GOOD, "try: ");
	terminal_wrap(s, STYLE_PLAIN, WHY_INDENT + 5, "%s", f->advice);
	terminal_end(s);
	terminal_left(s, STYLE_PLAIN, WHY_INDENT, "");
	terminal_add(s, STYLE_FAINT, "but: ");
	terminal_wrap(s, STYLE_FAINT, WHY_INDENT + 5, "%s",
	              wn_finding_doubt(&f->finding, r->metrics));
	terminal_end(s);
}

void
text_findings_title(struct terminal *s, const struct wn_report *r)
{
	const char *reason = wn_report_precedence(r);
	text_title(s, "What to change%s %s", reason ? ";" : ",", reason ? reason : "worst first");
}

void
text_findings(struct terminal *s, const struct wn_report *r)
{
	if (r->emulator || *r->withheld)
		return; /* printed at the top */
	text_findings_title(s, r);
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
