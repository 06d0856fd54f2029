/* SPDX-License-Identifier: MIT */
#include "report/text_private.h"

#include <errno.h>
#include <string.h>

void
text_title(struct terminal *s, const char *title)
{
	terminal_end(s);
	terminal_add(s, STYLE_TITLE, "%s", title);
	terminal_end(s);
}

void
text_row(struct terminal *s, const struct text_widths *widths, const char *name, const char *value,
         const char *text)
{
	terminal_left(s, STYLE_PLAIN, 2, "");
	terminal_left(s, STYLE_PLAIN, widths->name, name);
	terminal_right(s, STYLE_TITLE, widths->value, value);
	terminal_left(s, STYLE_PLAIN, 3, "");
	terminal_wrap(s, STYLE_PLAIN, widths->name + widths->value + 5, text);
	terminal_end(s);
}

static bool
has(unsigned sections, enum wn_text_section section)
{
	return sections >> section & 1;
}

/* False: out of memory. */
static bool
add_tables(struct terminal *s, const struct wn_report *r, unsigned sections)
{
	bool is_ok = true;
	if (has(sections, WN_TEXT_PLACES))
		is_ok = text_places(s, r);
	if (has(sections, WN_TEXT_PROBLEMS))
		is_ok = text_problems(s, r) && is_ok;
	if (has(sections, WN_TEXT_COUNTERS))
		is_ok = text_counters(s, r) && text_metrics(s, r) && is_ok;
	if (has(sections, WN_TEXT_LOCKS))
		is_ok = text_mutexes(s, r) && is_ok;
	if (has(sections, WN_TEXT_MPI))
		is_ok = text_mpi(s, r) && is_ok;
	if (has(sections, WN_TEXT_NAMES))
		is_ok = text_marks(s, r) && text_labels(s, r) && is_ok;
	return is_ok;
}

static bool
add_sections(struct terminal *s, const struct wn_report *r, unsigned sections)
{
	if (r->graph->imported && has(sections, WN_TEXT_HEAD))
		text_imported(s, r);
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
	bool is_ok = add_tables(s, r, sections);
	if (has(sections, WN_TEXT_LIMITATIONS))
		text_fidelity(s, r);
	if (s->style.is_terminal && sections == WN_TEXT_ALL && r->graph->thread_time) {
		terminal_end(s);
		text_verdict(s, r);
	}
	return is_ok;
}

wn_status
wn_report_text(const struct wn_report *r, const struct wn_text_style *style, FILE *to, wn_err *err)
{
	struct terminal s = {.to = to, .style = *style};
	bool has_memory;
	errno = 0;
	s.style.is_raw |= strcmp(wn_trace_unit(r->trace), "ns") != 0;
	if (r->group) {
		text_group(&s, r);
		has_memory = text_places(&s, r);
		has_memory = text_problems(&s, r) && has_memory;
		return terminal_finish(&s, has_memory, err);
	}
	if (style->sections == 0 && r->graph->thread_time) {
		text_brief(&s, r);
		return terminal_finish(&s, true, err);
	}
	has_memory = add_sections(&s, r, style->sections ? style->sections : WN_TEXT_ALL);
	return terminal_finish(&s, has_memory, err);
}

wn_status
wn_report_text_headline(const struct wn_report *r, FILE *to, wn_err *err)
{
	struct terminal s = {.to = to, .style = {.width = WN_TEXT_WIDTH_NONE, .is_utf8 = true}};
	errno = 0;
	if (!r->group && r->graph->thread_time)
		text_headline(&s, r);
	return terminal_finish(&s, true, err);
}
