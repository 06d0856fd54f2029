/* SPDX-License-Identifier: MIT */
#include "report/text_private.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void
text_title(struct terminal *s, const char *fmt, ...)
{
	char title[TERMINAL_TEXT_BYTES];
	va_list args;
	va_start(args, fmt);
	vsnprintf(title, sizeof title, fmt, args);
	va_end(args);
	terminal_end(s);
	terminal_line(s, STYLE_TITLE, "%s", title);
}

void
text_row(struct terminal *s, const struct text_widths *widths, const char *name, const char *value,
         const char *text)
{
	terminal_left(s, STYLE_PLAIN, 2, "");
	terminal_left(s, STYLE_PLAIN, widths->name, name);
	terminal_right(s, STYLE_TITLE, widths->value, value);
	terminal_left(s, STYLE_PLAIN, 3, "");
	terminal_wrap(s, STYLE_PLAIN, widths->name + widths->value + 5, "%s", text);
	terminal_end(s);
}

static bool
has(unsigned sections, enum wn_text_section section)
{
	return sections >> section & 1;
}

static void
add_tables(struct terminal *s, const struct wn_report *r, unsigned sections)
{
	if (has(sections, WN_TEXT_PLACES))
		text_places(s, r);
	if (has(sections, WN_TEXT_PROBLEMS))
		text_problems(s, r);
	if (has(sections, WN_TEXT_COUNTERS)) {
		text_counters(s, r);
		text_metrics(s, r);
	}
	if (has(sections, WN_TEXT_LOCKS))
		text_mutexes(s, r);
	if (has(sections, WN_TEXT_MPI))
		text_mpi(s, r);
	if (has(sections, WN_TEXT_NAMES)) {
		text_marks(s, r);
		text_labels(s, r);
	}
}

static void
add_sections(struct terminal *s, const struct wn_report *r, unsigned sections)
{
	bool is_verdict_last = s->style.is_terminal && sections == WN_TEXT_ALL;
	if (r->graph->imported && has(sections, WN_TEXT_HEAD))
		text_imported(s, r, is_verdict_last);
	if (r->graph->thread_time) {
		if (has(sections, WN_TEXT_HEAD))
			text_headline(s, r);
		if (has(sections, WN_TEXT_PARALLELISM)) {
			text_parallelism(s, r);
			text_weight(s, r);
		}
		if (has(sections, WN_TEXT_TIME))
			text_time(s, r);
		if (has(sections, WN_TEXT_FINDINGS))
			text_findings(s, r);
	}
	if (has(sections, WN_TEXT_FINDINGS))
		text_sharing(s, r);
	add_tables(s, r, sections);
	if (has(sections, WN_TEXT_LIMITATIONS))
		text_fidelity(s, r);
	if (is_verdict_last) {
		terminal_end(s);
		if (r->graph->imported)
			text_imported_verdict(s, r);
		else if (r->graph->thread_time)
			text_verdict(s, r);
	}
}

wn_status
wn_report_text(const struct wn_report *r, const struct wn_text_style *style, FILE *to, wn_err *err)
{
	struct terminal s = {.to = to, .style = *style};
	errno = 0;
	s.style.is_raw |= strcmp(wn_trace_unit(r->trace), "ns") != 0;
	if (r->group) {
		text_group(&s, r);
		text_places(&s, r);
		text_problems(&s, r);
		return terminal_finish(&s, err);
	}
	if (style->sections == 0 && (r->graph->thread_time || r->graph->imported)) {
		text_brief(&s, r);
		return terminal_finish(&s, err);
	}
	add_sections(&s, r, style->sections ? style->sections : WN_TEXT_ALL);
	return terminal_finish(&s, err);
}

wn_status
wn_report_text_headline(const struct wn_report *r, FILE *to, wn_err *err)
{
	struct terminal s = {.to = to, .style = {.width = WN_TEXT_WIDTH_NONE, .is_utf8 = true}};
	errno = 0;
	if (!r->group && r->graph->thread_time)
		text_headline(&s, r);
	return terminal_finish(&s, err);
}
