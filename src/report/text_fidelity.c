/* SPDX-License-Identifier: MIT */
#include "report/text_private.h"

#include <string.h>

/* Places listed for one note; the rest are counted. */
#define PLACES_SHOWN 4

static bool
is_same_text(const struct wn_fidelity_note *a, const struct wn_fidelity_note *b)
{
	return a->construct == b->construct && a->level == b->level &&
	       strcmp(a->text, b->text) == 0;
}

/* Prints notes [from, to), which differ only in their places: "static loop at a.c:1, b.c:2: text".
 */
static void
add_notes(struct terminal *s, const struct wn_fidelity *f, size_t from, size_t to)
{
	char text[1024];
	size_t used = (size_t)snprintf(text, sizeof text, "%s", f->notes[from].construct);
	for (size_t i = from; i < to && i < from + PLACES_SHOWN; i++)
		if (f->notes[i].place)
			used +=
			    (size_t)snprintf(text + used, sizeof text - used, "%s%.100s",
			                     i == from ? " at " : ", ", f->notes[i].place->label);
	if (to - from > PLACES_SHOWN)
		used += (size_t)snprintf(text + used, sizeof text - used, " and %zu more places",
		                         to - from - PLACES_SHOWN);
	snprintf(text + used, sizeof text - used, ": %s", f->notes[from].text);
	terminal_add(s, STYLE_PLAIN, "  - ");
	terminal_wrap(s, f->notes[from].level == WN_FIDELITY_LOST ? STYLE_BAD : STYLE_PLAIN, 4,
	              "%s", text);
	terminal_end(s);
}

/* Prints all unmeasured metrics in one line. */
static void
add_not_measured(struct terminal *s, const struct wn_fidelity *f, size_t from)
{
	char text[512];
	size_t used = (size_t)snprintf(text, sizeof text, "not measured:");
	for (size_t i = from; i < f->n; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s %s",
		                         i > from ? "," : "", f->notes[i].construct);
	terminal_add(s, STYLE_PLAIN, "  - ");
	terminal_wrap(s, STYLE_PLAIN, 4, "%s", text);
	terminal_end(s);
}

void
text_fidelity(struct terminal *s, const struct wn_report *r)
{
	const struct wn_fidelity *f = &r->fidelity;
	text_title(s, "Limitations of this recording");
	for (size_t i = 0; i < f->n;) {
		size_t end = i + 1;
		if (f->notes[i].level == WN_FIDELITY_METRICS) {
			add_not_measured(s, f, i);
			return;
		}
		while (end < f->n && f->notes[i].place && f->notes[end].place &&
		       is_same_text(&f->notes[i], &f->notes[end]))
			end++;
		add_notes(s, f, i, end);
		i = end;
	}
}
