/* SPDX-License-Identifier: MIT */
/* fidelity_places.c - collects notes on places in the source, merged to one for each place and
 * kind. */
#include "report/fidelity_private.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>

struct note_type {
	enum wn_fidelity_level level;
	const char *construct;
	const char *text;
	bool has_count; /* the note's number is a count */
};

/* Indexed by enum wn_note. */
static const struct note_type note_types[WN_NOTE_N] = {
    [WN_NOTE_CREATION_UNKNOWN] = {WN_FIDELITY_UNSEEN, "task creation",
                                  "the time to create tasks could not be measured", false},
    [WN_NOTE_DISPATCH_UNKNOWN] = {WN_FIDELITY_UNSEEN, "loop chunk",
                                  "the time to get chunks could not be measured", false},
    [WN_NOTE_STATIC_MERGED] = {WN_FIDELITY_UNSEEN, "static loop",
                               "too many static chunks: shown as one grain for each thread", false},
    [WN_NOTE_DEPENDENCES_IGNORED] = {WN_FIDELITY_UNSEEN, "depend clause",
                                     "dependences between tasks are not in the graph", false},
    [WN_NOTE_STACK_OVERFLOW] = {WN_FIDELITY_LOST, "nested tasks",
                                "tasks nested deeper than the recorder follows are missing", true},
    [WN_NOTE_UNKNOWN_EVENT] = {WN_FIDELITY_UNSEEN, "runtime",
                               "the runtime reported events the recorder does not know", true},
    [WN_NOTE_CANCEL] = {WN_FIDELITY_UNSEEN, "cancel",
                        "a construct was cancelled: what it left out is not shown", false},
    [WN_NOTE_TARGET] = {WN_FIDELITY_UNSEEN, "target",
                        "work on devices is not recorded, only the tasks that start it", false},
    [WN_NOTE_DETACH] =
	{WN_FIDELITY_UNSEEN, "detach clause",
         "a detached task ends here when its code does, not when its event is fulfilled", false},
    [WN_NOTE_TEAMS] = {WN_FIDELITY_UNSEEN, "teams", "a league's teams are shown as nested regions",
                       false},
    [WN_NOTE_PAUSED] = {WN_FIDELITY_UNSEEN, "recording paused",
                        "regions that the program did not want recorded", false},
    [WN_NOTE_CHUNKS_UNSEEN] = {WN_FIDELITY_UNSEEN, "loop",
                               "chunks and iterations; each thread's share is one grain", false},
    [WN_NOTE_NAMES_LOST] = {WN_FIDELITY_LOST, "user marks",
                            "the program gave more names than are kept: these are nameless", true},
    [WN_NOTE_MARKS_EARLY] = {WN_FIDELITY_UNSEEN, "user marks",
                             "named regions that ended before the recording began, with the first "
                             "OpenMP construct, and are left out",
                             true},
    [WN_NOTE_OWN_TASK] = {WN_FIDELITY_UNSEEN, "asynchronous copy, interop",
                          "the runtime runs them in a task of its own: the task is not in the "
                          "graph, and its time counts as waiting or scheduling overhead",
                          true},
    [WN_NOTE_CALL_UNKNOWN] = {WN_FIDELITY_UNSEEN, "runtime",
                              "the program calls an entry point of its runtime that this version "
                              "does not know: what it does is not in the graph",
                              false},
    [WN_NOTE_MARKS_UNMATCHED] = {WN_FIDELITY_UNSEEN, "user marks",
                                 "marks that ended elsewhere than they began, and are left out",
                                 false},
    [WN_NOTE_CHUNKS_GUESSED] = {WN_FIDELITY_ESTIMATED, "loop",
                                "chunks are guessed from the iterations' values: the program did "
                                "not report step and chunk size",
                                false},
    [WN_NOTE_CONTROL_MISUSED] = {WN_FIDELITY_UNSEEN, "control commands",
                                 "commands that made no sense where the program gave them, and "
                                 "are left out",
                                 true},
};

static const struct note_type unknown_note = {
    WN_FIDELITY_UNSEEN, "recording", "a note of a kind that this version does not know", true};

struct placed_note {
	uint64_t count;
	uint32_t note, place;
};

WN_COMPARE(by_note_and_place, struct placed_note, WN_BY_FIRST(note, WN_BY(place)))

static uint32_t
place_of(const struct wn_places *places, uint32_t site)
{
	return site < places->n_sites ? places->of_site[site] : WN_NO_PLACE;
}

static void
add_note(struct collector *c, const struct placed_note *p)
{
	const struct note_type *type = p->note < WN_NOTE_N ? &note_types[p->note] : &unknown_note;
	if (!type->text)
		type = &unknown_note;
	const struct wn_report_place *place = NULL;
	if (p->place != WN_NO_PLACE && !c->in->places->items[p->place].is_foreign)
		place = &c->in->places->items[p->place];
	if (p->note == WN_NOTE_CALL_UNKNOWN && place && place->source.function)
		fidelity_add(c, type->level, type->construct, NULL, p->count, "%s: %.128s",
		             type->text, place->source.function);
	else if (type->has_count)
		fidelity_add(c, type->level, type->construct, place, p->count, "%s: %" PRIu64,
		             type->text, p->count);
	else
		fidelity_add(c, type->level, type->construct, place, p->count, "%s", type->text);
}

static wn_status
add_notes(struct collector *c, wn_err *err)
{
	const struct wn_graph *g = c->in->g;
	struct placed_note *notes = wn_calloc(g->n_notes, sizeof *notes);
	if (!notes)
		return wn_no_memory(err);
	for (size_t i = 0; i < g->n_notes; i++)
		notes[i] = (struct placed_note){.count = g->notes[i].count,
		                                .note = g->notes[i].note,
		                                .place = place_of(c->in->places, g->notes[i].site)};
	qsort(notes, g->n_notes, sizeof *notes, by_note_and_place);
	for (size_t i = 0; i < g->n_notes; i++) {
		if (i + 1 < g->n_notes && by_note_and_place(&notes[i], &notes[i + 1]) == 0)
			notes[i + 1].count += notes[i].count;
		else if (notes[i].note != WN_NOTE_NONE)
			add_note(c, &notes[i]);
	}
	wn_free(notes);
	return WN_OK;
}

/* Notes chunks whose times are estimated as shares of a thread's total; n_at: [places.n] counts. */
static void
add_estimated(struct collector *c, uint64_t *n_at)
{
	const struct wn_graph *g = c->in->g;
	const struct wn_places *places = c->in->places;
	uint64_t n_elsewhere = 0;
	for (wn_grain id = 0; id < g->n; id++) {
		if (!(g->flags[id] & WN_GF_ESTIMATED) || !wn_is_grain(g, id))
			continue;
		uint32_t place = place_of(places, g->site[id]);
		if (place == WN_NO_PLACE)
			n_elsewhere++;
		else
			n_at[place]++;
	}
	bool has_counts = false;
	for (size_t i = 0; i < g->n_counts; i++)
		has_counts = has_counts || g->counts[i].name;
	const char *text =
	    has_counts ? "chunk times and counts are each thread's measured ones for the loop, "
			 "divided by iterations: chunks cannot be compared with each other"
		       : "chunk times are each thread's measured time for the loop, divided "
			 "by iterations: chunks cannot be compared with each other";
	for (size_t i = 0; i < places->n; i++)
		if (n_at[i])
			fidelity_add(c, WN_FIDELITY_ESTIMATED,
			             places->items[i].kind == WN_GRAIN_SECTION ? "sections"
			                                                       : "static loop",
			             &places->items[i], n_at[i], "%s", text);
	if (n_elsewhere)
		fidelity_add(c, WN_FIDELITY_ESTIMATED, "static loop", NULL, n_elsewhere, "%s",
		             text);
}

static void
add_modules(struct collector *c)
{
	const struct wn_places *places = c->in->places;
	for (size_t i = 0; i < places->n_modules; i++) {
		const struct wn_report_module *m = &places->modules[i];
		const char *why = m->is_stale     ? "was changed after the run"
		                  : m->is_missing ? "cannot be read any more"
		                                  : "has no debug information";
		const char *cure = m->is_stale     ? "record again"
		                   : m->is_missing ? "put it back where it was"
		                                   : "compile with -g";
		fidelity_add(c, WN_FIDELITY_NAMES, "source lines", NULL, m->n_places,
		             "%.128s %s: places without a source line: %" PRIu32 "; %s", m->name,
		             why, m->n_places, cure);
	}
	uint64_t n_foreign = 0;
	for (size_t i = 0; i < places->n; i++)
		n_foreign += places->items[i].is_foreign && places->items[i].kind;
	if (n_foreign)
		fidelity_add(
		    c, WN_FIDELITY_NAMES, "source lines", NULL, n_foreign,
		    "the runtime did not report where in the source some grains come from");
}

/* Notes calls whose line the compiler left out. */
static void
add_calls(struct collector *c)
{
	const struct wn_places *places = c->in->places;
	for (size_t i = 0; i < places->n; i++) {
		const struct wn_report_place *place = &places->items[i];
		if (place->source.is_tail_call && !place->is_foreign)
			fidelity_add(c, WN_FIDELITY_NAMES, "source lines", place, 1,
			             "the last construct of a function, which is left by a jump "
			             "to the runtime: the line is that of the function or of its "
			             "call; compile with -fno-optimize-sibling-calls");
		if (place->source.is_merged_call && !place->is_foreign)
			fidelity_add(c, WN_FIDELITY_NAMES, "source lines", place, 1,
			             "a call without a line, as where the compiler made one of "
			             "several constructs: the line is that of code before it; "
			             "clang keeps them apart with -mllvm "
			             "-simplifycfg-sink-common=false -mllvm "
			             "-enable-tail-merge=false");
	}
}

/* Notes mutexes without a source place: libomp confuses the address at the end of a critical
 * section with that of the first thread's next construct. */
static void
add_mutexes(struct collector *c)
{
	const struct wn_graph *g = c->in->g;
	uint64_t n_unplaced = 0;
	for (size_t i = 0; i < g->n_mutexes; i++) {
		uint32_t place = place_of(c->in->places, g->mutexes[i].site);
		if (place != WN_NO_PLACE && c->in->places->items[place].is_foreign)
			n_unplaced += g->mutexes[i].n_acquired;
	}
	if (n_unplaced)
		fidelity_add(
		    c, WN_FIDELITY_NAMES, "critical, locks", NULL, n_unplaced,
		    "the runtime did not report where in the source these were taken: %" PRIu64,
		    n_unplaced);
}

wn_status
fidelity_places(struct collector *c, wn_err *err)
{
	wn_status st;
	uint64_t *n_at = wn_calloc(c->in->places->n, sizeof *n_at);
	if (!n_at)
		return wn_no_memory(err);
	WN_TRY(add_notes(c, err));
	add_estimated(c, n_at);
	add_modules(c);
	add_calls(c);
	add_mutexes(c);
out:
	wn_free(n_at);
	return st;
}
