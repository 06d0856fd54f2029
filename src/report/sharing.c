/* SPDX-License-Identifier: MIT */
#include "report/sharing.h"

#include "base/error.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *title, *advice;
} texts[WN_SHARING_KIND_N] = {
    [WN_SHARING_NONE] = {"none", "none", ""},
    [WN_SHARING_FALSE] = {"false_sharing", "false sharing",
                          "pad or align each grain's part to 64 bytes, or sum up in a local "
                          "variable and write once"},
    [WN_SHARING_ATOMIC] = {"contended_atomic", "contended atomic",
                           "a reduction, or a local variable that is added once at the end"},
    [WN_SHARING_TRUE] = {"true_sharing", "true sharing",
                         "a reduction or private data; without atomic or a mutex this may be a "
                         "data race"},
};

const char *
report_sharing_name(uint32_t kind)
{
	return texts[kind < WN_SHARING_KIND_N ? kind : 0].name;
}

const char *
report_sharing_title(uint32_t kind)
{
	return texts[kind < WN_SHARING_KIND_N ? kind : 0].title;
}

const char *
report_sharing_advice(uint32_t kind)
{
	return texts[kind < WN_SHARING_KIND_N ? kind : 0].advice;
}

uint64_t
report_sharing_ns(const struct wn_report_sharing *s)
{
	uint64_t n = s->record.n_transfers;
	return n < WN_NS_MAX / WN_TRANSFER_NS ? n * WN_TRANSFER_NS : WN_NS_MAX;
}

static const struct wn_report_place *
place_of_grain(const struct wn_graph *g, const struct wn_places *places, uint64_t id)
{
	uint64_t thread = id >> 32, number = id & UINT32_MAX;
	if (thread >= g->n_threads || number >= g->first_id[thread + 1] - g->first_id[thread])
		return NULL;
	wn_grain grain = g->first_id[thread] + (wn_grain)number;
	if (g->kind[grain] == WN_GRAIN_INITIAL || g->kind[grain] == WN_GRAIN_NONE)
		return NULL;
	return wn_places_of(places, g->site[grain]);
}

static void
name_data(const struct wn_graph *g, const struct wn_places *places, struct wn_report_sharing *s)
{
	const struct wn_sharing_record *r = &s->record;
	char place[WN_SHARED_DATA_BYTES / 2] = "";
	if (r->place == WN_SHARING_HEAP) {
		wn_place_text(&s->allocation, place, sizeof place);
		snprintf(s->data, sizeof s->data,
		         "byte %" PRIu64 " of a block of %" PRIu64 " bytes allocated at %s%s%.80s",
		         r->offset, r->bytes, place, s->allocation.outer ? " in " : "",
		         s->allocation.outer ? s->allocation.outer : "");
		return;
	}
	if (r->place == WN_SHARING_STACK) {
		const struct wn_report_place *owner = place_of_grain(g, places, r->where);
		const char *function = owner ? owner->source.function : NULL;
		snprintf(s->data, sizeof s->data, "a variable on the stack of %s%.80s",
		         owner ? owner->label : "the initial thread", function ? "  " : "");
		if (function)
			snprintf(s->data, sizeof s->data,
			         "a variable on the stack of %.80s (%.80s)", function,
			         owner->label);
		return;
	}
	if (s->variable && s->variable_offset)
		snprintf(s->data, sizeof s->data, "%.200s + %" PRIu64 " bytes", s->variable,
		         s->variable_offset);
	else if (s->variable)
		snprintf(s->data, sizeof s->data, "%.200s", s->variable);
	else
		snprintf(s->data, sizeof s->data, "address 0x%" PRIx64, r->address);
}

static wn_status
resolve(const struct wn_graph *g, const struct wn_places *places, struct wn_report_sharing *s,
        wn_err *err)
{
	const struct wn_sharing_record *r = &s->record;
	wn_status st = WN_OK;
	for (unsigned i = 0; i < 2; i++) {
		WN_TRY(wn_symbols_find(places->symbols, r->pc[i], false, &s->code[i]));
		s->grain[i] = place_of_grain(g, places, r->grain[i]);
	}
	if (r->place == WN_SHARING_HEAP)
		WN_TRY(wn_symbols_find(places->symbols, r->where, true, &s->allocation));
	if (r->place == WN_SHARING_STATIC)
		WN_TRY(wn_symbols_find_variable(places->symbols, r->address, &s->variable,
		                                &s->variable_offset));
	name_data(g, places, s);
out:
	return st == WN_E_NOMEM ? wn_no_memory(err) : st;
}

/* Fewer transfers for each instruction of the run take less than about a hundredth of its time. */
#define MOST_INSTRUCTIONS 20000u

/* Transfers below which a pair is not worth reporting in the text. */
static uint64_t
least_transfers(const struct wn_graph *g)
{
	uint64_t least = WN_LEAST_TRANSFERS;
	for (size_t i = 0; i < g->n_counts; i++)
		if (g->counts[i].name && strcmp(g->counts[i].name, "instructions") == 0 &&
		    g->counts[i].total / MOST_INSTRUCTIONS > least)
			least = g->counts[i].total / MOST_INSTRUCTIONS;
	return least;
}

wn_status
report_sharing(const struct wn_graph *g, const struct wn_places *places,
               struct wn_report_sharings *out, wn_err *err)
{
	const struct wn_sharing_record *records;
	struct wn_report_sharings all = {.n_sampled = 1};
	wn_status st = WN_OK;
	all.is_known = wn_trace_sharing(g->trace, &records, &all.n);
	all.items = wn_calloc(all.n + 1, sizeof *all.items);
	if (!all.items)
		return wn_no_memory(err);
	for (size_t i = 0; i < all.n && st == WN_OK; i++) {
		all.items[i].record = records[i];
		all.n_sampled = records[i].n_sampled;
		all.n_large += records[i].n_transfers >= least_transfers(g);
		st = resolve(g, places, &all.items[i], err);
	}
	if (st == WN_OK)
		*out = all;
	else
		wn_free(all.items);
	return st;
}
