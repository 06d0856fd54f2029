/* SPDX-License-Identifier: MIT */
/* job_diff_json.c - two jobs as JSON. Keys: keys.def. */
#include "report/job_diff.h"

#include "report/job_private.h"
#include "report/json_private.h"

#include <math.h>

/* Adds two values as a list: of A, of B. */
static json_t *
both(struct json_maker *j, json_t *a, json_t *b)
{
	json_t *list = json_array();
	json_push(j, list, a);
	json_push(j, list, b);
	return list;
}

static json_t *
ratio(uint64_t b, uint64_t a)
{
	return json_ratio(a ? (double)b / (double)a : (double)NAN);
}

static json_t *
totals(struct json_maker *j, const struct wn_job_diff *d)
{
	const struct wn_job_report *a = d->run[0], *b = d->run[1];
	json_t *o = json_object();
#define KEYS_OF_JOB_DIFF_TOTALS
#include "report/keys.def"
	return o;
}

static json_t *
efficiencies(struct json_maker *j, const struct wn_job_diff *d)
{
	json_t *o = json_object();
	for (int k = 0; k < WN_POP_N; k++)
		json_put(j, o, wn_pop_metrics[k].name,
		         both(j, json_ratio(d->run[0]->pop.value[k]),
		              json_ratio(d->run[1]->pop.value[k])));
	return o;
}

static json_t *
times(struct json_maker *j, const struct wn_job_diff *d)
{
	const struct wn_job_report *a = d->run[0], *b = d->run[1];
	json_t *o = json_object();
	char key[64];
	for (int k = 0; k < WN_TIME_N; k++) {
		snprintf(key, sizeof key, "%s_ns", wn_time_categories[k].name);
		json_put(j, o, key,
		         both(j, json_count_if(a->is_known[k], a->ns[k]),
		              json_count_if(b->is_known[k], b->ns[k])));
	}
	json_put(j, o, "not_running_ns",
	         both(j, json_count(a->not_running_ns), json_count(b->not_running_ns)));
	return o;
}

static json_t *
diff_advice(struct json_maker *j, const struct wn_job_diff *d)
{
	json_t *list = json_array();
	for (size_t i = 0; i < d->n_findings; i++) {
		const struct wn_job_finding *a = d->findings[i].finding[0];
		const struct wn_job_finding *b = d->findings[i].finding[1];
		const struct wn_job_finding *any = b ? b : a;
		const struct wn_job_report *r = d->run[b != NULL];
		json_t *o = json_object();
#define KEYS_OF_JOB_DIFF_ADVICE
#include "report/keys.def"
		json_push(j, list, o);
	}
	return list;
}

static json_t *
diff_sites(struct json_maker *j, const struct wn_job_diff *d)
{
	json_t *list = json_array();
	for (size_t i = 0; i < d->n_places; i++) {
		const struct wn_rank_place *a = d->places[i].place[0], *b = d->places[i].place[1];
		const struct wn_job_report *r = d->run[b != NULL];
		json_t *o = json_object();
#define KEYS_OF_JOB_DIFF_SITE
#include "report/keys.def"
		json_push(j, list, o);
	}
	return list;
}

wn_status
wn_job_diff_json(const struct wn_job_diff *d, json_t **out, wn_err *err)
{
	struct json_maker maker = {0}, *j = &maker;
	json_t *o = json_object();
#define KEYS_OF_JOB_DIFF
#include "report/keys.def"
	return json_finish(j, o, out, err);
}
