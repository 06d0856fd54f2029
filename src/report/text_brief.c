/* SPDX-License-Identifier: MIT */
/* text_brief.c - the report on one screen: the run, the verdict, where the time went, what to
 * change, and the limitation that matters most. Lines that do not fit are cut. */
#include "report/text_private.h"

#include "base/plural.h"
#include "report/inflation.h"

#include <string.h>

/* Lines of a finding; lines after the findings: a blank one, the limitation, what shows the rest.
 */
#define FINDING_LINES 3
#define END_LINES     3
#define EVIDENCE_AT   5
#define GAIN_COLUMNS  9
#define TIMES_MAX     6

/* Categories that are listed: those of at least 1 % of the time, at most TIMES_MAX. */
static bool
is_listed(const struct wn_report *r, int category)
{
	uint64_t ns = r->model.ns[category];
	int n_larger = 0;
	for (int i = 0; i < WN_TIME_N; i++)
		n_larger += r->model.ns[i] > ns || (r->model.ns[i] == ns && i < category);
	return ns > 0 && ns * 100 >= r->thread_ns && n_larger < TIMES_MAX;
}

static void
add_times(struct terminal *s, const struct wn_report *r)
{
	uint64_t other_ns = 0;
	text_time_title(s, r);
	for (int i = 0; i < WN_TIME_N; i++)
		if (is_listed(r, i))
			text_time_line(s, r, wn_time_categories[i].title, r->model.ns[i],
			               wn_time_categories[i].kind);
		else
			other_ns += r->model.ns[i];
	if (other_ns * 200 >= r->thread_ns && other_ns)
		text_time_line(s, r, "other", other_ns, WN_TIME_KIND_APART);
	text_modules(s, r);
}

/* Returns an upper bound on the lines that a text takes where `room` columns are left of each. */
static size_t
lines_of(const struct terminal *s, const char *text, int room)
{
	return (size_t)(terminal_columns(s, text) / (room * 7 / 8) + 1);
}

/* Adds a text from EVIDENCE_AT on, on one line or on as many as it needs. */
static void
add_text(struct terminal *s, const char *title, const char *text, bool is_whole)
{
	terminal_left(s, STYLE_PLAIN, EVIDENCE_AT, "");
	terminal_add(s, STYLE_GOOD, "%s", title);
	if (is_whole)
		terminal_wrap(s, STYLE_PLAIN, EVIDENCE_AT + (int)strlen(title), "%s", text);
	else
		terminal_fit(s, STYLE_PLAIN, text);
	terminal_end(s);
}

/* `room`: lines that this finding may take. */
static void
add_finding(struct terminal *s, const struct wn_report *r, size_t number, size_t room)
{
	const struct wn_report_finding *f = &r->findings[number];
	const struct wn_saving *saving = &f->finding.saving;
	char text[512], gain[UNITS_BYTES], range[2 * UNITS_BYTES];
	snprintf(text, sizeof text, "%3zu  ", number + 1);
	terminal_add(s, STYLE_PLAIN, "%s", text);
	terminal_left(s, STYLE_BAD, s->style.is_raw ? 2 * GAIN_COLUMNS : GAIN_COLUMNS,
	              units_time(saving->expected_ns, s->style.is_raw, gain));
	terminal_add(s, STYLE_TITLE, "  %s", wn_finding_title(&f->finding));
	if (f->place) {
		snprintf(text, sizeof text, "  %s%s%s", f->place->label,
		         f->place->source.function ? "  " : "",
		         f->place->source.function ? f->place->source.function : "");
		terminal_fit(s, STYLE_PLACE, text);
	}
	terminal_end(s);
	snprintf(
	    text, sizeof text, "saves %s: %s",
	    units_range(saving->low_ns, wn_finding_most_ns(&f->finding), s->style.is_raw, range),
	    f->message);
	int columns = s->style.width - EVIDENCE_AT;
	bool is_whole =
	    1 + lines_of(s, text, columns) + lines_of(s, f->advice, columns - 5) <= room;
	add_text(s, "", text, is_whole);
	add_text(s, "try: ", f->advice, is_whole);
}

/* `n_end`: lines that follow the findings. */
static void
add_findings(struct terminal *s, const struct wn_report *r, size_t n_end)
{
	size_t n = 0;
	text_findings_title(s, r);
	for (; n < r->n_findings; n++) {
		size_t left = r->n_findings - n;
		size_t last = left == 1 ? 0 : 1; /* "and 2 more" */
		size_t used = s->n_lines + last + n_end;
		if (used + FINDING_LINES > WN_TEXT_BRIEF_LINES)
			break;
		size_t others = used + (left - 1) * FINDING_LINES;
		add_finding(s, r, n,
		            others < WN_TEXT_BRIEF_LINES ? WN_TEXT_BRIEF_LINES - others : 0);
	}
	if (n < r->n_findings) {
		terminal_add(s, STYLE_FAINT, "  and %zu more", r->n_findings - n);
		terminal_end(s);
	}
	if (r->n_findings == 0) {
		terminal_add(s, STYLE_PLAIN, "  no significant finding");
		terminal_end(s);
	}
}

/* One run cannot tell how much of its work is inflation. */
static void
add_next_command(struct terminal *s, const struct wn_report *r, size_t n_end)
{
	char command[WN_SCALING_COMMAND_BYTES];
	if (s->n_lines + 1 + n_end > WN_TEXT_BRIEF_LINES ||
	    !wn_report_scaling_command(r, command, sizeof command))
		return;
	terminal_add(s, STYLE_PLAIN, "  to see how it scales: ");
	terminal_fit(s, STYLE_PLACE, command);
	terminal_end(s);
}

/* The first note about what is missing; the others are counted. */
static void
add_limitation(struct terminal *s, const struct wn_report *r)
{
	const struct wn_fidelity *f = &r->fidelity;
	char text[512];
	size_t n = 0;
	while (n < f->n && f->notes[n].level < WN_FIDELITY_NAMES)
		n++;
	if (n == 0)
		return;
	const struct wn_fidelity_note *note = &f->notes[0];
	snprintf(text, sizeof text, "%s%s%s: %s", note->construct, note->place ? " at " : "",
	         note->place ? note->place->label : "", note->text);
	terminal_add(s, note->level == WN_FIDELITY_LOST ? STYLE_BAD : STYLE_FAINT,
	             "Limitation%s: ", wn_plural(n));
	terminal_fit(s, note->level == WN_FIDELITY_LOST ? STYLE_BAD : STYLE_FAINT, text);
	terminal_end(s);
}

static size_t
count_verdict(const struct terminal *s, const struct wn_report *r)
{
	struct terminal lines = {.style = s->style, .is_silent = true};
	text_verdict(&lines, r);
	return lines.n_lines;
}

static void
add_end(struct terminal *s, const struct wn_report *r)
{
	terminal_end(s);
	add_limitation(s, r);
	terminal_fit(
	    s, STYLE_FAINT,
	    "winnow report -v FILE shows parallelism, places, problems and all limitations.");
	terminal_end(s);
}

/* An imported table has no start times, and so no findings: its places, as many as fit. */
static void
add_imported(struct terminal *s, const struct wn_report *r)
{
	bool is_last = s->style.is_terminal;
	text_imported(s, r, is_last);
	/* a blank line, title, heads and "and 2 more"; the end; the verdict */
	size_t n_others = s->n_lines + 4 + END_LINES + is_last;
	if (n_others < WN_TEXT_BRIEF_LINES)
		s->style.n_top = WN_TEXT_BRIEF_LINES - n_others;
	text_places(s, r);
	add_end(s, r);
	if (is_last)
		text_imported_verdict(s, r);
}

void
text_brief(struct terminal *s, const struct wn_report *r)
{
	if (r->graph->imported) {
		add_imported(s, r);
		return;
	}
	bool is_last = s->style.is_terminal;
	size_t n_end = END_LINES + (is_last ? count_verdict(s, r) : 0);
	text_brief_head(s, r);
	if (!is_last)
		text_verdict(s, r);
	add_times(s, r);
	if (!r->emulator && !*r->withheld) {
		add_findings(s, r, n_end);
		add_next_command(s, r, n_end);
	}
	if (r->sharing.is_known)
		text_sharing(s, r);
	add_end(s, r);
	if (is_last)
		text_verdict(s, r);
}
