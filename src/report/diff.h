/* SPDX-License-Identifier: MIT */
/* diff.h - compares two recorded runs. The comparison is computed once and written as text
 * (diff_text.c) and as JSON (diff_json.c, schema winnow.diff/1). Run A is the reference: ratios are
 * B / A. Definitions: doc/metrics.md, "Comparing runs". */
#pragma once

#include "compare/changes.h"
#include "compare/deviate.h"
#include "compare/match_places.h"
#include "compare/similar.h"
#include "report/report.h"
#include "report/text.h"

#include <jansson.h>

/* Classifies a comparison by what differs besides times. */
enum wn_diff_word {
	WN_DIFF_REPEAT = 0, /* nothing known: times vary by chance */
	WN_DIFF_INFLATION,  /* the same code on another number of threads */
	WN_DIFF_REGRESSION, /* other code */
	WN_DIFF_RUNTIME,    /* the same code on another runtime, or recorded by another source */
	WN_DIFF_INPUT, /* other arguments; or another grain structure that neither the number of
	                  threads nor other code explains */
	WN_DIFF_WORD_N
};

enum wn_diff_answer { WN_DIFF_NO = 0, WN_DIFF_YES, WN_DIFF_NOT_KNOWN };

struct wn_diff_site {
	const struct wn_report_place *at[2]; /* NULL: the place is missing in that run */
	struct wn_place_diff diff;
	uint8_t paired; /* enum wn_pairing */
};

/* Similarity of a group of A and the group of the same name in B. */
struct wn_diff_alike {
	char name[24];        /* "R": the whole program; "R/F<k>" */
	double similarity;    /* of Weisfeiler-Lehman labels, 0 to 1; NAN if both are empty */
	bool has_same_labels; /* equal counts of all labels in all rounds */
	bool has_same_shape;  /* wn_tree_shapes(): identical structure */
};

struct wn_diff_similarity {
	unsigned n_rounds;
	struct wn_diff_alike items[24];
	size_t n;
};

/* Number of groups, those that differ most, whose difference is tested for significance. */
#define WN_DIFF_GROUPS 100u

struct wn_diff_spread {
	uint64_t n_pairs; /* members present in the group in both runs, and started in both */
	double pairs_ns, error_ns;
	uint8_t clarity; /* enum wn_clarity */
};

struct wn_diff {
	const struct wn_report *run[2]; /* borrowed, built from whole graphs */
	struct wn_match match;
	struct wn_groups groups[2];
	struct wn_place_pairs places;
	struct wn_changes changes;

	enum wn_diff_word word;
	/* enum wn_diff_answer */
	uint8_t other_threads, other_code, other_command, other_runtime, other_source,
	    other_structure;

	struct wn_diff_site *sites; /* largest difference of work first */
	size_t n_sites;
	struct wn_deviation_problem deviation;
	double pairs_ns, error_ns; /* over all places together; error NAN if no place has one */
	uint8_t clarity;           /* enum wn_clarity */
	uint32_t *group_order; /* [n_ordered] groups in both runs that differ in the members' work;
	                          largest difference first */
	size_t n_ordered;
	struct wn_diff_spread spread[WN_DIFF_GROUPS]; /* for the first entries of group_order */

	bool is_part;                          /* set if only one group is compared */
	char part[128];                        /* its name */
	uint8_t *is_inside[2];                 /* [ids], or NULL: all grains are inside */
	uint64_t n_matched, n_only[2];         /* grains, inside */
	bool *change_is_inside;                /* [changes.n] */
	struct wn_diff_similarity *similarity; /* NULL until wn_diff_similarity() was called */
};

struct wn_diff_options {
	double threshold;  /* of work deviation; 0 = 2 */
	const char *group; /* compare only this group or grain; NULL = all */
};

/**
 * Compares two reports of whole graphs (wn_options.needs_whole_graph).
 *
 * @param out  written only on success; release with wn_diff_free().
 * @return WN_OK · WN_E_NOMEM · WN_E_ARG (a lean graph; no run has the group) ·
 *         WN_E_FORMAT (times in different units)
 *
 * Cost     O(n log n) for medians, else linear; about 60 bytes per id besides the reports.
 * Threads  pure.
 */
WN_MUST_CHECK wn_status wn_diff_build(const struct wn_report *a, const struct wn_report *b,
                                      const struct wn_diff_options *options, struct wn_diff **out,
                                      wn_err *err);
void wn_diff_free(struct wn_diff *d);

/* Computes the similarity of the whole runs and of their first 20 groups R/F<k>. At most
 * WN_WL_ROUNDS_MAX rounds. WN_OK · WN_E_NOMEM · WN_E_ARG · WN_E_LIMIT. Cost O(rounds * nodes). */
WN_MUST_CHECK wn_status wn_diff_find_similarity(struct wn_diff *d, unsigned n_rounds, wn_err *err);

/* "repeat", "work inflation", "regression", "other runtime", "other input" */
const char *wn_diff_word_name(enum wn_diff_word word);

/* ratio(b, a): b / a; NAN where a is 0. */
static inline double
wn_diff_ratio(double b, double a)
{
	return a > 0 ? b / a : __builtin_nan("");
}

/* Threads of a run; CPUs of an imported table, which has no thread counts. */
uint32_t wn_diff_threads(const struct wn_report *r);

/* The threads' time that was neither work nor serial code nor paused nor lost. */
uint64_t wn_diff_idle_ns(const struct wn_report *r);     /* idle, with or without ready tasks */
uint64_t wn_diff_overhead_ns(const struct wn_report *r); /* in the runtime, and lock contention */

WN_MUST_CHECK wn_status wn_diff_text(const struct wn_diff *d, const struct wn_text_style *style,
                                     FILE *to, wn_err *err);
/* Writes the first sentences only, each on one line of any length. */
WN_MUST_CHECK wn_status wn_diff_text_headline(const struct wn_diff *d, FILE *to, wn_err *err);
WN_MUST_CHECK wn_status wn_diff_json(const struct wn_diff *d, size_t n_top, json_t **out,
                                     wn_err *err);
