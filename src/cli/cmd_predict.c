/* SPDX-License-Identifier: MIT */
/*
 * cmd_predict.c - winnow predict: how long a recorded run would take on other numbers of threads,
 * or after a change.
 */
#include "cli/cmd.h"
#include "cli/pager.h"
#include "cli/runs.h"
#include "report/json.h"
#include "report/prediction.h"

#include <stdlib.h>

#define THREADS_MAX 1024u
#define POINTS_MAX  32u

struct predict_options {
	bool has_no_pager;
	const char *threads;
	struct option_list cutoffs, changes;
	bool is_json, is_raw;
	const char *color;
};

static const struct option_spec options[] = {
    {"threads", 0, OPTION_STRING, "LIST",
     "numbers of threads, such as 1,2,4 (default: as recorded, and doublings up to 16)",
     offsetof(struct predict_options, threads)},
    {"cutoff", 0, OPTION_LIST, "CUTOFF",
     "assume that tasks become plain calls: PLACE=depth:N, work:TIME or descendants:N",
     offsetof(struct predict_options, cutoffs)},
    {"change", 0, OPTION_LIST, "CHANGE",
     "assume a change, such as PLACE=chunk:64 or PLACE=faster:2; see the manual page",
     offsetof(struct predict_options, changes)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON, schema winnow.predict/1",
     offsetof(struct predict_options, is_json)},
    {"raw", 0, OPTION_FLAG, NULL, "times in nanoseconds", offsetof(struct predict_options, is_raw)},
    {"color", 0, OPTION_STRING, "WHEN=auto|always|never", "use colours",
     offsetof(struct predict_options, color)},
    PAGER_OPTION(struct predict_options),
    {0},
};

static const char *const examples[] = {
    "winnow predict fib.winnow",
    "winnow predict fib.winnow --threads 1,2,4,8",
    "winnow predict fib.winnow --cutoff fib.c:12=depth:8",
    NULL,
};

static int
by_value(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

/* Parses "1,2,4" into ascending numbers without repeats. 0: malformed. */
static size_t
read_threads(const char *text, uint32_t out[POINTS_MAX])
{
	size_t n = 0;
	do {
		char *end;
		unsigned long value = *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 0;
		if (value < 1 || value > THREADS_MAX || n == POINTS_MAX)
			return 0;
		out[n++] = (uint32_t)value;
		text = end;
	} while (*text++ == ',');
	if (text[-1] != '\0')
		return 0;
	qsort(out, n, sizeof *out, by_value);
	size_t n_kept = 1;
	for (size_t i = 1; i < n; i++)
		if (out[i] != out[n_kept - 1])
			out[n_kept++] = out[i];
	return n_kept;
}

/* 1, 2, 4, 8, 16, and the recorded number. */
static size_t
default_threads(uint32_t recorded, uint32_t out[POINTS_MAX])
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
	if (st == WN_OK)
		return r->check.refused ? CLI_FAILURE : CLI_OK;
	if (st == WN_E_IO)
		return run_complain_of_output("predict", &err);
	message("predict", "%s", err.msg);
	return CLI_FAILURE;
}

static int
complain(const char *file, wn_status st, const wn_err *err, size_t n_changes)
{
	if (st == WN_E_ARG && err->offset < n_changes) {
		message("predict", "%s", err->msg);
		return CLI_USAGE;
	}
	if (st == WN_E_ARG) {
		message("predict", "%s: no prediction: %s", file, err->msg);
		return CLI_FAILURE;
	}
	return run_complain("predict", file, st, err, "");
}

static int
predict(const char *file, const struct predict_options *o, const struct wn_text_style *style)
{
	const char *changes[WN_PREDICT_CHANGES_MAX + 1];
	uint32_t threads[POINTS_MAX];
	struct wn_trace *trace;
	struct wn_report_prediction *r;
	wn_err err = {.offset = WN_NO_OFFSET};
	size_t n = o->threads ? read_threads(o->threads, threads) : 0, n_changes = 0;
	if (o->threads && n == 0) {
		message("predict",
		        "--threads '%.60s': numbers from 1 to %u, with commas between, at most %u",
		        o->threads, THREADS_MAX, POINTS_MAX);
		return CLI_USAGE;
	}
	for (size_t i = 0; i < o->cutoffs.n + o->changes.n && n_changes <= WN_PREDICT_CHANGES_MAX;
	     i++)
		changes[n_changes++] =
		    i < o->cutoffs.n ? o->cutoffs.items[i] : o->changes.items[i - o->cutoffs.n];
	wn_status st = wn_trace_open(file, &trace, &err);
	if (st != WN_OK)
		return run_complain("predict", file, st, &err, "");
	if (n == 0)
		n = default_threads(wn_trace_n_threads(trace), threads);
	st = wn_report_prediction_build(trace, threads, n, changes, n_changes, &r, &err);
	int code = st == WN_OK ? print(r, o, style) : complain(file, st, &err, n_changes);
	if (st == WN_OK)
		wn_report_prediction_free(r);
	wn_trace_close(trace);
	return code;
}

static int
run(const void *values, int n_operands, char **operands)
{
	const struct predict_options *o = values;
	struct wn_text_style style = run_style(o->color);
	(void)n_operands;
	style.is_raw = o->is_raw;
	return predict(operands[0], o, &style);
}

const struct cmd cmd_predict = {
    .name = "predict",
    .one_line = "Predict the time on other numbers of threads, or after a change",
    .usage = "FILE",
    .about = "Replays the grain graph on a model of the runtime's scheduler and its contention.\n"
	     "The first line compares the replay of the recorded run with that run.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct predict_options),
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};
