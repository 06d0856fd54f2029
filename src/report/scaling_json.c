/* SPDX-License-Identifier: MIT */
/* scaling_json.c - a scaling series as JSON, schema winnow.scaling/1. */
#include "report/scaling.h"

#include "report/json_private.h"

#include <math.h>

static json_t *
json_signed(double ns)
{
	return json_integer((json_int_t)llround(ns));
}

static void
put_change(struct json_maker *j, json_t *o, const struct wn_scaling_change *c)
{
	json_put(j, o, "change_ns", json_signed(c->ns));
	json_put(j, o, "change_min_ns", json_signed(c->least_ns));
	json_put(j, o, "change_max_ns", json_signed(c->most_ns));
	json_put(j, o, "change_is", json_string(wn_scaling_clarity_name(c->clarity)));
}

static json_t *
json_run(struct json_maker *j, const struct wn_scaling_run *run)
{
	json_t *o = json_object();
	json_put(j, o, "file", json_text(run->file));
	json_put(j, o, "command", json_text(run->command));
	json_put(j, o, "threads", json_count(run->n_threads));
	json_put(j, o, "threads_asked", json_count_if(run->n_requested > 0, run->n_requested));
	json_put(j, o, "cpus", json_count_if(run->n_cpus > 0, run->n_cpus));
	json_put(j, o, "used", json_boolean(run->is_used));
	json_put(j, o, "disturbed", json_boolean(run->is_disturbed));
	json_put(j, o, "complete", json_boolean(run->is_complete));
	json_put(j, o, "exit_status", json_count((uint64_t)run->exit_status));
	json_put(j, o, "grains", json_count(run->n_grains));
	json_put(j, o, "time_ns", json_count(run->time_ns));
	json_put(j, o, "elapsed_ns", json_count(run->elapsed_ns));
	json_put(j, o, "work_ns", json_count(run->work_ns));
	json_put(j, o, "span_ns", json_count(run->span_ns));
	return o;
}

static json_t *
json_point(struct json_maker *j, const struct wn_scaling *s, size_t i)
{
	const struct wn_scaling_point *p = &s->points[i];
	const struct wn_scaling_run *run = &s->runs[p->median];
	json_t *o = json_object(), *times = json_array();
	json_put(j, o, "threads", json_count(p->n_threads));
	json_put(j, o, "runs", json_count(p->n));
	json_put(j, o, "runs_used", json_count(p->n_used));
	json_put(j, o, "median_run", json_text(run->file));
	json_put(j, o, "time_ns", json_count(run->time_ns));
	json_put(j, o, "time_min_ns", json_count(p->least_ns));
	json_put(j, o, "time_max_ns", json_count(p->most_ns));
	json_put(j, o, "speedup", json_ratio(p->speedup));
	json_put(j, o, "efficiency", json_ratio(p->efficiency));
	json_put(j, o, "speedup_at_most", json_ratio(p->at_most));
	json_put(j, o, "disturbed", json_boolean(p->is_disturbed));
	json_put(j, o, "shares_cpus", json_boolean(p->shares_cpus));
	json_put(j, o, "thread_ns", json_count(run->thread_ns));
	json_put(j, o, "lost_ns", json_signed(p->lost_ns));
	for (int c = 0; c < WN_TIME_N; c++) {
		json_t *time = json_object();
		json_put(j, time, "category", json_string(wn_scaling_name(c)));
		json_put(j, time, "time_ns", json_count(run->ns[c]));
		put_change(j, time, &p->change[c]);
		json_push(j, times, time);
	}
	json_put(j, o, "categories", times);
	return o;
}

static void
put_place(struct json_maker *j, json_t *o, const struct wn_place_name *name)
{
	json_put(j, o, "file", json_text(name ? name->file : NULL));
	json_put(j, o, "line",
	         json_count_if(name && name->line > 0, name ? (uint64_t)name->line : 0));
	json_put(j, o, "function", json_text(name ? name->function : NULL));
	json_put(j, o, "place", json_text(name ? name->label : NULL));
}

static json_t *
json_place(struct json_maker *j, const struct wn_scaling *s, uint32_t place)
{
	json_t *o = json_object(), *points = json_array();
	put_place(j, o, s->places[place]);
	json_put(j, o, "kind", json_string(wn_report_kind(s->places[place]->kind)));
	for (size_t i = 0; i < s->n_points; i++) {
		const struct wn_scaling_site *site = wn_scaling_site(s, i, place),
					     *base = wn_scaling_site(s, 0, place);
		struct wn_scaling_change change = wn_scaling_work_change(s, i, place);
		json_t *point = json_object();
		json_put(j, point, "threads", json_count(s->points[i].n_threads));
		json_put(j, point, "grains", json_count(site->n));
		json_put(j, point, "work_ns", json_count_if(site->n > 0, site->work_ns));
		json_put(j, point, "work_inflation",
		         json_ratio(base->work_ns && site->n
		                        ? (double)site->work_ns / (double)base->work_ns
		                        : (double)NAN));
		put_change(j, point, &change);
		json_push(j, points, point);
	}
	json_put(j, o, "points", points);
	return o;
}

static json_t *
json_finding(struct json_maker *j, const struct wn_scaling *s, const struct wn_scaling_finding *f)
{
	char message[320];
	json_t *o = json_object();
	json_put(j, o, "category",
	         json_string(f->place != WN_NO_PLACE || f->category == WN_TIME_WORK
	                         ? "work_inflation"
	                         : wn_scaling_name(f->category)));
	put_place(j, o, f->place == WN_NO_PLACE ? NULL : s->places[f->place]);
	json_put(j, o, "threads", json_count(s->points[s->target].n_threads));
	put_change(j, o, &f->change);
	json_put(j, o, "gain_ns", json_count(f->gain_ns));
	json_put(j, o, "gain_min_ns", json_count(f->least_gain_ns));
	json_put(j, o, "gain_max_ns", json_count(f->most_gain_ns));
	wn_scaling_message(s, f, false, message, sizeof message);
	json_put(j, o, "message", json_text(message));
	json_put(j, o, "advice", json_string(wn_scaling_advice(f)));
	return o;
}

static wn_status
write_headline(const void *user, FILE *to, wn_err *err)
{
	return wn_scaling_text_headline(user, to, err);
}

wn_status
wn_scaling_json(const struct wn_scaling *s, json_t **out, wn_err *err)
{
	struct json_maker j = {0};
	json_t *o = json_object(), *runs = json_array(), *points = json_array(),
	       *places = json_array(), *findings = json_array();
	json_put(&j, o, "schema", json_string("winnow.scaling/1"));
	json_put(&j, o, "headline", json_lines(&j, write_headline, s));
	json_put(&j, o, "same_command", json_boolean(!s->other_command));
	json_put(&j, o, "time", json_string(s->has_wall ? "wall_ns" : "elapsed_ns"));
	for (size_t i = 0; i < s->n; i++)
		json_push(&j, runs, json_run(&j, &s->runs[i]));
	for (size_t i = 0; i < s->n_points; i++)
		json_push(&j, points, json_point(&j, s, i));
	for (size_t i = 0; i < s->n_order; i++)
		json_push(&j, places, json_place(&j, s, s->order[i]));
	for (size_t i = 0; i < s->n_findings; i++)
		json_push(&j, findings, json_finding(&j, s, &s->findings[i]));
	json_put(&j, o, "runs", runs);
	json_put(&j, o, "points", points);
	json_put(&j, o, "places", places);
	json_put(&j, o, "advice", findings);
	return json_finish(&j, o, out, err);
}
