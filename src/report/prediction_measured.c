/* SPDX-License-Identifier: MIT */
/* prediction_measured.c - times of other recordings beside predictions, and the best point. */
#include "report/prediction.h"

#include "base/error.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The time that the run would have taken without recording: what the replay without the probes
 * takes, by what it takes with them. */
static wn_status
plain_time(const struct wn_report_prediction *other, uint64_t *out, wn_err *err)
{
	const struct wn_self_check *check = &other->check;
	const struct wn_scenario plain = {.n_threads = 0};
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

wn_status
wn_report_prediction_measure(struct wn_report_prediction *r, struct wn_trace *trace,
                             const char *file, wn_err *err)
{
	struct wn_report_prediction *other = NULL;
	char command[WN_REPORT_COMMAND_BYTES];
	struct wn_measured m = {.file = NULL};
	size_t n_bytes = strlen(file) + 1, capacity = r->n_measured;
	wn_status st = WN_OK;
	wn_report_command(trace, command);
	if (strcmp(command, r->command) != 0)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "another command was recorded");
	WN_TRY(wn_report_prediction_build(trace, NULL, 0, NULL, 0, &other, err));
	m.n_threads = wn_simulation_threads(other->simulation);
	m.recorded_ns = other->check.recorded_ns;
	WN_TRY(plain_time(other, &m.ns, err));
	m.file = wn_calloc(n_bytes, 1);
	if (!m.file ||
	    wn_grow(&r->measured, &capacity, r->n_measured + 1, sizeof *r->measured) != 0) {
		wn_free(m.file);
		st = wn_no_memory(err);
		goto out;
	}
	memcpy(m.file, file, n_bytes);
	size_t i = r->n_measured++;
	for (; i > 0 && r->measured[i - 1].n_threads > m.n_threads; i--)
		r->measured[i] = r->measured[i - 1];
	r->measured[i] = m;
out:
	wn_report_prediction_free(other);
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
