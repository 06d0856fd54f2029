/* SPDX-License-Identifier: MIT */
/*
 * json_lists.c - the lists of a report: notes, problems, places, findings, threads.
 */
#include "report/json_private.h"
#include "report/named.h"

#include "aggregate/theta.h"
#include "base/mem.h"

#include <math.h>
#include <stdio.h>

/* Adds the location keys; null if unknown. */
static void
put_place(struct json_maker *j, json_t *o, const struct wn_report_place *place)
{
	const struct wn_place *s = place && !place->is_foreign ? &place->source : NULL;
	json_put(j, o, "file", json_text(s ? s->file : NULL));
	json_put(j, o, "line", json_count_if(s && s->line > 0, s ? (uint64_t)s->line : 0));
	json_put(j, o, "function", json_text(s ? s->function : NULL));
	json_put(j, o, "place", json_text(place ? place->label : NULL));
}

json_t *
json_fidelity(struct json_maker *j)
{
	static const char *const levels[] = {[WN_FIDELITY_LOST] = "lost",
	                                     [WN_FIDELITY_UNSEEN] = "not_seen",
	                                     [WN_FIDELITY_ESTIMATED] = "estimated",
	                                     [WN_FIDELITY_NAMES] = "not_named",
	                                     [WN_FIDELITY_METRICS] = "not_measured"};
	json_t *list = json_array();
	for (size_t i = 0; i < j->r->fidelity.n; i++) {
		const struct wn_fidelity_note *note = &j->r->fidelity.notes[i];
		json_t *o = json_object();
		json_put(j, o, "construct", json_text(note->construct));
		put_place(j, o, note->place);
		json_put(j, o, "note", json_text(note->text));
		json_put(j, o, "level", json_string(levels[note->level]));
		json_put(j, o, "count", json_count_if(note->count > 0, note->count));
		json_push(j, list, o);
	}
	return list;
}

static void
push_unmeasured(struct json_maker *j, json_t *list)
{
	for (size_t i = 0; i < WN_MISSING_PROBLEM_N; i++) {
		const struct wn_missing_problem *type = &wn_missing_problems[i];
		if (wn_metrics_has_problem(j->r->metrics, type->name))
			continue;
		json_t *o = json_object();
		json_put(j, o, "type", json_string(type->name));
		json_put(j, o, "condition", json_string(type->condition));
		json_put(j, o, "count", json_null());
		json_put(j, o, "on_critical_path", json_null());
		json_put(j, o, "work_ns", json_null());
		json_push(j, list, o);
	}
}

json_t *
json_problems(struct json_maker *j)
{
	const struct wn_metrics *m = j->r->metrics;
	json_t *list = json_array();
	for (int p = 0; p < m->n_problems; p++) {
		char condition[64];
		json_t *o = json_object();
		snprintf(condition, sizeof condition, "%c %g",
		         m->problem_types[p].is_below ? '<' : '>', m->threshold[p]);
		json_put(j, o, "type", json_text(m->problem_types[p].name));
		json_put(j, o, "condition", json_string(condition));
		bool is_known = !m->problem[p].is_unknown;
		json_put(j, o, "count", json_count_if(is_known, m->problem[p].count));
		json_put(j, o, "on_critical_path",
		         json_count_if(is_known, m->problem[p].on_critical_path));
		json_put(j, o, "work_ns", json_count_if(is_known, m->problem[p].work_ns));
		json_push(j, list, o);
	}
	push_unmeasured(j, list);
	return list;
}

static json_t *
values_of(struct json_maker *j, const struct wn_summary *s)
{
	json_t *o = json_object();
	json_put(j, o, "count", json_count(s->n));
	json_put(j, o, "missing", json_count(s->n_missing));
	json_put(j, o, "sum", json_ratio(s->sum));
	json_put(j, o, "mean", json_ratio(s->mean));
	json_put(j, o, "min", json_ratio(s->min));
	json_put(j, o, "median", json_ratio(s->median));
	json_put(j, o, "p95", json_ratio(s->p95));
	json_put(j, o, "max", json_ratio(s->max));
	return o;
}

/* User columns are the last columns. */
json_t *
json_metrics(struct json_maker *j)
{
	const struct wn_metrics *m = j->r->metrics;
	json_t *list = json_array();
	for (size_t i = 0; i < m->n_user_columns; i++) {
		const struct wn_column *c = &m->columns[m->n_columns - m->n_user_columns + i];
		json_t *o = json_object();
		json_put(j, o, "name", json_text(c->name));
		json_put(j, o, "expression", json_text(c->title));
		json_put(j, o, "bad", json_string(wn_bad_name(c->bad)));
		json_put(j, o, "threshold",
		         json_ratio(c->problem >= 0 ? m->threshold[c->problem] : (double)NAN));
		json_put(j, o, "propagate", json_string(wn_fold_name(c->fold)));
		json_put(j, o, "values", values_of(j, &j->r->summaries[i]));
		json_push(j, list, o);
	}
	return list;
}

static json_t *
site(struct json_maker *j, uint32_t i)
{
	const struct wn_metrics *m = j->r->metrics;
	const struct wn_place_stats *stats = &j->r->stats[i];
	const struct wn_report_place *place = &j->r->places.items[i];
	json_t *o = json_object(), *problems = json_object();
	put_place(j, o, place);
	json_put(j, o, "kind", json_string(wn_report_kind(stats->kind)));
	json_put(j, o, "grains", json_count(stats->n));
	json_put(j, o, "work_ns", json_count(stats->work_ns));
	json_put(j, o, "median_ns", json_count(stats->median_ns));
	json_put(j, o, "creation_ns",
	         json_count_if(stats->n_creation_known == stats->n, stats->creation_ns));
	for (int p = 0; p < m->n_problems; p++)
		json_put(j, problems, m->problem_types[p].name,
		         json_count_if(!m->problem[p].is_unknown, stats->problem[p]));
	json_put(j, o, "problems", problems);
	json_put(j, o, "max_ns", json_count(stats->max_ns));
	json_put(j, o, "sync_ns", json_count(stats->sync_ns));
	json_put(j, o, "on_critical_path", json_count(stats->n_critical));
	json_put(j, o, "critical_work_ns", json_count(stats->critical_work_ns));
	json_put(j, o, "gain_ns", json_count(j->r->place_gain_ns[i]));
	json_put(j, o, "module", json_text(place->source.module));
	json_put(j, o, "offset", json_count_if(place->source.module != NULL, place->source.offset));
	return o;
}

json_t *
json_sites(struct json_maker *j)
{
	json_t *list = json_array();
	for (size_t i = 0; i < j->r->n_ordered; i++)
		json_push(j, list, site(j, j->r->place_order[i]));
	return list;
}

/* The speed-up if the whole gain were achieved and nothing else changed. */
static double
speedup(const struct wn_finding *f)
{
	return f->gain_ns < f->of_ns ? (double)f->of_ns / (double)(f->of_ns - f->gain_ns) : NAN;
}

static json_t *
parts(struct json_maker *j, const struct wn_finding *f)
{
	json_t *list = json_array();
	for (uint32_t i = 0; i < f->n_parts; i++) {
		json_t *o = json_object();
		put_place(j, o, wn_places_of(&j->r->places, f->parts[i].site));
		json_put(j, o, "share_percent", json_ratio(100 * f->parts[i].share));
		json_push(j, list, o);
	}
	return list;
}

static json_t *
findings(struct json_maker *j, size_t first, size_t n)
{
	json_t *list = json_array();
	for (size_t i = first; i < first + n; i++) {
		const struct wn_report_finding *f = &j->r->findings[i];
		json_t *o = json_object();
		json_put(j, o, "rule", json_string(wn_rule_name(f->finding.rule)));
		put_place(j, o, f->place);
		char message[400];
		snprintf(message, sizeof message, "%s: %s", wn_rule_title(f->finding.rule),
		         f->message);
		json_put(j, o, "message", json_text(message));
		json_put(j, o, "try", json_text(f->advice));
		json_put(j, o, "doubt", json_text(wn_finding_doubt(&f->finding)));
		json_put(j, o, "predicted_speedup", json_ratio(speedup(&f->finding)));
		json_put(j, o, "gain_ns", json_count(f->finding.gain_ns));
		json_put(j, o, "of_ns", json_count(f->finding.of_ns));
		json_put(j, o, "count", json_count(f->finding.n));
		json_put(j, o, "on_critical_path", json_boolean(f->finding.on_critical_path));
		json_put(j, o, "parts", parts(j, &f->finding));
		json_push(j, list, o);
	}
	return list;
}

json_t *
json_advice(struct json_maker *j)
{
	return findings(j, 0, j->r->n_findings);
}

json_t *
json_near(struct json_maker *j)
{
	return findings(j, j->r->n_findings, j->r->n_near);
}

json_t *
json_mutexes(struct json_maker *j)
{
	const struct wn_graph *g = j->r->graph;
	json_t *list = json_array();
	for (size_t i = 0; i < g->n_mutexes; i++) {
		const struct wn_mutex *m = &g->mutexes[i];
		json_t *o = json_object();
		json_put(j, o, "kind", json_string(wn_report_mutex_kind(m->kind)));
		put_place(j, o, wn_places_of(&j->r->places, m->site));
		json_put(j, o, "acquired", json_count(m->n_acquired));
		json_put(j, o, "contended", json_count(m->n_contended));
		json_put(j, o, "wait_ns", json_count(m->wait_ns));
		json_put(j, o, "max_wait_ns", json_count(m->max_wait_ns));
		json_put(j, o, "held_ns", json_count(m->held_ns));
		json_push(j, list, o);
	}
	return list;
}

json_t *
json_marks(struct json_maker *j)
{
	const struct wn_graph *g = j->r->graph;
	json_t *list = json_array();
	for (size_t i = 0; i < g->n_marks; i++) {
		const struct wn_mark *m = &g->marks[i];
		const char *name = wn_trace_name(g->trace, m->name);
		json_t *o = json_object();
		json_put(j, o, "name", name ? json_text(name) : json_null());
		json_put(j, o, "count", json_count(m->count));
		json_put(j, o, "wall_ns", json_count(m->wall_ns));
		json_put(j, o, "self_ns", json_count(m->self_ns));
		json_put(j, o, "max_ns", json_count(m->max_ns));
		json_put(j, o, "work_ns", json_count(m->work_ns));
		json_push(j, list, o);
	}
	return list;
}

json_t *
json_labels(struct json_maker *j)
{
	struct named_grains *named;
	size_t n;
	json_t *list = json_array();
	if (!named_grains_of(j->r->graph, &named, &n))
		j->is_failed = true;
	for (size_t i = 0; i < n; i++) {
		json_t *o = json_object();
		json_put(j, o, "label", json_text(named[i].label));
		json_put(j, o, "grains", json_count(named[i].n_grains));
		json_put(j, o, "work_ns", json_count(named[i].work_ns));
		json_put(j, o, "max_work_ns", json_count(named[i].max_work_ns));
		json_push(j, list, o);
	}
	wn_free(named);
	return list;
}

json_t *
json_threads(struct json_maker *j)
{
	const struct wn_graph *g = j->r->graph;
	bool knows_mutexes = wn_report_knows_mutexes(j->r);
	json_t *list = json_array();
	for (uint32_t i = 0; !g->imported && i < g->n_threads; i++) {
		const struct wn_thread_time *t = &g->thread_time[i];
		json_t *o = json_object();
		json_put(j, o, "thread", json_count(i));
		json_put(j, o, "os_tid", json_count(wn_trace_os_tid(g->trace, i)));
		json_put(j, o, "grains", json_count(t->n_grains));
		json_put(j, o, "region_ns", json_count(t->region_ns));
		json_put(j, o, "work_ns", json_count(t->work_ns));
		json_put(j, o, "creation_ns", json_count(t->creation_ns));
		json_put(j, o, "dispatch_ns", json_count(t->dispatch_ns));
		json_put(j, o, "scheduling_ns", json_count(t->scheduling_ns));
		json_put(j, o, "leaving_ns", json_count(t->leaving_ns));
		json_put(j, o, "mutex_ns", json_count_if(knows_mutexes, t->mutex_ns));
		json_put(j, o, "idle_ready_ns", json_count(t->idle_ready_ns));
		json_put(j, o, "idle_empty_ns", json_count(t->idle_empty_ns));
		json_put(j, o, "forking_ns", json_count(t->forking_ns));
		json_put(j, o, "nested_forking_ns", json_count(t->nested_forking_ns));
		json_put(j, o, "serial_ns", json_count(t->serial_ns));
		json_put(j, o, "paused_ns", json_count(t->paused_ns));
		json_put(j, o, "lost_ns", json_count(t->lost_ns));
		json_push(j, list, o);
	}
	return list;
}

json_t *
json_anomalies(struct json_maker *j)
{
	const struct wn_anomalies *a = &j->r->graph->anomalies;
	json_t *o = json_object();
	json_put(j, o, "unmatched", json_count(a->n_unmatched));
	json_put(j, o, "incomplete", json_count(a->n_incomplete));
	json_put(j, o, "never_started", json_count(a->n_never_started));
	json_put(j, o, "group_approx", json_count(a->n_group_approx));
	json_put(j, o, "lost", json_count(a->n_lost));
	json_put(j, o, "parts_unseen", json_count(a->n_parts_unseen));
	json_put(j, o, "counts_unknown", json_count(a->n_counts_unknown));
	return o;
}

json_t *
json_aggregate(struct json_maker *j)
{
	struct wn_theta t = {0};
	json_t *o = json_object();
	wn_status st = wn_theta_of(j->r->metrics, 0, &t, NULL);
	bool is_folded = st == WN_OK; /* else the graph exceeds the node limit */
	j->is_failed |= st == WN_E_NOMEM;
	json_put(j, o, "groups", json_count_if(is_folded, t.n_groups));
	json_put(j, o, "tree_nodes", json_count_if(is_folded, t.n_tree_nodes));
	json_put(j, o, "grains", json_count_if(is_folded, t.n_grains));
	json_put(j, o, "nodes", json_count_if(is_folded, t.n_nodes));
	json_put(j, o, "theta_max", json_count_if(t.has_theta, t.theta_max));
	json_put(j, o, "savings_percent",
	         json_ratio(t.has_theta ? wn_theta_savings(&t, t.theta_max) : (double)NAN));
	json_put(j, o, "theta_problem_max", json_count_if(t.has_problem, t.theta_problem_max));
	json_put(
	    j, o, "savings_problem_percent",
	    json_ratio(t.has_problem ? wn_theta_savings(&t, t.theta_problem_max) : (double)NAN));
	return o;
}
