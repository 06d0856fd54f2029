/* SPDX-License-Identifier: MIT */
/*
 * characterize.h - what a characterisation says: as text, as JSON. Definitions and papers are in
 * doc/characterize.md.
 */
#ifndef WN_REPORT_CHARACTERIZE_H
#define WN_REPORT_CHARACTERIZE_H

#include "characterize/characterize.h"
#include "graph/graph.h"
#include "report/text.h"

#include <jansson.h>

/* Whose counts a run has. */
struct wn_case_counts {
	const char *file; /* of another run, which has lent them; NULL: none has */
	struct wn_carried carried;
	char by[64];       /* who counted instructions, here or there; "": nobody */
	char emulator[64]; /* what ran it to count, so that no time is its own; "": nothing did */
	char missing[256]; /* what was not counted, here or there, as it begins; "": nothing is
	                    * known to be missing */
};

struct wn_characterize_view {
	const struct wn_characterization *result;
	bool is_table;                       /* its cases are rows of a table, not runs */
	const char *weight;                  /* of paths; NULL of a table */
	const char *const *files;            /* [cases] that they were read from; NULL of a table */
	const struct wn_case_counts *counts; /* [cases], NULL of a table */
};

#define WN_MEANING_BYTES 256

/* In which variables a component is large, in words: "up with tasks, work; down with instructions".
 * Large is above 0.8 / sqrt(variables), where 1 would be the loading of each if all were alike.
 * Ends with what [P2] calls such a direction, where it is one of theirs. */
void wn_component_meaning(const struct wn_characterization *r, size_t component,
                          char out[WN_MEANING_BYTES]);

/* The same of a cluster: the variables whose mean in it is farthest from that of all, in standard
 * deviations. */
void wn_cluster_meaning(const struct wn_characterization *r, size_t cluster,
                        char out[WN_MEANING_BYTES]);

/* WN_OK · WN_E_IO (errno says why) · WN_E_NOMEM */
WN_MUST_CHECK wn_status wn_characterize_text(const struct wn_characterize_view *v,
                                             const struct wn_text_style *style, FILE *to,
                                             wn_err *err);
/* Schema winnow.characterize/1. WN_OK · WN_E_NOMEM. *out is the caller's. */
WN_MUST_CHECK wn_status wn_characterize_json(const struct wn_characterize_view *v, json_t **out,
                                             wn_err *err);

#endif /* WN_REPORT_CHARACTERIZE_H */
