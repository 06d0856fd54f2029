/* SPDX-License-Identifier: MIT */
/* characterize.h - writes a characterisation as text and as JSON. Definitions and papers are in
 * doc/characterize.md. */
#pragma once

#include "characterize/characterize.h"
#include "graph/graph.h"
#include "report/text.h"

#include <jansson.h>

/* The source of a case's counts. */
struct wn_case_counts {
	const char *file; /* the other run that the counts were transferred from; NULL: none */
	struct wn_carried carried;
	char by[64];       /* the engine that counted instructions, in this or that run; "": none */
	char emulator[64]; /* the engine that ran the program, so that its times are not valid; "":
	                      none */
	char missing[256]; /* what was not counted, in this or that run, from its beginning; "":
	                      nothing is known to be missing */
};

struct wn_characterize_view {
	const struct wn_characterization *result;
	bool is_table;                       /* cases are rows of a table, not runs */
	const char *weight;                  /* weight of the critical path; NULL for a table */
	const char *const *files;            /* [cases] source files; NULL for a table */
	const struct wn_case_counts *counts; /* [cases], NULL for a table */
};

#define WN_MEANING_BYTES 256

/* Describes the variables with large loadings: "up with tasks, work; down with instructions". A
 * loading is large above 0.8 / sqrt(variables), where 1 is the factor if all loadings were equal.
 * Appends the name that [P2] gives to such a direction, if it has one. */
void wn_component_meaning(const struct wn_characterization *r, size_t component,
                          char out[WN_MEANING_BYTES]);

/* The same for a cluster: the variables whose mean in the cluster is farthest from the overall
 * mean, in standard deviations. */
void wn_cluster_meaning(const struct wn_characterization *r, size_t cluster,
                        char out[WN_MEANING_BYTES]);

/* WN_OK · WN_E_IO (errno has the reason) · WN_E_NOMEM */
WN_MUST_CHECK wn_status wn_characterize_text(const struct wn_characterize_view *v,
                                             const struct wn_text_style *style, FILE *to,
                                             wn_err *err);
/* Schema winnow.characterize/1. WN_OK · WN_E_NOMEM. *out is the caller's. */
WN_MUST_CHECK wn_status wn_characterize_json(const struct wn_characterize_view *v, json_t **out,
                                             wn_err *err);
