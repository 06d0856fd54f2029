/* SPDX-License-Identifier: MIT */
/* prediction_measured.c - times of other recordings beside predictions, and the best point. */
#include "report/prediction.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The time that the run would have taken without recording: what the replay without the probes
 * takes, by what it takes with them. */
static wn_status
plain_time(const struct wn_report_prediction *other, uint64_t *out, wn_err *err)
{
	const struct wn_self_check *check = &other->check;
	const struct wn_scenario plain = {.keeps_races = true};
	struct wn_sim_result result;
	*out = check->recorded_ns;
	if (!other->metrics->totals.is_calibrated || check->refused || !check->simulated_ns)
		return WN_OK;
	wn_status st = wn_simulate(other->simulation, &plain, &result, err);
	if (st == WN_OK)
		*out = (uint64_t)((double)check->recorded_ns * (double)result.elapsed_ns /
		                  (double)check->simulated_ns);
	return st;
}

/* Of a run that cannot be simulated: without the share of it that recording added. */
static wn_status
unsimulated_time(struct wn_trace *trace, struct wn_measured *out, wn_err *err)
{
	struct wn_graph *graph = NULL;
	struct wn_metrics *metrics = NULL;
	wn_status st = wn_graph_build_as(trace, WN_DETAIL_REPORT, &graph, err);
	if (st == WN_OK)
		st = wn_metrics_build(graph, NULL, &metrics, err);
	if (st == WN_OK) {
		const struct wn_totals *t = &metrics->totals;
		double added = t->is_calibrated ? fmin(0.9, t->perturbation) : 0;
		out->n_threads = wn_trace_n_threads(trace);
		out->recorded_ns = t->elapsed_ns;
		out->ns = (uint64_t)((1 - added) * (double)t->elapsed_ns);
	}
	wn_metrics_free(metrics);
	wn_graph_free(graph);
	return st;
}

wn_status
wn_measured_time(struct wn_trace *trace, struct wn_measured *out, wn_err *err)
{
	struct wn_report_prediction *run;
	struct wn_measured m = {.file = NULL};
	wn_status st = wn_report_prediction_build(trace, NULL, 0, NULL, 0, &run, err);
	if (st == WN_E_ARG) {
		st = unsimulated_time(trace, &m, err);
	} else if (st == WN_OK) {
		m.n_threads = wn_simulation_threads(run->simulation);
		m.recorded_ns = run->check.recorded_ns;
		st = plain_time(run, &m.ns, err);
		wn_report_prediction_free(run);
	}
	if (st == WN_OK)
		*out = m;
	return st;
}

wn_status
wn_report_prediction_measure(struct wn_report_prediction *r, struct wn_trace *trace,
                             const char *file, wn_err *err)
{
	char command[WN_REPORT_COMMAND_BYTES];
	struct wn_measured m = {.file = NULL};
	size_t n_bytes = strlen(file) + 1, capacity = r->n_measured;
	wn_status st = WN_OK;
	wn_report_command(trace, command);
	if (strcmp(command, r->command) != 0)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "another command was recorded");
	WN_TRY(wn_measured_time(trace, &m, err));
	m.file = wn_calloc(n_bytes, 1);
	if (!m.file ||
	    wn_grow(&r->measured, &capacity, r->n_measured + 1, sizeof *r->measured) != 0) {
		wn_free(m.file);
		return wn_no_memory(err);
	}
	memcpy(m.file, file, n_bytes);
	size_t i = r->n_measured++;
	for (; i > 0 && r->measured[i - 1].n_threads > m.n_threads; i--)
		r->measured[i] = r->measured[i - 1];
	r->measured[i] = m;
out:
	return st;
}

static int
by_time(const void *left, const void *right)
{
	const struct wn_measured *a = *(const struct wn_measured *const *)left;
	const struct wn_measured *b = *(const struct wn_measured *const *)right;
	return (a->ns > b->ns) - (a->ns < b->ns);
}

struct wn_measured_point
wn_report_prediction_measured(const struct wn_report_prediction *r, uint32_t n_threads)
{
	const struct wn_measured *of[64];
	uint32_t n = 0;
	for (size_t i = 0; i < r->n_measured && n < 64; i++)
		if (r->measured[i].n_threads == n_threads)
			of[n++] = &r->measured[i];
	if (n == 0)
		return (struct wn_measured_point){.n = 0};
	qsort(of, n, sizeof *of, by_time);
	return (struct wn_measured_point){
	    .n = n, .ns = of[(n - 1) / 2]->ns, .low_ns = of[0]->ns, .high_ns = of[n - 1]->ns};
}

void
wn_report_prediction_refine(struct wn_report_prediction *r, const struct wn_proofs *proofs)
{
	enum wn_runtime_kind runtime = wn_simulation_costs(r->simulation)->runtime;
	for (size_t i = 0; i < r->n; i++) {
		bool is_recorded = r->points[i].n_threads == wn_simulation_threads(r->simulation);
		enum wn_proof_kind kind = wn_proof_kind_of(r->changes, r->n_changes, is_recorded);
		r->refinements[kind] = wn_proofs_of(proofs, kind, runtime);
		wn_refine(&r->refinements[kind], &r->points[i]);
		if (!r->without)
			continue;
		kind = wn_proof_kind_of(NULL, 0, is_recorded);
		r->refinements[kind] = wn_proofs_of(proofs, kind, runtime);
		wn_refine(&r->refinements[kind], &r->without[i]);
	}
}

struct wn_best_point
wn_report_prediction_best(const struct wn_report_prediction *r)
{
	struct wn_best_point best = {.best = 0};
	for (size_t i = 1; i < r->n; i++)
		if (r->points[i].ns < r->points[best.best].ns)
			best.best = i;
	while (best.enough < best.best && (double)r->points[best.enough].ns >
	                                      WN_PREDICT_NEAR * (double)r->points[best.best].ns)
		best.enough++;
	return best;
}
