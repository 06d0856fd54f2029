/* SPDX-License-Identifier: MIT */
#include "report/withheld.h"

#include "base/plural.h"

#include <stdio.h>
#include <string.h>

static bool
has_note(const struct wn_graph *g, enum wn_note note)
{
	for (size_t i = 0; i < g->n_notes; i++)
		if (g->notes[i].note == note)
			return true;
	return false;
}

/* Of several runtimes, only the first one is recorded with the extension for grains. */
static bool
lacks_runtimes(const struct wn_graph *g)
{
	const char *const *names;
	size_t n = wn_trace_runtimes(g->trace, &names), n_ompt = 0;
	for (size_t i = 0; i < n; i++)
		n_ompt += strncmp(names[i], "libomp ", 7) == 0;
	return n_ompt > 1 && (wn_trace_header(g->trace)->sources & WN_SOURCE_OMPT_GRAIN);
}

bool
wn_withheld(const struct wn_graph *g, char out[WN_WITHHELD_BYTES])
{
	const struct wn_trace_entry *entries;
	size_t n = wn_trace_entries(g->trace, &entries), n_unknown = 0, first = 0;
	out[0] = '\0';
	if (lacks_runtimes(g)) {
		snprintf(out, WN_WITHHELD_BYTES,
		         "the process used several copies of libomp, of which only the first was "
		         "recorded: waits for the others would count as work");
		return true;
	}
	/* traces of earlier versions have a note in place of the name */
	if (n == 0 && !has_note(g, WN_NOTE_CALL_UNKNOWN)) {
		if (!has_note(g, WN_NOTE_UNKNOWN_EVENT))
			return false;
		snprintf(out, WN_WITHHELD_BYTES,
		         "the OpenMP runtime reported events that the recorder did not know: if "
		         "threads waited in them, the waits count as work");
		return true;
	}
	for (size_t i = n; i-- > 0;)
		if (!entries[i].is_known) {
			n_unknown++;
			first = i;
		}
	if (n == 0) {
		snprintf(
		    out, WN_WITHHELD_BYTES,
		    "the program calls an entry point of its OpenMP runtime that the recorder "
		    "did not know: threads may wait or create tasks there unrecorded, and waits "
		    "would count as work");
		return true;
	}
	char more[48] = "";
	if (n > 1)
		snprintf(more, sizeof more, " and %zu other%s", n - 1, wn_plural(n - 1));
	snprintf(out, WN_WITHHELD_BYTES,
	         n_unknown == 0
	             ? "the program imports %.96s%s, %s of its OpenMP runtime in which threads "
	               "wait or create tasks unrecorded, so that waits would count as work"
	             : "the program imports %.96s%s, %s of its OpenMP runtime that this version of "
	               "Winnow does not know: threads may wait or create tasks there unrecorded, "
	               "and waits would count as work",
	         entries[first].name, more, n > 1 ? "entry points" : "an entry point");
	return true;
}
