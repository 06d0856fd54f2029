/* SPDX-License-Identifier: MIT */
/*
 * json_private.h - builds JSON values and the parts of the report. Private to this folder.
 *
 * A failed allocation yields NULL, which json_put() records, so that failures are checked once, at
 * the end.
 */
#pragma once

#include "report/json.h"

struct json_maker {
	const struct wn_report *r;
	bool is_failed;
};

/* Takes ownership of `value`, also on failure. */
void json_put(struct json_maker *j, json_t *object, const char *key, json_t *value);
void json_push(struct json_maker *j, json_t *array, json_t *value);

/* Ends a document, whose owner becomes *out; releases it if a part of it is missing. WN_OK ·
 * WN_E_NOMEM */
wn_status json_finish(const struct json_maker *j, json_t *document, json_t **out, wn_err *err);

json_t *json_count(uint64_t n);
json_t *json_count_if(bool is_known, uint64_t n); /* null if unknown */
/* Adds a value of recorded runs; null for an imported table. */
json_t *json_of_run(const struct json_maker *j, uint64_t n);
json_t *json_ratio(double value); /* null if not finite */
json_t *json_percent(uint64_t part, uint64_t whole);
json_t *json_text(const char *text); /* null if NULL; converted to valid UTF-8 */
/* The same for a text from wn_calloc(), which it frees; NULL: out of memory. */
json_t *json_taken(struct json_maker *j, char *text);

/* Adds `file`, `line`, `function` and `place`; null if unknown. */
void json_put_place(struct json_maker *j, json_t *o, const struct wn_report_place *place);

/* json_run.c */
json_t *json_imported(struct json_maker *j);
json_t *json_program(struct json_maker *j);
json_t *json_recording(struct json_maker *j);
json_t *json_machine(struct json_maker *j);
json_t *json_graph(struct json_maker *j);
json_t *json_totals(struct json_maker *j);
json_t *json_group_totals(struct json_maker *j);
json_t *json_time_categories(struct json_maker *j);
json_t *json_modules(struct json_maker *j);
json_t *json_time(struct json_maker *j);

/* json_lists.c */
json_t *json_fidelity(struct json_maker *j);
json_t *json_problems(struct json_maker *j);
json_t *json_metrics(struct json_maker *j);
json_t *json_sites(struct json_maker *j);
/* Adds the text report's words: one element per written line. */
typedef wn_status json_writer(const void *user, FILE *to, wn_err *err);
json_t *json_lines(struct json_maker *j, json_writer *write, const void *user);
json_t *json_headline(struct json_maker *j);
json_t *json_scaling_command(struct json_maker *j);
json_t *json_advice(struct json_maker *j);
json_t *json_near(struct json_maker *j);
json_t *json_mutexes(struct json_maker *j);
json_t *json_marks(struct json_maker *j);
json_t *json_mpi(struct json_maker *j); /* mpi.c */
json_t *json_labels(struct json_maker *j);
json_t *json_threads(struct json_maker *j);
json_t *json_anomalies(struct json_maker *j);
json_t *json_aggregate(struct json_maker *j);

/* json_counters.c */
json_t *json_counters(struct json_maker *j);
json_t *json_sharing(struct json_maker *j);
json_t *json_counter_ratios(struct json_maker *j);

/* json_counters.c: counts transferred from another run, or null. */
json_t *json_carried(struct json_maker *j, const struct wn_carried *c, const char *file);
