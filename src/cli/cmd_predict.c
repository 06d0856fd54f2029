/* SPDX-License-Identifier: MIT */
/* cmd_predict.c - winnow predict: how long a recorded run would take on other numbers of threads,
 * or after a change. */
#include "cli/cmd.h"
#include "cli/document.h"
#include "cli/number_list.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cli/proofs_file.h"
#include "cli/runs.h"
#include "cli/series.h"
#include "report/json.h"
#include "report/prediction.h"
#include "report/search.h"

#include <stdlib.h>
#include <string.h>

#define THREADS_MAX 1024u

struct predict_options {
	bool has_no_pager;
	const char *threads;
	struct option_list cutoffs, changes, searches, lessons;
	bool is_json, is_raw;
	const char *proofs, *csv, *svg, *color;
};

#define AT(field) offsetof(struct predict_options, field)

static const struct option_spec options[] = {
    {"threads", 0, OPTION_STRING, "LIST",
     "numbers of threads, such as 1,2,4 or 1..64 (default: as recorded, and doublings up to 16)",
     AT(threads)},
    {"cutoff", 0, OPTION_LIST, "CUTOFF",
     "assume that tasks become plain calls: PLACE=depth:N, work:TIME or descendants:N",
     AT(cutoffs)},
    {"change", 0, OPTION_LIST, "CHANGE",
     "assume a change, such as PLACE=chunk:64 or PLACE=faster:2; see the manual page", AT(changes)},
    {"search", 0, OPTION_LIST, "PLACE=PARAMETER",
     "find the best depth, work or descendants (of a cut-off), chunk or split there; or threads",
     AT(searches)},
    {"learn", 0, OPTION_LIST, "FILE",
     "learn from another recording: how work grows with threads, or how fast plain calls are",
     AT(lessons)},
    {"proofs", 0, OPTION_STRING, "FILE", "refine predictions by the proofs of winnow prove --keep",
     AT(proofs)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON, schema winnow.predict/1", AT(is_json)},
    {"csv", 0, OPTION_STRING, "FILE", "also write all points as CSV", AT(csv)},
    {"svg", 0, OPTION_STRING, "FILE", "also draw the curve", AT(svg)},
    RAW_OPTION(struct predict_options),
    COLOR_OPTION(struct predict_options),
    PAGER_OPTION(struct predict_options),
    {0},
};

static const char *const examples[] = {
    "winnow predict fib.winnow",
    "winnow predict fib.winnow --threads 1..64 --svg fib.svg",
    "winnow predict fib-1.winnow fib-2.winnow fib-4.winnow --threads 1..8",
    "winnow predict fib.winnow --cutoff fib.c:12=depth:8",
    "winnow predict fib.winnow --threads 2 --search fib.c:12=depth",
    NULL,
};

/* 1, 2, 4, 8, 16, and the recorded number. */
static size_t
default_threads(uint32_t recorded, uint32_t out[NUMBER_LIST_MAX])
{
	size_t n = 0;
	bool is_in = false;
	for (uint32_t i = 1; i <= 16; i *= 2) {
		is_in |= i == recorded;
		if (!is_in && i > recorded) {
			out[n++] = recorded;
			is_in = true;
		}
		out[n++] = i;
	}
	if (!is_in)
		out[n++] = recorded;
	return n;
}

static int
print(const struct wn_report_prediction *r, const struct predict_options *o,
      const struct wn_text_style *style)
{
	json_t *json = NULL;
	wn_err err;
	wn_status st;
	pager_begin();
	if (o->is_json) {
		st = wn_report_prediction_json(r, &json, &err);
		if (st == WN_OK)
			st = wn_report_json_write(json, stdout, &err);
		json_decref(json);
	} else {
		st = wn_report_prediction_text(r, style, stdout, &err);
	}
	int code = run_output_code(st, &err);
	return r->check.refused ? CLI_FAILURE : code;
}

/* Recordings to learn from. */
struct lessons {
	struct wn_trace **traces;
	size_t n;
};

static void
lessons_fini(struct lessons *l)
{
	for (size_t i = 0; i < l->n; i++)
		wn_trace_close(l->traces[i]);
	free(l->traces);
}

static int
lessons_open(const struct option_list *files, struct lessons *out)
{
	*out = (struct lessons){.traces = calloc(files->n + 1, sizeof *out->traces)};
	if (!out->traces)
		return FAILURE("out of memory");
	for (; out->n < files->n; out->n++) {
		wn_err err = {.offset = WN_NO_OFFSET};
		wn_status st = wn_trace_open(files->items[out->n], &out->traces[out->n], &err);
		if (st != WN_OK)
			return run_complain(files->items[out->n], st, &err, "");
	}
	return CLI_OK;
}

static int
complain(const char *file, wn_status st, const wn_err *err, size_t n_changes)
{
	if (st == WN_E_ARG && err->offset < n_changes)
		return USAGE_ERROR("%s", err->msg);
	if (st == WN_E_ARG)
		return FAILURE("%s: no prediction: %s", file, err->msg);
	return run_complain(file, st, err, "");
}

static int
complain_of_build(const char *file, const struct predict_options *o, wn_status st,
                  const wn_err *err, size_t n_changes)
{
	if (st != WN_E_ARG || err->offset < WN_PREDICT_LESSON || err->offset == WN_NO_OFFSET)
		return complain(file, st, err, n_changes);
	return FAILURE("%s: nothing to learn from: %s",
	               o->lessons.items[err->offset - WN_PREDICT_LESSON], err->msg);
}

static wn_status
write_csv(const void *r, FILE *to, wn_err *err)
{
	return wn_report_prediction_csv(r, to, err);
}

static wn_status
write_svg(const void *r, FILE *to, wn_err *err)
{
	return wn_report_prediction_svg(r, to, err);
}

static int
present(const struct wn_report_prediction *r, const struct predict_options *o,
        const struct wn_text_style *style)
{
	int code = print(r, o, style);
	if (code == CLI_OK && o->csv)
		code = document_write(o->csv, write_csv, r);
	if (code == CLI_OK && o->svg)
		code = document_write(o->svg, write_svg, r);
	return code;
}

static bool
is_of_threads(const struct predict_options *o)
{
	return o->searches.n == 1 && strcmp(o->searches.items[0], "threads") == 0;
}

static int
search(struct wn_report_prediction *r, const struct predict_options *o, const char *file)
{
	wn_err err = {.offset = WN_NO_OFFSET};
	if (o->searches.n == 0 || is_of_threads(o))
		return CLI_OK;
	wn_status st = wn_report_search_add(r, o->searches.items, o->searches.n, &err);
	return st == WN_OK ? CLI_OK : complain(file, st, &err, o->searches.n);
}

static int
refine(struct wn_report_prediction *r, const struct predict_options *o)
{
	struct wn_proofs proofs;
	if (!o->proofs)
		return CLI_OK;
	int code = proofs_file_read(o->proofs, false, &proofs);
	if (code != CLI_OK)
		return code;
	if (!r->check.refused)
		wn_report_prediction_refine(r, &proofs);
	wn_proofs_fini(&proofs);
	return CLI_OK;
}

/* Adds the times of further recordings. */
static int
measure(struct wn_report_prediction *r, const struct paths *files)
{
	for (size_t i = 1; i < files->n; i++) {
		struct wn_trace *trace;
		wn_err err = {.offset = WN_NO_OFFSET};
		wn_status st = wn_trace_open(files->items[i], &trace, &err);
		if (st != WN_OK)
			return run_complain(files->items[i], st, &err, "");
		st = wn_report_prediction_measure(r, trace, files->items[i], &err);
		wn_trace_close(trace);
		if (st == WN_E_ARG)
			message("%s: not a measured time of this program: %s", files->items[i],
			        err.msg);
		if (st != WN_OK)
			return st == WN_E_ARG ? CLI_FAILURE
			                      : run_complain(files->items[i], st, &err, "");
	}
	return CLI_OK;
}

/* Numbers of threads of the table; more than there are is a usage error. */
static bool
choose_threads(const struct predict_options *o, struct number_list *out)
{
	out->n = 0;
	if (!o->threads)
		return true;
	if (number_list_parse(o->threads, THREADS_MAX, out) && !out->is_long) {
		if (o->searches.n == 0 || is_of_threads(o) || out->n == 1)
			return true;
		message("--threads '%.60s': --search is for one number of threads", o->threads);
		return false;
	}
	message("--threads '%.60s': not a list of numbers and ranges from 1 to %u, such as 1,2,4 "
	        "or 1..64, of at most %u numbers",
	        o->threads, THREADS_MAX, NUMBER_LIST_MAX);
	return false;
}

/* For the search of threads all numbers up to the machine's CPUs; for another one the recorded
 * number, and all CPUs of a run on one thread. */
static void
set_default_threads(const struct predict_options *o, const struct wn_trace *trace,
                    struct number_list *out)
{
	uint32_t recorded = wn_trace_n_threads(trace), n_cpus = wn_trace_header(trace)->n_cpus;
	if (o->searches.n == 0) {
		out->n = default_threads(recorded, out->of);
		return;
	}
	uint32_t last = recorded > n_cpus ? recorded : n_cpus;
	uint32_t first = is_of_threads(o) ? 1 : recorded > 1 ? recorded : last;
	for (uint32_t i = first; out->n < NUMBER_LIST_MAX && i <= last; i++) {
		out->of[out->n++] = i;
		if (!is_of_threads(o))
			break;
	}
}

/* Predicts the first recording; the others are measured times. */
static int
predict(const struct paths *files, const struct predict_options *o,
        const struct wn_text_style *style)
{
	const char *changes[WN_PREDICT_CHANGES_MAX + 1], *file = files->items[0];
	struct number_list threads;
	struct wn_trace *trace;
	struct wn_report_prediction *r;
	wn_err err = {.offset = WN_NO_OFFSET};
	size_t n_changes = 0;
	if (!choose_threads(o, &threads))
		return CLI_USAGE;
	for (size_t i = 0; i < o->cutoffs.n + o->changes.n && n_changes <= WN_PREDICT_CHANGES_MAX;
	     i++)
		changes[n_changes++] =
		    i < o->cutoffs.n ? o->cutoffs.items[i] : o->changes.items[i - o->cutoffs.n];
	wn_status st = wn_trace_open(file, &trace, &err);
	if (st != WN_OK)
		return run_complain(file, st, &err, "");
	if (threads.n == 0)
		set_default_threads(o, trace, &threads);
	struct lessons lessons;
	int code = lessons_open(&o->lessons, &lessons);
	if (code == CLI_OK) {
		progress_step("replaying the run");
		st = wn_report_prediction_build_with(trace, lessons.traces, lessons.n, threads.of,
		                                     threads.n, changes, n_changes, &r, &err);
		code = st == WN_OK ? CLI_OK : complain_of_build(file, o, st, &err, n_changes);
	}
	lessons_fini(&lessons);
	if (code == CLI_OK) {
		code = measure(r, files);
		if (code == CLI_OK)
			code = refine(r, o);
		if (code == CLI_OK)
			code = search(r, o, file);
		if (code == CLI_OK)
			code = present(r, o, style);
		wn_report_prediction_free(r);
	}
	wn_trace_close(trace);
	return code;
}

static int
run(const void *values, int n_operands, char **operands)
{
	const struct predict_options *o = values;
	struct wn_text_style style = run_style(o->color);
	struct paths files = {0};
	int code = CLI_FAILURE;
	style.is_raw = o->is_raw;
	if (series_expand(n_operands, operands, &files))
		code = predict(&files, o, &style);
	paths_fini(&files);
	return code;
}

const struct cmd cmd_predict = {
    .name = "predict",
    .one_line = "Predict the time on other numbers of threads, or after a change",
    .usage = "FILE [MEASURED...]",
    .about = "Replays the grain graph on a model of the runtime's scheduler and its contention.\n"
	     "The first line compares the replay of the recorded run with that run. Times of "
	     "further\nrecordings of the program are listed beside the predictions.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct predict_options),
    .min_operands = 1,
    .max_operands = CMD_ANY_NUMBER,
    .run = run,
};
