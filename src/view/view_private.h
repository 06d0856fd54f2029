/* SPDX-License-Identifier: MIT */
/* view_private.h - shared by the files of this folder. */
#pragma once

#include "aggregate/tree.h"
#include "grains/write.h"
#include "metrics/columns.h"
#include "view/page_data.h"

#include <jansson.h>

/* A chunk of the tree. */
struct view_chunk {
	uint32_t first_node, end_node, first_grain, n_grains, parent, n_open;
	uint64_t work_ns, n_critical, n_problem;
	uint32_t problem[WN_PROBLEMS_MAX];
};

/* Values of groups in the tiers and of those that cross chunks. */
struct view_summaries {
	uint32_t n;
	uint32_t n_largest; /* of them, in the tiers by their work; at most so many */
	uint32_t *node;     /* [n] by node */
	uint8_t *tier;      /* [n] 0, 1 */
	uint64_t *n_grains, *work_ns, *made_ns, *creation_ns, *n_creation_known, *sync_ns,
	    *locked_ns, *exec_more_ns, *begin_ns, *end_ns, *span_ns, *best_ns, *n_critical,
	    *critical_work_ns, *n_problem, *shape, *main_site;
	uint32_t *problem; /* [n x n_problems] grains with the problem */
	double *worst;     /* [n x n_problems] NAN: no value */
};

/* A histogram of a column: four bins per power of two. */
#define VIEW_HISTOGRAM_BINS 8192u /* exponent and two more bits of a double */
struct view_histogram {
	uint64_t n_missing, n_zero, n_negative;
	uint64_t *count; /* [VIEW_HISTOGRAM_BINS] indexed by the double's bits, shifted */
};

/* Bins of a timeline; n 0: there is none. */
struct view_bins {
	uint32_t n, n_rows;
	uint64_t ns;
};

#define VIEW_EXTRAS_MAX 200u

/* Text of the page before its script runs, except for the omissions, which are not known yet. */
struct view_prerendered {
	char *text; /* [n] */
	size_t n, capacity;
	size_t left_out_at; /* position of the sentence about omissions */
	bool is_out_of_memory;
};

/* The timeline as PNG in base64, for light and dark pages; NULL: there is none. */
struct view_first_picture {
	char *base64[2];
	uint32_t height;
};

struct wn_page_data {
	struct wn_report *r;
	const struct wn_graph *g;
	const struct wn_metrics *m;
	struct wn_page_data_options options;
	struct wn_tree *tree;
	struct wn_grains_writer *writer;
	FILE *spool;
	struct view_chunk *chunks;
	uint32_t n_chunks, chunk_grains;
	struct view_summaries s;
	const struct wn_column *extras[VIEW_EXTRAS_MAX]; /* columns of WN_COLUMN_EXTRA */
	uint32_t n_extras;
	wn_grain *above; /* [n_above] ids of WN_PART_ABOVE */
	uint32_t n_above;
	uint32_t n_labels;
	uint32_t *label_row;               /* by name; NULL: there are none */
	uint32_t *labels;                  /* [n_labels] names */
	struct view_histogram *histograms; /* [n_problems + VIEW_TIMES_N] histograms */
	uint32_t *row_of_thread; /* [g->n_threads] rows of the timeline; NULL: there is none */
	struct view_bins bins, reference_bins; /* of this run; of the one compared with */
	json_t *index;
	char *text; /* the index as written */
	struct view_first_picture first_picture;
	struct view_prerendered prerendered;
	struct wn_page_data_kept kept;
};

/* Time columns with histograms, besides those of problems. */
#define VIEW_TIMES_N 3
extern const char *const view_times[VIEW_TIMES_N];

/* page_data.c: writes all bytes of run.grains, in order. */
WN_MUST_CHECK wn_status view_write(struct wn_page_data *v, const struct wn_grains_sink *sink,
                                   wn_err *err);

/* layout.c: computes the begins of chunks; labels and extra columns. */
WN_MUST_CHECK wn_status view_lay_out(struct wn_page_data *v, wn_err *err);

/* summaries.c */
WN_MUST_CHECK wn_status view_summarise(struct wn_page_data *v, wn_err *err);
void view_summaries_fini(struct view_summaries *s);
/* Encodes the columns of rows SUMMARY for some of the groups, by their rows in `summaries`. */
WN_MUST_CHECK wn_status view_encode_summaries(const struct wn_page_data *v,
                                              struct wn_grains_encoder *e, const uint32_t *rows,
                                              uint32_t n, wn_err *err);
WN_MUST_CHECK wn_status view_put_tiers(struct wn_page_data *v, wn_err *err);

/* marks.c: builds a list of {node, what, id, members, members_work_ns}, in order of nodes; empty
 * without a comparison. */
WN_MUST_CHECK wn_status view_marks(const struct wn_page_data *v, json_t **out, wn_err *err);

/* grain_chunks.c: encodes all parts but the timeline by several threads: chunks, tiers, tables; and
 * makes the index. */
WN_MUST_CHECK wn_status view_put_parts(struct wn_page_data *v, wn_err *err);

/* tables.c */
WN_MUST_CHECK wn_status view_put_tables(struct wn_page_data *v, wn_err *err);
/* timeline.c */
WN_MUST_CHECK wn_status view_put_timeline(struct wn_page_data *v, wn_err *err);

/* first_picture.c: draws a timeline whose bins are loaded as v->first_picture. */
struct timeline;
WN_MUST_CHECK wn_status view_draw_first(struct wn_page_data *v, struct timeline *t,
                                        const struct view_bins *bins, wn_err *err);
/* html.c: writes (n + 2) / 3 * 4 digits, and returns how many. */
size_t view_base64(const uint8_t *in, size_t n, char *out);

/* index.c: builds v->index, without the omissions. */
WN_MUST_CHECK wn_status view_make_index(struct wn_page_data *v, wn_err *err);
/* predicted.c: NULL for a run that cannot be predicted, or has many grains. */
WN_MUST_CHECK wn_status view_predicted(struct wn_page_data *v, json_t **out, wn_err *err);
/* Adds a value to an object, which takes ownership; false if out of memory. */
bool view_json_put(json_t *object, const char *key, json_t *value);

/* excerpt.c: adds "excerpts" to the index. */
WN_MUST_CHECK wn_status view_add_excerpts(struct wn_page_data *v, wn_err *err);

/* prerender.c: builds v->prerendered as HTML with all texts escaped. Called once; empty for
 * imported data. WN_OK or WN_E_NOMEM. */
WN_MUST_CHECK wn_status view_prerender(struct wn_page_data *v, wn_err *err);
/* Writes the HTML with the sentence. WN_OK, WN_E_NOMEM, or the result of writing. */
WN_MUST_CHECK wn_status view_put_prerendered(const struct wn_page_data *v,
                                             const struct wn_grains_sink *to, wn_err *err);

/* budget.c: omits what does not fit, adds "left_out" to the index, and writes the index as text. */
WN_MUST_CHECK wn_status view_fit(struct wn_page_data *v, wn_err *err);
