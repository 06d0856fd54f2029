/* SPDX-License-Identifier: MIT */
/* job_json.c - the report of a job as JSON. Keys: keys.def. */
#include "report/job_private.h"

#include "base/mem.h"
#include "report/json_private.h"

#include <string.h>

/* Returns the text of a place that is at `offset` in its record; NULL: there is none. */
static const char *
place_text(const struct wn_job_report *r, const struct wn_rank_place *p, size_t offset)
{
	uint64_t hash = 0;
	if (p)
		memcpy(&hash, (const char *)p + offset, sizeof hash);
	return wn_ranks_text(r->s, hash);
}

static json_t *
json_rank_status(const struct wn_rank_row *rank)
{
	bool is_known = rank->flags & (WN_RANK_EXITED | WN_RANK_SIGNALLED);
	return is_known ? json_integer(rank->exit_status) : json_null();
}

static json_t *
job_path(struct json_maker *j, const struct wn_job_report *r)
{
	if (!r->has_path)
		return json_null();
	json_t *o = json_object();
#define KEYS_OF_JOB_PATH
#include "report/keys.def"
	return o;
}

json_t *
job_head(struct json_maker *j, const struct wn_job_report *r)
{
	json_t *o = json_object();
#define KEYS_OF_JOB
#include "report/keys.def"
	return o;
}

static json_t *
pop(struct json_maker *j, const struct wn_job_report *r)
{
	json_t *o = json_object();
#define KEYS_OF_POP
#include "report/keys.def"
	return o;
}

static json_t *
job_time(struct json_maker *j, const struct wn_job_report *r)
{
	json_t *o = json_object();
	char key[64];
	for (int i = 0; i < WN_TIME_N; i++) {
		snprintf(key, sizeof key, "%s_percent", wn_time_categories[i].name);
		json_put(j, o, key,
		         r->is_known[i] ? json_percent(r->ns[i], r->thread_ns) : json_null());
	}
	json_put(j, o, "not_running_percent", json_percent(r->not_running_ns, r->thread_ns));
	return o;
}

static json_t *
job_totals(struct json_maker *j, const struct wn_job_report *r)
{
	json_t *o = json_object();
	char key[64];
	for (int i = 0; i < WN_TIME_N; i++) {
		snprintf(key, sizeof key, "%s_ns", wn_time_categories[i].name);
		json_put(j, o, key, json_count_if(r->is_known[i], r->ns[i]));
	}
	json_put(j, o, "not_running_ns", json_count(r->not_running_ns));
	json_put(j, o, "thread_ns", json_count(r->thread_ns));
	return o;
}

static json_t *
job_advice(struct json_maker *j, const struct wn_job_report *r)
{
	json_t *list = json_array();
	for (size_t i = 0; i < r->n_findings; i++) {
		const struct wn_job_finding *f = &r->findings[i];
		json_t *o = json_object();
#define KEYS_OF_JOB_ADVICE
#include "report/keys.def"
		json_push(j, list, o);
	}
	return list;
}

static json_t *
bindings(struct json_maker *j, const struct wn_job_report *r)
{
	json_t *list = json_array();
	for (size_t i = 0; i < r->n_bindings; i++) {
		const struct wn_binding_finding *b = &r->bindings[i];
		json_t *o = json_object();
#define KEYS_OF_JOB_BINDING
#include "report/keys.def"
		json_push(j, list, o);
	}
	return list;
}

static json_t *
outliers(struct json_maker *j, const struct wn_job_report *r)
{
	json_t *list = json_array();
	for (size_t i = 0; i < r->n_outliers; i++) {
		const struct wn_outlier *x = &r->outliers[i];
		json_t *o = json_object();
#define KEYS_OF_JOB_OUTLIER
#include "report/keys.def"
		json_push(j, list, o);
	}
	return list;
}

static json_t *
members(struct json_maker *j, const struct wn_job_report *r, size_t group)
{
	size_t room = (size_t)r->groups[group].n_ranks * 9 + 8; /* "," and 8 digits each */
	char *text = wn_calloc(room, 1);
	if (text && !job_group_list(r, group, text, room)) {
		wn_free(text);
		text = NULL;
	}
	return json_taken(j, text);
}

static json_t *
groups(struct json_maker *j, const struct wn_job_report *r)
{
	json_t *list = json_array();
	for (size_t number = 0; number < r->n_groups; number++) {
		const struct wn_rank_group *group = &r->groups[number];
		json_t *o = json_object();
#define KEYS_OF_JOB_GROUP
#include "report/keys.def"
		json_push(j, list, o);
	}
	return list;
}

static json_t *
clocks(struct json_maker *j, const struct wn_job_report *r)
{
	const struct wn_clocks *c = &r->clocks;
	json_t *o = json_object();
#define KEYS_OF_JOB_CLOCKS
#include "report/keys.def"
	return o;
}

static json_t *
sites(struct json_maker *j, const struct wn_job_report *r)
{
	json_t *list = json_array();
	for (size_t i = 0; i < r->s->header->n_places; i++) {
		const struct wn_rank_place *p = &r->s->places[r->places[i]];
		json_t *o = json_object();
#define KEYS_OF_JOB_SITE
#include "report/keys.def"
		json_push(j, list, o);
	}
	return list;
}

static json_t *
job_mpi(struct json_maker *j, const struct wn_job_report *r)
{
	json_t *list = json_array();
	for (size_t i = 0; i < r->s->header->n_calls; i++) {
		const struct wn_rank_call *c = &r->s->calls[r->calls[i]];
		json_t *o = json_object();
#define KEYS_OF_JOB_MPI
#include "report/keys.def"
		json_push(j, list, o);
	}
	return list;
}

static json_t *
ranks(struct json_maker *j, const struct wn_job_report *r)
{
	json_t *list = json_array();
	for (size_t i = 0; i < r->s->header->n_ranks; i++) {
		const struct wn_rank_row *x = &r->s->ranks[i];
		const struct wn_path_share *share = wn_job_path_share(r, i);
		json_t *o = json_object();
#define KEYS_OF_JOB_RANK
#include "report/keys.def"
		json_push(j, list, o);
	}
	return list;
}

static json_t *
absent(struct json_maker *j, const struct wn_job_report *r)
{
	json_t *list = json_array();
	for (size_t i = 0; i < r->in.n_absent; i++) {
		json_t *o = json_object();
		json_put(j, o, "rank", json_count(r->in.absent[i].rank));
		json_put(j, o, "why", json_text(r->in.absent[i].why));
		json_push(j, list, o);
	}
	return list;
}

wn_status
wn_job_report_json(const struct wn_job_report *r, json_t **out, wn_err *err)
{
	struct json_maker maker = {0}, *j = &maker;
	json_t *o = json_object();
#define KEYS_OF_JOB_REPORT
#include "report/keys.def"
	return json_finish(j, o, out, err);
}
