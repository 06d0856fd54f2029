/* SPDX-License-Identifier: MIT */
/* prediction.c - predictions of a run, and the changes that they assume. */
#include "report/prediction.h"

#include "base/error.h"
#include "base/mem.h"
#include "report/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool
wn_report_prediction_find(struct wn_report_prediction *r, const char *label, size_t n_bytes,
                          uint8_t *is_at)
{
	bool is_found = false;
	for (uint32_t site = 0; site < wn_trace_n_sites(r->trace); site++) {
		const struct wn_report_place *place = wn_places_of(&r->places, site);
		if (!place || !place->label || strlen(place->label) != n_bytes ||
		    memcmp(place->label, label, n_bytes) != 0)
			continue;
		is_at[site] = 1;
		is_found = true;
	}
	return is_found;
}

static bool
read_number(const char *text, uint64_t *out)
{
	char *end;
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*out = strtoull(text, &end, 10);
	return errno == 0 && *end == '\0';
}

static bool
read_factor(const char *text, double *out)
{
	char *end;
	if (*text < '0' || *text > '9')
		return false;
	*out = strtod(text, &end);
	return *end == '\0' && *out >= 0.001 && *out <= 1000000;
}

static const char *
after(const char *text, const char *prefix)
{
	size_t n = strlen(prefix);
	return strncmp(text, prefix, n) == 0 ? text + n : NULL;
}

static bool
read_schedule(const char *text, uint64_t *out)
{
	static const struct {
		const char *name;
		enum wn_work_kind kind;
	} kinds[] = {{"static", WN_WORK_LOOP_STATIC},
	             {"dynamic", WN_WORK_LOOP_DYNAMIC},
	             {"guided", WN_WORK_LOOP_GUIDED}};
	for (size_t i = 0; i < 3; i++)
		if (strcmp(text, kinds[i].name) == 0) {
			*out = kinds[i].kind;
			return true;
		}
	return false;
}

static bool
read_change(const char *text, struct wn_sim_change *out)
{
	const char *value;
	out->factor = 1;
	if ((value = after(text, "depth:"))) {
		out->kind = WN_SIM_CHANGE_CUTOFF;
		return read_number(value, &out->amount);
	}
	if ((value = after(text, "faster:"))) {
		out->kind = WN_SIM_CHANGE_FASTER;
		return read_factor(value, &out->factor);
	}
	if ((value = after(text, "lock:"))) {
		out->kind = WN_SIM_CHANGE_SHORTER_LOCK;
		return read_factor(value, &out->factor);
	}
	if ((value = after(text, "chunk:"))) {
		out->kind = WN_SIM_CHANGE_CHUNK;
		return read_number(value, &out->amount) && out->amount > 0;
	}
	if ((value = after(text, "schedule:"))) {
		out->kind = WN_SIM_CHANGE_SCHEDULE;
		return read_schedule(value, &out->amount);
	}
	return false;
}

/* Chunks with recorded parts inside cannot be divided otherwise; neither can schedules of loops
 * without recorded chunks. */
static wn_status
add_change(struct wn_report_prediction *r, const char *text, size_t index, wn_err *err)
{
	const char *equals = strrchr(text, '=');
	struct wn_sim_change *change = &r->changes[r->n_changes];
	if (!equals || equals == text || !read_change(equals + 1, change))
		return wn_fail(err, WN_E_ARG, index,
		               "'%.60s' is no change: PLACE=depth:N, faster:K, lock:K, chunk:N or "
		               "schedule:static, dynamic, guided",
		               text);
	uint8_t *is_at = wn_calloc((size_t)wn_trace_n_sites(r->trace) + 1, 1);
	if (!is_at)
		return wn_no_memory(err);
	r->is_at[r->n_changes] = is_at;
	r->change_texts[r->n_changes] = text;
	change->is_at = is_at;
	if (!wn_report_prediction_find(r, text, (size_t)(equals - text), is_at))
		return wn_fail(err, WN_E_ARG, index,
		               "no grain of the recording is at '%.*s': places are as 'winnow "
		               "report' names them",
		               (int)(equals - text < 60 ? equals - text : 60), text);
	const char *why = wn_simulation_against(r->simulation, change);
	if (why)
		return wn_fail(err, WN_E_ARG, index, "'%.60s' has no effect: %s", text, why);
	r->n_changes++;
	return WN_OK;
}

bool
wn_report_prediction_is_range(const struct wn_report_prediction *r)
{
	for (size_t i = 0; i < r->n_changes; i++)
		if (r->changes[i].kind == WN_SIM_CHANGE_CUTOFF)
			return true;
	return false;
}

static void
set_cutoff_factor(struct wn_report_prediction *r, double factor)
{
	for (size_t i = 0; i < r->n_changes; i++)
		if (r->changes[i].kind == WN_SIM_CHANGE_CUTOFF)
			r->changes[i].factor = factor;
}

/* A cut-off has a range: from removed tasks that do no work to all of what was measured. */
static wn_status
predict(struct wn_report_prediction *r, const uint32_t *n_threads, wn_err *err)
{
	bool has_cutoff = wn_report_prediction_is_range(r);
	struct wn_prediction lower;
	wn_status st = WN_OK;
	for (size_t i = 0; i < r->n; i++) {
		struct wn_scenario s = {
		    .n_threads = n_threads[i], .changes = r->changes, .n_changes = r->n_changes};
		WN_TRY(wn_predict(r->simulation, &r->check, &s, &r->points[i], err));
		if (r->without) {
			const struct wn_scenario plain = {.n_threads = n_threads[i]};
			WN_TRY(wn_predict(r->simulation, &r->check, &plain, &r->without[i], err));
		}
		if (!has_cutoff)
			continue;
		set_cutoff_factor(r, 0);
		WN_TRY(wn_predict(r->simulation, &r->check, &s, &lower, err));
		set_cutoff_factor(r, 1);
		r->points[i].low_ns = lower.low_ns;
		r->points[i].bound_work_ns = lower.bound_work_ns;
	}
out:
	return st;
}

wn_status
wn_report_prediction_build(struct wn_trace *trace, const uint32_t *n_threads, size_t n,
                           const char *const *changes, size_t n_changes,
                           struct wn_report_prediction **out, wn_err *err)
{
	struct wn_report_prediction *r = wn_calloc(1, sizeof *r);
	wn_status st;
	if (!r)
		return wn_no_memory(err);
	r->trace = trace;
	r->n = n;
	wn_report_command(trace, r->command);
	if (n_changes > WN_PREDICT_CHANGES_MAX) {
		st = wn_fail(err, WN_E_ARG, WN_PREDICT_CHANGES_MAX, "more than %u changes",
		             WN_PREDICT_CHANGES_MAX);
		goto out;
	}
	r->points = wn_calloc(n + 1, sizeof *r->points);
	r->without = n_changes ? wn_calloc(n + 1, sizeof *r->without) : NULL;
	if (!r->points || (n_changes && !r->without)) {
		st = wn_no_memory(err);
		goto out;
	}
	WN_TRY(wn_graph_build(trace, &r->graph, err));
	WN_TRY(wn_metrics_build(r->graph, NULL, &r->metrics, err));
	WN_TRY(wn_model_build(r->metrics, &r->model, err));
	WN_TRY(wn_simulation_build(&r->model, NULL, &r->simulation, err));
	if (n) /* not for a measured time */
		WN_TRY(wn_places_init(&r->places, r->graph, err));
	for (size_t i = 0; i < n_changes; i++)
		WN_TRY(add_change(r, changes[i], i, err));
	WN_TRY(wn_predict_check(r->simulation, &r->check, err));
	if (!r->check.refused)
		WN_TRY(predict(r, n_threads, err));
	*out = r;
	r = NULL;
out:
	wn_report_prediction_free(r);
	return st;
}

void
wn_report_prediction_free(struct wn_report_prediction *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < WN_PREDICT_CHANGES_MAX; i++)
		wn_free(r->is_at[i]);
	wn_places_fini(&r->places);
	wn_simulation_free(r->simulation);
	wn_metrics_free(r->metrics);
	wn_graph_free(r->graph);
	for (size_t i = 0; i < r->n_measured; i++)
		wn_free(r->measured[i].file);
	wn_free(r->measured);
	wn_report_search_free(r->search);
	wn_free(r->points);
	wn_free(r->without);
	wn_free(r);
}
